import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { id, type WorldId } from '../../src/domain/ids.ts'
import { defaultSettings, type Settings } from '../../src/domain/settings.ts'
import { cadenceOf, createInstance, enabledKinds, parseKind, worldKinds } from '../../src/profiles/index.ts'
import { importsOf } from '../architecture/imports.ts'
import { layers, layerViolations } from '../architecture/layers.ts'
import { parseTree, readTree } from '../architecture/tree.ts'

const project = join(import.meta.dirname, '../..')
const never = (): never => {
  throw new Error('A world that does not tick asks for no ports.')
}

const settings = (change: (settings: Settings) => void): Settings => {
  const given = structuredClone(defaultSettings())
  change(given)
  return given
}

describe('kinds of worlds', () => {
  it('say for people what they are', () => {
    expect(worldKinds.length).toBeGreaterThan(1)
    for (const kind of worldKinds) {
      const { id: self, title, description } = createInstance(kind, never)
      expect(self).toBe(kind)
      expect(title.length).toBeGreaterThan(5)
      expect(description).toMatch(/^[A-Z].{20,}\.$/)
    }
  })

  it('are enabled each by its own setting', () => {
    expect(enabledKinds(defaultSettings())).toEqual(['memory'])
    const both = settings(({ orchestration }) => {
      orchestration.enabled = true
    })
    expect(enabledKinds(both)).toEqual(['memory', 'tinyplace'])
    const noHeart = settings((given) => {
      given.orchestration.enabled = true
      given.heartbeat.enabled = false
    })
    expect(enabledKinds(noHeart)).toEqual(['tinyplace'])
    const off = settings(({ subconscious }) => {
      subconscious.mode = 'off'
    })
    expect(enabledKinds(off)).toEqual([])
  })

  it('are known by their names, also by those of old, and by no other', () => {
    expect(worldKinds.map(parseKind)).toEqual(worldKinds)
    expect(parseKind('tiny_place')).toBe('tinyplace')
    for (const name of ['', 'all', 'Memory', 'constructor', '__proto__', 'toString']) expect(parseKind(name)).toBeNull()
    expect(cadenceOf(id<WorldId>('constructor'), defaultSettings())).toBeNull()
  })

  it('are made in one place only', () => {
    const files = ['src', 'test', 'bench'].flatMap((room) =>
      parseTree(readTree(join(project, room))).map((file) => ({ file, path: `${room}/${file.path}` })),
    )
    const users = files.flatMap(({ file, path }) =>
      importsOf(file).some(
        ({ specifier, isType }) => !isType && /profiles\/(?:memory|tinyplace)\.ts$/.test(specifier ?? ''),
      )
        ? [path]
        : [],
    )
    expect(files.length).toBeGreaterThan(300)
    expect(users).toEqual([])
  })
})

describe('the tinyplace profile is without power:', () => {
  const tree = readTree(join(project, 'src'))
  const dependencies = Object.keys(
    (JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as { dependencies: object }).dependencies,
  )
  const powerless = [...tree].filter(([path]) => /^(?:profiles|domain)\//.test(path))
  const faults = (files: Iterable<[string, string]>) =>
    layerViolations(new Map(files), { layers, dependencies }).filter((text) =>
      text.startsWith('profiles/tinyplace.ts reaches'),
    )
  const planted = (files: Record<string, string>) => faults([...powerless, ...Object.entries(files)])
  const [profile, steering] = ['profiles/tinyplace.ts', 'profiles/steering.ts'].map((path) => tree.get(path)!)

  it('all that it reaches are words and its own reading', () => {
    expect(profile).toContain('./steering.ts')
    expect(faults(tree)).toEqual([])
  })

  it.each([
    ['a tool', 'skills/tools.ts'],
    ['a skill', 'skills/write-file.ts'],
    ['a sender of messages', 'house/sessions/session-book.ts'],
    ['an agent', 'house/agent-work.ts'],
    ['a model', 'models/openai/chat.ts'],
    ['the network', 'node:net'],
  ])('%s that is planted behind its reading is found', (_, path) => {
    const isBuiltin = path.startsWith('node:')
    const found = planted({
      ...(isBuiltin ? {} : { [path]: '' }),
      'profiles/steering.ts': `import type {} from '${isBuiltin ? path : `../${path}`}'\n${steering}`,
    })
    if (!isBuiltin) expect(tree.has(path)).toBe(true)
    expect(found.join('\n')).toContain('profiles/tinyplace.ts → profiles/steering.ts → ')
  })

  it('a channel that is planted deep in the words is found', () => {
    const found = planted({
      'channels/mail.ts': 'export type Mail = 1',
      'domain/world.ts': `${tree.get('domain/world.ts')!}\nexport type { Mail } from '../channels/mail.ts'`,
    })
    expect(found.join('\n')).toContain('channels/mail.ts')
  })
})
