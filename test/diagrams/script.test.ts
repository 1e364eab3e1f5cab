import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const project = join(import.meta.dirname, '../..')
const root = mkdtempSync(join(tmpdir(), 'undermind-diagrams-'))
const drawings = join(root, 'diagrams')

const run = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/diagrams.mjs', ...args], {
    cwd: root,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

const useCharts = (states: Record<string, string>) => {
  const charts = Object.entries(states).map(
    ([name, event]) =>
      `'${name}': createMachine({ id: '${name}', initial: 'a', states: { a: { on: { ${event}: 'b' } }, b: {} } })`,
  )
  mkdirSync(join(root, 'dist/machines'), { recursive: true })
  writeFileSync(
    join(root, 'dist/machines/index.js'),
    `import { createMachine } from 'xstate'\nexport const charts = { ${charts.join(', ')} }\n`,
  )
}

describe('the script that draws the charts', () => {
  beforeAll(() => {
    cpSync(join(project, 'scripts/diagrams.mjs'), join(root, 'scripts/diagrams.mjs'))
    symlinkSync(join(project, 'node_modules'), join(root, 'node_modules'))
    writeFileSync(join(root, 'package.json'), '{ "type": "module" }')
    writeFileSync(
      join(root, 'tsconfig.json'),
      JSON.stringify({
        extends: join(project, 'tsconfig.build.json'),
        compilerOptions: { rootDir: join(project, 'src'), outDir: 'dist', declaration: false, types: [] },
        include: [join(project, 'src/diagrams')],
      }),
    )
    execFileSync(join(project, 'node_modules/.bin/tsc'), ['-p', root])
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  it('says that there is nothing built when the charts are not there', () => {
    const { status, stderr } = run('--check')
    expect(status).toBe(1)
    expect(stderr).toContain('npm run build')
  })

  it('draws each chart twice and then finds nothing stale', () => {
    useCharts({ 'heart-beat': 'go', tick: 'go' })
    expect(run().status).toBe(0)
    expect(readdirSync(drawings)).toEqual(['heart-beat.mmd', 'heart-beat.svg', 'tick.mmd', 'tick.svg'])
    expect(readFileSync(join(drawings, 'tick.svg'), 'utf8')).toContain('data-id="tick.a"')
    expect(run('--check')).toEqual({ status: 0, stdout: '', stderr: '' })
  })

  it('names what is stale, what is missing and what nobody asks for any more, and changes nothing of it', () => {
    useCharts({ tick: 'leave', session: 'go' })
    const before = readdirSync(drawings)
    const { status, stderr } = run('--check')
    expect(status).toBe(1)
    for (const name of ['tick.mmd', 'tick.svg', 'session.mmd', 'session.svg', 'heart-beat.mmd', 'heart-beat.svg'])
      expect(stderr).toContain(`diagrams/${name} is stale`)
    expect(readdirSync(drawings)).toEqual(before)
  })

  it('draws anew only what is stale, removes what nobody asks for, and leaves other files be', () => {
    writeFileSync(join(drawings, 'README.md'), 'kept')
    const { status, stdout } = run()
    expect(status).toBe(0)
    expect(stdout.trim().split('\n')).toHaveLength(6)
    expect(readdirSync(drawings)).toEqual(['README.md', 'session.mmd', 'session.svg', 'tick.mmd', 'tick.svg'])
  })

  it('takes line ends that a checkout has changed for the same picture', () => {
    const path = join(drawings, 'tick.mmd')
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('\n', '\r\n'))
    expect(run('--check').status).toBe(0)
  })

  it('refuses an option that it does not know', () => {
    expect(run('--chekc').status).not.toBe(0)
  })
})
