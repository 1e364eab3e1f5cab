#!/usr/bin/env node
// Draws every chart of the built package into diagrams/: `node scripts/diagrams.mjs` writes, `--check` only compares and
// exits 1 naming what is stale.
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const built = new URL('../dist/', import.meta.url)
const folder = new URL('../diagrams/', import.meta.url)

const load = async (path) => {
  try {
    return await import(new URL(path, built).href)
  } catch (error) {
    console.error(`Cannot load dist/${path}: ${error.message}. Build first: npm run build`)
    process.exit(1)
  }
}

const draw = async () => {
  const { charts } = await load('machines/index.js')
  const { chartOf } = await load('diagrams/chart.js')
  const { toMermaid } = await load('diagrams/mermaid.js')
  const { toSvg } = await load('diagrams/svg.js')
  const { default: Elk } = await import('elkjs/lib/elk.bundled.js')
  const elk = new Elk()
  const pictures = new Map()
  for (const [name, machine] of Object.entries(charts)) {
    const chart = chartOf(machine)
    pictures.set(`${name}.mmd`, toMermaid(chart))
    pictures.set(`${name}.svg`, await toSvg(chart, (graph) => elk.layout(graph)))
  }
  return pictures
}

/** Pictures that lie there, by file name. A checkout may have changed their line ends. */
const drawn = async () => {
  if (!existsSync(folder)) return new Map()
  const names = (await readdir(folder)).filter((name) => /\.(mmd|svg)$/.test(name)).sort()
  const read = async (name) => (await readFile(new URL(name, folder), 'utf8')).replaceAll('\r\n', '\n')
  return new Map(await Promise.all(names.map(async (name) => [name, await read(name)])))
}

const differences = (wanted, found) => [
  ...[...wanted].filter(([name, text]) => found.get(name) !== text).map(([name]) => name),
  ...[...found.keys()].filter((name) => !wanted.has(name)),
]

const wanted = await draw()
const stale = differences(wanted, await drawn())

if (values.check) {
  for (const name of stale) console.error(`diagrams/${name} is stale`)
  if (stale.length > 0) console.error('Draw again: npm run diagrams')
  process.exitCode = stale.length > 0 ? 1 : 0
} else {
  await mkdir(folder, { recursive: true })
  for (const name of stale) {
    const text = wanted.get(name)
    await (text === undefined ? rm(new URL(name, folder)) : writeFile(new URL(name, folder), text))
    console.log(text === undefined ? `removed diagrams/${name}` : `drew diagrams/${name}`)
  }
}
