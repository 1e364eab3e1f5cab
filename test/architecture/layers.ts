import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import { type Import, importsOf } from './imports.ts'
import { lineAt, parseTree, type SourceFile, type Tree } from './tree.ts'

/** What a room may use. A room always may use itself. */
export interface Room {
  rooms: readonly string[] | 'any'
  packages: readonly string[] | 'any'
  builtins: readonly string[] | 'any'
  /** Set where it matters what is reached through others: then nothing else may be, at any depth, and no built-in. */
  reaches?: { rooms: readonly string[]; packages: readonly string[] }
  /** Set where the packages it uses are built into what users get, and so need not come along. */
  isBundled?: boolean
}

/** Rooms by folder below src; a file directly in src is a room of its own. */
export type Layers = Readonly<Record<string, Room>>

const assembly: Room = { rooms: 'any', packages: 'any', builtins: 'any' }

const domainAnd = (...packages: string[]): Room => ({ rooms: ['domain'], packages, builtins: 'any' })

/** Who may import whom. */
export const layers: Layers = {
  domain: { rooms: [], packages: ['zod'], builtins: [], reaches: { rooms: ['domain'], packages: ['zod'] } },
  machines: {
    rooms: ['domain'],
    packages: ['xstate'],
    builtins: [],
    reaches: { rooms: ['machines', 'domain'], packages: ['xstate', 'zod'] },
  },
  diagrams: {
    rooms: ['domain'],
    packages: ['xstate'],
    builtins: [],
    reaches: { rooms: ['diagrams', 'domain'], packages: ['xstate', 'zod'] },
  },
  profiles: {
    rooms: ['domain'],
    packages: [],
    builtins: [],
    reaches: { rooms: ['profiles', 'domain'], packages: ['zod'] },
  },
  actors: { rooms: ['domain', 'machines'], packages: ['xstate'], builtins: ['node:crypto'] },
  store: domainAnd('better-sqlite3', 'zod'),
  sources: domainAnd('ignore', 'mailparser', 'zod'),
  models: domainAnd('chrono-node', 'ollama', 'openai', 'zod'),
  judgement: domainAnd('zod'),
  skills: domainAnd('ignore', 'zod'),
  channels: domainAnd('zod'),
  settings: domainAnd('smol-toml', 'zod'),
  tasks: {
    rooms: ['domain'],
    packages: [
      'croner',
      'chrono-node',
      'mdast',
      'mdast-util-from-markdown',
      'mdast-util-gfm',
      'micromark-extension-gfm',
      'zod',
    ],
    builtins: ['node:crypto'],
  },
  memory: { rooms: ['domain'], packages: ['diff', 'ignore', 'zod'], builtins: ['node:buffer', 'node:crypto'] },
  rpc: domainAnd('hono', '@hono/node-server', 'ws', 'zod'),
  cli: { rooms: ['domain', 'rpc'], packages: ['@clack/prompts', 'commander', 'zod'], builtins: 'any' },
  web: {
    rooms: ['domain', 'rpc'],
    packages: [
      '@tanstack/react-query',
      '@tanstack/react-virtual',
      'lucide-react',
      'radix-ui',
      'react',
      'react-dom',
      'uplot',
      'zod',
    ],
    builtins: [],
    isBundled: true,
  },
  house: assembly,
  'runtime.ts': assembly,
  'index.ts': assembly,
  'main.ts': assembly,
}

type Target =
  | { kind: 'file'; path: string }
  | { kind: 'builtin'; name: string }
  | { kind: 'package'; name: string }
  | { kind: 'nowhere'; why: string }

interface Link {
  import: Import
  target: Target
}

export interface Layering {
  layers: Layers
  /** Packages that users get with ours. */
  dependencies: readonly string[]
}

