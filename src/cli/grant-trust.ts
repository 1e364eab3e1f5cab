import type { Shell } from './shell.ts'

/** Says yes to a workspace, and says where a state folder went that somebody else had made. */
export const grantTrust = async (shell: Shell, workspace: string): Promise<void> => {
  const { putAside } = await shell.parts.trust.grant(workspace)
  if (putAside === null) return
  shell.remark(`This folder brought a state folder that was not made here. It is kept at ${putAside} and not used.`)
}
