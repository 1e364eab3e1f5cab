import type { BeforeImage } from '../domain/tool.ts'

/** What a file shall hold after undoing. */
export interface UndoPlan {
  target: { hash: string | null; bytes: Uint8Array | null }
  /** True when somebody else wrote it after (or between) the writes that are undone. */
  changedSince: boolean
}

/**
 * Where undoing the writes of one file leads from its present content; `images` are in the order they were kept and of
 * that file. A write that is no longer in the file, because it was undone already or never took place, is passed over.
 */
export const planUndo = (images: BeforeImage[], present: string | null): UndoPlan => {
  const plan: UndoPlan = { target: { hash: present, bytes: null }, changedSince: false }
  for (const [index, image] of [...images.entries()].reverse()) {
    const stands = plan.target.hash
    if (stands !== image.afterHash) {
      const older = images.slice(0, index)
      const undone =
        stands === image.beforeHash || older.some((each) => [each.afterHash, each.beforeHash].includes(stands))
      if (undone) continue
      plan.changedSince = true
    }
    plan.target = { hash: image.beforeHash, bytes: image.before }
  }
  return plan
}
