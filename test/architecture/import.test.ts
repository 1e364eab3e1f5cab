import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, it } from 'vitest'

const project = join(import.meta.dirname, '../..')
const dist = join(project, 'dist')

/** Imports modules and tells what was begun meanwhile, whether or not it holds the process; reading a module's file is none. */
const program = `
  import { createHook } from 'node:async_hooks'
  // Where output goes is opened when it is first looked at, which some packages do.
  process.stdin; process.stdout; process.stderr
  const begun = []
  const ofLoading = /^(PROMISE|FSREQ|FILEHANDLE|TickObject|Immediate|Microtask)/
  createHook({ init: (id, type) => ofLoading.test(type) || begun.push(type) }).enable()
  for (const module of JSON.parse(process.argv[1])) await import(module)
  await new Promise((next) => setImmediate(next))
  console.log(JSON.stringify({ begun, listeners: process.eventNames().map(String) }))
`

const importing = async (modules: string[]): Promise<{ begun: string[]; listeners: string[]; err: string }> => {
  const args = ['--input-type=module', '-e', program, JSON.stringify(modules)]
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { timeout: 15_000 })
  return { ...(JSON.parse(stdout) as { begun: string[]; listeners: string[] }), err: stderr }
}

beforeAll(() => {
  if (existsSync(join(dist, 'index.js'))) return
  execFileSync(process.execPath, [join(project, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'], {
    cwd: project,
  })
}, 120_000)

it('starts nothing when it is imported: no timer, file, socket, thread or listener', async () => {
  const nothing = await importing([])
  expect(await importing([join(dist, 'index.js')])).toEqual(nothing)
  // Every module of it but the command itself.
  const modules = readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js') && name !== 'main.js' && !/^(?:chunks|web)\b/.test(name))
    .map((name) => join(dist, name))
  expect(modules.length).toBeGreaterThan(100)
  expect(await importing(modules)).toEqual(nothing)
  expect(nothing).toMatchObject({ begun: [], err: '' })
})

it('notices what is begun', async () => {
  const timer = 'data:text/javascript,setInterval(() => {}, 10).unref(); process.on("exit", () => {})'
  const { begun, listeners } = await importing([timer])
  expect([begun, listeners.at(-1)]).toEqual([['Timeout'], 'exit'])
})
