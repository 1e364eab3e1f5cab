import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { layers } from './architecture/layers.ts'

const project = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(project, path), 'utf8')

interface Ended {
  code: number
  out: string
  err: string
}

/** Runs an example as a reader would, where neither their settings nor their environment matters. */
function run(example: string): Promise<Ended> {
  const home = mkdtempSync(join(tmpdir(), 'undermind-home-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('UNDERMIND_') && name !== 'NODE_OPTIONS')
  const env = {
    ...Object.fromEntries(own),
    XDG_CONFIG_HOME: home,
    APPDATA: home,
    HOME: home,
    TMPDIR: home,
    NO_COLOR: '1',
  }
  return new Promise((resolve) => {
    const path = join(project, 'examples', example)
    execFile(process.execPath, [path], { cwd: home, env, timeout: 15_000 }, (error, out, err) => {
      expect(readdirSync(home).filter((name) => name.startsWith('undermind-'))).toEqual([])
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), out, err })
    })
  })
}

describe('the examples', () => {
  beforeAll(() => {
    if (existsSync(join(project, 'dist/index.js'))) return
    execFileSync(process.execPath, [join(project, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'], {
      cwd: project,
    })
  }, 60_000)

  it('embed a runtime that acts, asks, and does what was approved', async () => {
    const { code, out, err } = await run('embed.mjs')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/^skipped: /)
    expect(out).toContain('awaitingApproval: 1 new file names a deadline')
    expect(out).toContain(`tool: 'append_file'`)
    expect(out).toMatch(/: "The programme has to be at the printer by tomorrow" \(notes\/concert\.md\)\\n'/)
    expect(out.trimEnd()).toMatch(/\nacted: Appended \d+ bytes to AGENDA\.md\.$/)
  })

  it('add a world of one’s own, which is seen, ticks and tells what it has to tell once', async () => {
    const { code, out, err } = await run('third-world/run.mjs')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out.trimEnd().split('\n')).toEqual([
      'Memory awareness is resting',
      'River level is resting',
      'tick_river_1 was quiet',
      'The river is above the mark: 263 cm',
      'tick_river_2 was quiet',
      'tick_river_3 was quiet',
      'The river is below the mark again: 241 cm',
      'tick_river_4 was quiet',
    ])
  })

  it('put a provider of one’s own in the place of the built-in evaluator', async () => {
    const { code, out, err } = await run('custom-model.mjs')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('done: 1 call of todo-rule\n')
    expect(out).toContain('acted: Tell me about open work: TODO: order the chairs (plan.txt)\n')
    expect(out).toContain('The card to append to TODO.md is dismissed by example\n')
  })

  it('are all run here and told of in their README', () => {
    const examples = readdirSync(join(project, 'examples')).filter((name) => name.endsWith('.mjs'))
    expect(examples).toEqual(['custom-model.mjs', 'embed.mjs'])
    for (const name of [...examples, 'third-world/run.mjs'])
      expect(read('examples/README.md')).toContain(`[${name}](${name})`)
  })
})

const languages = ['README.md', 'README.zh-CN.md']

/** The fenced blocks of a document that are in the given language, '' for those in none. */
const blocks = (text: string, language: string): (string | undefined)[] =>
  [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].filter(([, name]) => name === language).map(([, , body]) => body)

describe('the README', () => {
  it.each(languages)('shows the smallest example as it is run: %s', (readme) => {
    expect(blocks(read(readme), 'js')).toEqual([read('examples/embed.mjs')])
  })

  it('says as much in both languages', () => {
    const shapes = languages.map((readme) => {
      const text = read(readme)
      return {
        headings: text.match(/^#+ /gm),
        commands: blocks(text, ''),
        points: text.match(/^- /gm)?.length,
        code: [...text.matchAll(/`[^`\n]+`/g)].map(([words]) => words).sort(),
        arrows: text.match(/-->/g)?.length,
      }
    })
    expect(shapes[1]).toEqual(shapes[0])
  })
})

const documents = [
  ...readdirSync(project).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(project, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`),
  'examples/README.md',
]

describe('the documents', () => {
  it.each(documents)('link only to what is there: %s', (document) => {
    const links = [...read(document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
    const local = links.filter((link) => !/^(?:https?|mailto):|^#/.test(link)).map((link) => link.replace(/#.*$/, ''))
    const paths = local.map((link) => normalize(join(dirname(document), link)))
    expect(paths.filter((path) => !existsSync(join(project, path)))).toEqual([])
  })

  it('name only source and test files that are there, but for the pages that are history', () => {
    const living = documents.filter((document) => !document.startsWith('docs/adr/') && document !== 'CHANGELOG.md')
    const named = living.flatMap((document) =>
      [...read(document).matchAll(/`((?:src|test|docs|examples|scripts|bin)\/[\w./-]*)`/g)].map(
        ([, path = '']) => path,
      ),
    )
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((path) => !existsSync(join(project, path)))).toEqual([])
  })

  it('name a test for every invariant', () => {
    const [, section = ''] = /^## Invariants\n([\s\S]*?)^## /m.exec(read('ARCHITECTURE.md')) ?? []
    const invariants = section.split(/^(?=\d+\. )/m).filter((text) => /^\d/.test(text))
    expect(invariants.length).toBeGreaterThan(10)
    expect(invariants.filter((text) => !/`test\/[\w./-]+\.test\.ts`/.test(text))).toEqual([])
  })

  it('show who may use whom as it is enforced', () => {
    const [, section = ''] = /^## Who may use whom\n([\s\S]*?)^## /m.exec(read('ARCHITECTURE.md')) ?? []
    const rows = [...section.matchAll(/^\| (`.*?) \| (.*) \|$/gm)]
    const namesIn = (cell: string): string[] => [...cell.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name)
    const shown = rows.flatMap(([, rooms = '', may = '']) =>
      namesIn(rooms).map((room) => [room, may === 'any' ? 'any' : namesIn(may)]),
    )
    const enforced = Object.entries(layers).map(([room, { rooms }]) => [room, rooms === 'any' ? rooms : [...rooms]])
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(enforced))
  })

  it('keep decisions in an unbroken row', () => {
    const numbers = readdirSync(join(project, 'docs/adr'))
      .sort()
      .map((name) => Number(name.slice(0, 4)))
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  })
})
