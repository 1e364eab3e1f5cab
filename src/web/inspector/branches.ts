import type { Actor } from '../rpc/inspector-methods.ts'

export interface Branch {
  actor: Actor
  branches: Branch[]
}

/** The actors as a tree. One whose parent is not among them stands at the top. */
export function branchesOf(actors: readonly Actor[]): Branch[] {
  const byId = new Map(actors.map((actor): [string, Branch] => [actor.id, { actor, branches: [] }]))
  const top: Branch[] = []
  for (const branch of byId.values()) {
    const parent = branch.actor.parent === null ? undefined : byId.get(branch.actor.parent)
    if (parent === undefined || parent === branch) top.push(branch)
    else parent.branches.push(branch)
  }
  return top
}
