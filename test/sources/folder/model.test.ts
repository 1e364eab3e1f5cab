import { createHash } from 'node:crypto'
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { workspace } from './workspace.ts'

type Edit =
  | { do: 'write' | 'remove' | 'makeFolder' | 'link' | 'forget' | 'read'; at: string }
  | { do: 'move'; at: string; to: string }

const name = fc.constantFrom('a', 'b', 'c', 'd.md')
const place = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'))
const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('write' as const), at: place }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('move' as const), at: place, to: place }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('remove', 'makeFolder', 'link', 'read'), at: place }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), at: place }) },
)

const tries = (change: () => void) => {
  try {
    change()
  } catch {
    // An edit that makes no sense here (a folder below a file) changes nothing.
  }
}

let written = 0

const apply = (root: string, step: Edit) => {
  const path = `${root}/${step.at}`
  switch (step.do) {
    case 'write':
      // Each text is longer than the one before: some file systems keep time too coarsely to tell two writes apart.
      return tries(() => writeFileSync(path, 'x'.repeat(++written)))
    case 'remove':
      return tries(() => rmSync(path, { recursive: true }))
    case 'makeFolder':
      return tries(() => mkdirSync(path, { recursive: true }))
    case 'link':
      return tries(() => symlinkSync('..', path))
    case 'forget':
      return tries(() => writeFileSync(`${path}/.gitignore`, `a\n${'# '.repeat(++written)}\n`))
    case 'move':
      return tries(() => renameSync(path, `${root}/${step.to}`))
    case 'read':
      return
    default:
      return step satisfies never
  }
}

/** What is in the folder, found the plain way: every file by its key, with the hash of what is in it. */
const contents = (root: string, below = '', forgotten: string[] = []): Record<string, string> => {
  const names = readdirSync(`${root}/${below}`)
  const rules = names.includes('.gitignore') ? readFileSync(`${root}/${below}.gitignore`, 'utf8').split('\n') : []
  const passedOver = [...forgotten, ...rules]
  const found: Record<string, string> = {}
  for (const entry of names.filter((one) => !passedOver.includes(one))) {
    const key = below + entry
    const stats = lstatSync(`${root}/${key}`)
    if (stats.isDirectory()) Object.assign(found, contents(root, `${key}/`, passedOver))
    if (stats.isFile())
      found[key] = createHash('sha256')
        .update(readFileSync(`${root}/${key}`))
        .digest('hex')
  }
  return found
}

const known = (folder: ReturnType<typeof workspace>) =>
  Object.fromEntries([...folder.marks].map(([key, { hash }]) => [key, hash]))

it.each([true, false])('knows what is in the folder after any edits (watched: %j)', async (watched) => {
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 40 }), async (edits) => {
      const folder = workspace()
      await using _watching = watched ? await folder.source.watch(() => {}) : { [Symbol.asyncDispose]: async () => {} }
      for (const step of edits) {
        apply(folder.root, step)
        if (step.do !== 'read') continue
        await folder.read()
        expect(known(folder)).toEqual(contents(folder.root))
      }
      await folder.read()
      expect(known(folder)).toEqual(contents(folder.root))
      expect(await folder.read().then(({ skipped: _, ...told }) => told)).toEqual({})
    }),
    { numRuns: 30 },
  )
})

it.each([true, false])('comes to know it after edits in the middle of reads (watched: %j)', async (watched) => {
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 10, maxLength: 60 }), async (edits) => {
      const folder = workspace()
      await using _watching = watched ? await folder.source.watch(() => {}) : { [Symbol.asyncDispose]: async () => {} }
      const left = [...edits]
      while (left.length > 0) {
        for (const step of left.splice(0, 5)) apply(folder.root, step)
        const reading = folder.read()
        for (const step of left.splice(0, 5)) {
          await new Promise(setImmediate)
          apply(folder.root, step)
        }
        await reading
      }
      await folder.read()
      expect(known(folder)).toEqual(contents(folder.root))
    }),
    { numRuns: 30 },
  )
})
