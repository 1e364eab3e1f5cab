/** What a line says about itself, as bits: a line, an item and a task each hold a set of them in one number. */
export const Signal = {
  urgent: 1 << 0,
  important: 1 << 1,
  deadline: 1 << 2,
  meeting: 1 << 3,
  moved: 1 << 4,
  cancelled: 1 << 5,
  blocked: 1 << 6,
  unblocked: 1 << 7,
  status: 1 << 8,
  question: 1 << 9,
  request: 1 << 10,
  mention: 1 << 11,
  failure: 1 << 12,
  todo: 1 << 13,
  reply: 1 << 14,
  /** A word or figure that may be a date; whether it is one is found out only where it matters. */
  dateHint: 1 << 15,
} as const

/** Kinds of mail and lines that nobody needs to be told about. */
export const Noise = {
  passed: 1 << 0,
  nothingToDo: 1 << 1,
  bulk: 1 << 2,
  marketing: 1 << 3,
  receipt: 1 << 4,
  autoReply: 1 << 5,
} as const

export type Bits = number

export const any = (set: Bits, of: Bits): boolean => (set & of) !== 0
