import type { TrustState } from './parts.ts'
import { printableLine } from './printable.ts'

/** What a person is asked before a workspace may name programs and addresses and have its files written. */
export const trustQuestion = (workspace: string, { reason }: TrustState): string => {
  const why =
    reason === 'changed'
      ? 'What it names of models, addresses or keys, or its state folder, has changed since you said yes. '
      : ''
  return `${why}Do you trust ${printableLine(workspace)}? Yes lets tools write in it, and lets its files name models, addresses and keys.`
}
