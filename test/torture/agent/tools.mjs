import { realpathSync } from 'node:fs'
import { recordsIn, workspaceIn } from './places.mjs'

/**
 * A tool of which nobody can tell afterwards whether it ran, one that may run again, and the built-in one that writes a file;
 * life may end in the middle of each.
 * @param {{ folder: string, dist: string, db: import('better-sqlite3').Database, random: ReturnType<typeof import('../lib/random.mjs').randomFrom>, die: (point: string) => void }} parts
 */
export async function mortalTools({ folder, dist, db, random, die }) {
  const { writeFile } = await import(`${dist}/skills/write-file.js`)
  const { posted, noted } = recordsIn(folder)
  const sometime = () => (random.chance(0.5) ? new Promise((next) => setTimeout(next, random.below(8))) : null)
  const stateOf = db.prepare('SELECT state FROM outbox WHERE key = ?').pluck()
  const write = writeFile(realpathSync(workspaceIn(folder)))
  return [
    {
      name: 'post',
      description: 'Posts something that cannot be taken back.',
      effect: 'external',
      repeatable: false,
      parse: (args) => args,
      target: (args) => String(args.to),
      async run({ nonce }, { key, evaluation }) {
        await sometime()
        die('before-post')
        posted.add({ key, evaluation, nonce })
        die('after-post')
        await sometime()
        return `Posted ${nonce}`
      },
    },
    {
      name: 'note',
      description: 'Notes something under its key, as often as one likes.',
      effect: 'write',
      repeatable: true,
      parse: (args) => args,
      target: () => 'log',
      async run({ nonce }, { key, evaluation }) {
        await sometime()
        die('before-note')
        noted.add({ key, evaluation, nonce, settled: ['done', 'failed', 'unknown'].includes(stateOf.get(key)) })
        die('after-note')
        return `Noted ${nonce}`
      },
    },
    {
      ...write,
      effect: 'write',
      parameters: write.parameters,
      async run(args, run) {
        die('before-write')
        const keepBefore = (image) => {
          run.keepBefore(image)
          die('write-prepared')
        }
        const text = await write.run(args, { ...run, keepBefore, kept: () => run.kept() })
        die('after-write')
        return text
      },
    },
  ]
}
