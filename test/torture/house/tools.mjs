import { recordsIn, workspaceIn } from './places.mjs'

/**
 * A tool of which nobody can tell afterwards whether it ran, except by asking the outside, and the built-in one that
 * appends to a file; life may end in the middle of both.
 * @param {{ folder: string, dist: string, random: ReturnType<typeof import('../lib/random.mjs').randomFrom>, die: (point: string) => void }} parts
 */
export async function mortalTools({ folder, dist, random, die }) {
  const { appendFile } = await import(`${dist}/skills/append-file.js`)
  const { realpathSync } = await import('node:fs')
  const { sent } = recordsIn(folder)
  const sometime = () => (random.chance(0.5) ? new Promise((next) => setTimeout(next, random.below(10))) : null)
  const append = appendFile(realpathSync(workspaceIn(folder)))
  return [
    {
      name: 'send',
      description: 'Sends something that cannot be taken back.',
      repeatable: false,
      parse: (args) => args,
      target: (args) => String(args.to),
      async run({ nonce }, { key, evaluation }) {
        await sometime()
        die('before-send')
        sent.add({ key, evaluation, nonce })
        die('after-send')
        await sometime()
        return `Sent ${nonce}`
      },
    },
    {
      ...append,
      async run(args, run) {
        die('before-append')
        const keepBefore = (image) => {
          run.keepBefore(image)
          die('append-prepared')
        }
        const text = await append.run(args, { ...run, keepBefore, kept: () => run.kept() })
        die('after-append')
        return text
      },
    },
  ]
}
