import type { Command } from 'commander'
import { serveStdio } from '../../rpc/stdio.ts'
import { examples } from '../examples.ts'
import type { Shell } from '../shell.ts'

export const addRpc = (program: Command, shell: Shell): void => {
  const { parts } = shell
  const command = program
    .command('rpc')
    .description('answer JSON-RPC on standard input and output, a message a line, until the input ends')
  examples(command, 'undermind rpc', `echo '{"jsonrpc":"2.0","method":"subconscious.status","id":1}' | undermind rpc`)
  shell.act(command, () =>
    shell.withDoor(async (door) => {
      const stdio = parts.io.stdio()
      const unlisten = parts.onSignal(() => stdio.input.destroy())
      try {
        await serveStdio(door, stdio)
      } finally {
        unlisten()
      }
    }),
  )
}