/** Every import that the layers do not allow, a sentence each. */
export const layerViolations = (tree: Tree, layering: Layering): string[] => {
  const files = parseTree(tree)
  const links = new Map(files.map((file) => [file.path, linksOf(file, tree)]))
  return files.flatMap((file) => {
    const room = layering.layers[roomOf(file.path)]
    if (room === undefined) return [`${file.path} belongs to no room that has a row in the table`]
    return [
      ...file.problems.map((problem) => `${file.path} cannot be parsed: ${problem}`),
      ...(links.get(file.path) ?? []).flatMap((link) => direct(file, link, room, layering)),
      ...(room.reaches === undefined ? [] : distant(file.path, room.reaches, links)),
    ]
  })
}

/** How many imports lead from one file of the tree to another. */
export const countLinks = (tree: Tree): number =>
  parseTree(tree).flatMap((file) => linksOf(file, tree).filter(({ target }) => target.kind === 'file')).length

const roomOf = (path: string): string => path.split('/')[0] ?? path

const linksOf = (file: SourceFile, tree: Tree): Link[] =>
  importsOf(file).map((found) => ({ import: found, target: targetOf(file.path, found.specifier, tree) }))

const targetOf = (from: string, specifier: string | null, tree: Tree): Target => {
  if (specifier === null) return { kind: 'nowhere', why: 'a module whose name is computed' }
  if (isBuiltin(specifier)) return { kind: 'builtin', name: `node:${specifier.replace(/^node:/, '')}` }
  if (!specifier.startsWith('.')) {
    const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
    return /^[@a-z]/i.test(name) && !name.includes(':')
      ? { kind: 'package', name }
      : { kind: 'nowhere', why: specifier }
  }
  const path = posix.join(posix.dirname(from), specifier)
  const found = [path, path.replace(/\.([cm]?)js(x?)$/, '.$1ts$2')].find((candidate) => tree.has(candidate))
  if (found !== undefined) return { kind: 'file', path: found }
  return { kind: 'nowhere', why: `${specifier}, which is no source file in src` }
}

const allows = (list: readonly string[] | 'any', name: string): boolean => list === 'any' || list.includes(name)

const direct = (file: SourceFile, link: Link, room: Room, { dependencies }: Layering): string[] => {
  const { target } = link
  const name = roomOf(file.path)
  const where = `${file.path}:${lineAt(file, link.import.offset)} imports`
  switch (target.kind) {
    case 'file': {
      const other = roomOf(target.path)
      return other === name || allows(room.rooms, other)
        ? []
        : [`${where} ${target.path}, but ${name} may not use ${other}`]
    }
    case 'builtin':
      return allows(room.builtins, target.name) ? [] : [`${where} ${target.name}, but ${name} may not use it`]
    case 'package': {
      if (!allows(room.packages, target.name)) return [`${where} ${target.name}, but ${name} may not use it`]
      const isShipped = room.isBundled === true || link.import.isType || dependencies.includes(target.name)
      return isShipped ? [] : [`${where} ${target.name}, which is not among the dependencies`]
    }
    case 'nowhere':
      return [`${where} ${target.why}`]
    default:
      return target satisfies never
  }
}

/** Follows every way out of a file and tells of what it must not reach, with the way. */
const distant = (
  start: string,
  reaches: NonNullable<Room['reaches']>,
  links: ReadonlyMap<string, readonly Link[]>,
): string[] => {
  const found: string[] = []
  const seen = new Set([start])
  const ways = [[start]]
  for (let way = ways.shift(); way !== undefined; way = ways.shift()) {
    for (const { target } of links.get(way.at(-1) ?? start) ?? []) {
      const step = target.kind === 'file' ? target.path : target.kind === 'nowhere' ? target.why : target.name
      if (seen.has(step)) continue
      seen.add(step)
      const isAllowed =
        (target.kind === 'file' && reaches.rooms.includes(roomOf(step))) ||
        (target.kind === 'package' && reaches.packages.includes(step))
      if (!isAllowed) found.push(`${start} reaches what ${roomOf(start)} must not: ${[...way, step].join(' → ')}`)
      else if (target.kind === 'file') ways.push([...way, step])
    }
  }
  return found
}
