import type { Message } from '../rpc/inspector-methods.ts'

export interface Arrow {
  seq: number
  /** Places among the lanes. */
  from: number
  to: number
  label: string
  at: number
}

/** Messages as arrows between lanes; a lane for each who said or heard something, in the order of their first appearance. */
export function sequenceOf(messages: readonly Message[]): { lanes: string[]; arrows: Arrow[] } {
  const lanes: string[] = []
  const placeOf = (name: string): number => {
    const place = lanes.indexOf(name)
    return place === -1 ? lanes.push(name) - 1 : place
  }
  const arrows = messages.map(({ seq, sender, receiver, via, event, at }) => ({
    seq,
    from: placeOf(via === 'timer' ? receiver : (sender ?? via)),
    to: placeOf(receiver),
    label: event,
    at,
  }))
  return { lanes, arrows }
}
