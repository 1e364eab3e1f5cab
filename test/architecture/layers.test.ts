import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { countLinks, type Layers, layers, layerViolations } from './layers.ts'
import { readTree } from './tree.ts'

const project = join(import.meta.dirname, '../..')
const source = join(project, 'src')
const { dependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>
}
const shipped = Object.keys(dependencies)

/** The source files below a folder, counted without the help of what reads the tree. */
const count = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true })
    .map((entry) => (entry.isDirectory() ? count(join(folder, entry.name)) : /\.tsx?$/.test(entry.name) ? 1 : 0))
    .reduce((sum: number, each) => sum + each, 0)

const violations = (files: Record<string, string>, table: Layers = layers): string[] =>
  layerViolations(new Map(Object.entries(files)), { layers: table, dependencies: shipped })

describe('the layers of src', () => {
  const tree = readTree(source)

  it('are kept by every import', () => {
    expect(layerViolations(tree, { layers, dependencies: shipped })).toEqual([])
  })

  it('were checked on the whole tree', () => {
    expect(tree.size).toBe(count(source))
    expect([...tree.keys()].filter((path) => path.startsWith('domain/')).length).toBeGreaterThan(5)
    expect(countLinks(tree)).toBeGreaterThan(tree.size)
  })
})

describe('the check of layers', () => {
  it('lets a room use itself, what its row names, and the words of the domain', () => {
    expect(
      violations({
        'domain/word.ts': `import { z } from 'zod'\nexport const word = z.string()`,
        'machines/chart.ts': `import { setup } from 'xstate'\nimport type { a } from '../domain/word.ts'`,
        'store/open.ts': `import Database from 'better-sqlite3'\nimport { join } from 'node:path'\nimport './tasks.ts'`,
        'store/tasks.ts': `export { word } from '../domain/word.ts'`,
        'runtime.ts': `import './store/open.ts'\nimport './machines/chart.ts'`,
        'house/task-book.ts': `import '../store/tasks.ts'`,
        'index.ts': `export * from './runtime.ts'`,
      }),
    ).toEqual([])
  })

  const elsewhere = { 'store/open.ts': 'export const open = 1\nexport type Open = number' }

  it.each([
    ['a plain import', `import { open } from '../store/open.ts'`],
    ['an import for its effect', `import '../store/open.ts'`],
    ['a type-only import', `import type { Open } from '../store/open.ts'`],
    ['an inline type import', `import { type Open } from '../store/open.ts'`],
    ['a namespace import', `import * as store from '../store/open.ts'`],
    ['a re-export', `export { open } from '../store/open.ts'`],
    ['a re-export of everything', `export * from '../store/open.ts'`],
    ['a type-only re-export', `export type { Open } from '../store/open.ts'`],
    ['a dynamic import', `export const f = async () => (await import('../store/open.ts')).open`],
    ['a dynamic import deep in an expression', 'export const f = { a: [() => import(`../store/open.ts`)] }'],
    ['a type taken from an import', `export type T = import('../store/open.ts').Open`],
    ['a type taken from a module as a whole', `export type T = typeof import('../store/open.ts')`],
    ['a require', `export const s = require('../store/open.ts')`],
    ['an import assignment', `import s = require('../store/open.ts')`],
    ['a worker', `export const w = new Worker(new URL('../store/open.js', import.meta.url))`],
  ])('sees %s', (_, text) => {
    const found = violations({ ...elsewhere, 'sources/folder.ts': `\n${text}` })
    expect(found).toHaveLength(1)
    expect(found[0]).toBe('sources/folder.ts:2 imports store/open.ts, but sources may not use store')
  })

  it.each([
    ['domain', 'machines'],
    ['domain', 'store'],
    ['machines', 'actors'],
    ['machines', 'store'],
    ['actors', 'store'],
    ['actors', 'models'],
    ['profiles', 'machines'],
    ['diagrams', 'machines'],
    ['sources', 'memory'],
    ['memory', 'sources'],
    ['models', 'skills'],
    ['skills', 'machines'],
    ['tasks', 'settings'],
    ['settings', 'tasks'],
    ['rpc', 'store'],
    ['cli', 'store'],
    ['cli', 'house'],
    ['store', 'runtime.ts'],
    ['rpc', 'index.ts'],
    ['store', 'house'],
  ])('keeps %s from using %s', (room, other) => {
    const target = other.endsWith('.ts') ? other : `${other}/b.ts`
    const found = violations({ [`${room}/a.ts`]: `import '../${target}'`, [target]: '' })
    expect(found).toContainEqual(`${room}/a.ts:1 imports ${target}, but ${room} may not use ${other}`)
  })

  it.each([
    ['domain', 'node:crypto'],
    ['domain', 'fs'],
    ['domain', 'xstate'],
    ['machines', 'node:fs'],
    ['machines', 'zod'],
    ['machines', 'better-sqlite3'],
    ['actors', 'node:fs'],
    ['actors', 'better-sqlite3'],
    ['profiles', 'node:net'],
    ['profiles', 'zod'],
    ['store', 'xstate'],
    ['sources', 'better-sqlite3'],
    ['rpc', 'commander'],
  ])('keeps %s from using %s', (room, name) => {
    const full = name === 'fs' ? 'node:fs' : name
    expect(violations({ [`${room}/a.ts`]: `import type { x } from '${name}'` })).toContainEqual(
      `${room}/a.ts:1 imports ${full}, but ${room} may not use it`,
    )
  })

  it('takes a path into a package for the package', () => {
    expect(violations({ 'models/a.ts': `import * as de from 'chrono-node/de'` })).toEqual([])
    expect(violations({ 'store/a.ts': `import { x } from '@clack/prompts/sub'` })).toHaveLength(1)
  })

  it('keeps everybody from packages that users do not get, except for types', () => {
    const found = violations({
      'runtime.ts': `import elk from 'elkjs'`,
      'house/a.ts': `import type { Root } from 'mdast'`,
    })
    expect(found).toEqual(['runtime.ts:1 imports elkjs, which is not among the dependencies'])
  })

  it('lets the page use packages that are built into it, and no others', () => {
    const found = violations({ 'web/a.tsx': `import { useState } from 'react'\nimport elk from 'elkjs'` })
    expect(found).toEqual(['web/a.tsx:2 imports elkjs, but web may not use it'])
  })

  it('keeps everybody from what lies outside src, is not there, or cannot be known', () => {
    const found = violations({
      'house/a.ts': `import '../../test/x.ts'\nimport './missing.ts'\nimport(name)\nimport 'data:text/javascript,1'\nimport '#x'`,
    })
    expect(found.map((each) => each.split(' imports ')[0])).toEqual([1, 2, 3, 4, 5].map((line) => `house/a.ts:${line}`))
  })

  it('asks for a row for every room', () => {
    expect(violations({ 'utils/a.ts': '', 'stray.ts': '' })).toEqual([
      'utils/a.ts belongs to no room that has a row in the table',
      'stray.ts belongs to no room that has a row in the table',
    ])
  })

  it('does not take a file that it cannot read for one without imports', () => {
    expect(violations({ 'house/a.ts': 'import { from' })).toContainEqual(
      expect.stringMatching(/^house\/a\.ts cannot be parsed/),
    )
  })

  describe('of what profiles reach', () => {
    it.each(['skills', 'channels', 'store', 'sources'])('finds %s at any depth, with the way', (room) => {
      const found = violations({
        'profiles/memory.ts': `import type { P } from '../domain/ports.ts'`,
        'domain/ports.ts': `export type { P } from './more.ts'`,
        'domain/more.ts': `export type { P } from '../${room}/all.ts'`,
        [`${room}/all.ts`]: 'export type P = 1',
      })
      expect(found).toContainEqual(
        `profiles/memory.ts reaches what profiles must not: profiles/memory.ts → domain/ports.ts → domain/more.ts → ${room}/all.ts`,
      )
    })

    it.each(['node:fs', 'node:net', 'node:http', 'node:child_process', 'node:timers', 'node:sqlite', 'better-sqlite3'])(
      'finds %s at any depth, through allowed rooms and rings of imports',
      (power) => {
        // A table that allows each step, so that only the whole way is wrong.
        const lenient: Layers = {
          ...layers,
          domain: { rooms: ['store'], packages: 'any', builtins: 'any' },
          profiles: { ...layers.profiles, rooms: ['domain'], packages: [], builtins: [] },
        }
        const found = violations(
          {
            'profiles/memory.ts': `import '../domain/a.ts'`,
            'domain/a.ts': `import './b.ts'`,
            'domain/b.ts': `import './a.ts'\nexport const load = () => import('${power}')`,
          },
          lenient,
        )
        expect(found).toContain(
          `profiles/memory.ts reaches what profiles must not: profiles/memory.ts → domain/a.ts → domain/b.ts → ${power}`,
        )
      },
    )

    it('finds nothing where there is nothing', () => {
      expect(
        violations({
          'profiles/memory.ts': `import '../domain/a.ts'\nimport './shared.ts'`,
          'profiles/shared.ts': '',
          'domain/a.ts': `import { z } from 'zod'`,
        }),
      ).toEqual([])
    })
  })
})
