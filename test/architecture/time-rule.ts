import { isReference } from './reference.ts'
import type { SourceRule } from './source-rules.ts'
import { child, children, keyOf, nameOf, nodesOf, type Place, type Syntax, stringOf } from './tree.ts'

/** Where the time of day and timers come from; the client and the page run where nothing of the house is. */
const clocks = ['house/system-clock.ts', 'rpc/client/wait.ts', 'web/browser-clock.ts']

const timers = ['setTimeout', 'setInterval']

/**
 * Time and chance arrive through ports, so that a test can turn the clock and repeat what happened. `Date` may convert a
 * time that it is handed; `setImmediate` gives others their turn and is no clock.
 */
export const clockAndChance: SourceRule = {
  appliesTo: (path) => !clocks.includes(path),
  *check(file) {
    for (const [node, place] of nodesOf(file.syntax)) {
      const says = sentence(node, place)
      if (says !== undefined) yield { offset: node.start, says }
    }
  },
}

const sentence = (node: Syntax, place: Place): string | undefined => {
  if (node.type === 'ImportDeclaration') return timersImport(node)
  if (node.type === 'MemberExpression') return memberUse(node, place)
  const name = nameOf(node)
  if (name === undefined || !isReference(place)) return undefined
  if (timers.includes(name)) return `uses ${name}`
  return name === 'Date' || name === 'Math' ? valueUse(name, place) : undefined
}

const timersImport = (node: Syntax): string | undefined => {
  const source = stringOf(child(node, 'source')) ?? ''
  if (!/^(node:)?timers(\/promises)?$/.test(source)) return undefined
  const taken = children(node, 'specifiers').map((specifier) => nameOf(child(specifier, 'imported')))
  return taken.every((name) => name === 'setImmediate') ? undefined : `imports a timer from ${source}`
}

const memberUse = (node: Syntax, place: Place): string | undefined => {
  const object = child(node, 'object')
  const property = keyOf(node, 'property')
  const isGlobal = nameOf(object) === 'globalThis' || nameOf(object) === 'global'
  if (isGlobal && timers.includes(property ?? '')) return `uses ${property}`
  if (isGlobal && (property === 'Date' || property === 'Math')) return valueUse(property, place)
  const owner = nameOf(object) ?? keyOf(object, 'property')
  if (owner === 'Date' && (property === 'now' || property === undefined)) return 'reads the clock through Date.now'
  if (owner === 'Math' && (property === 'random' || property === undefined)) return 'uses Math.random'
  return owner === 'AbortSignal' && property === 'timeout' ? 'starts a timer through AbortSignal.timeout' : undefined
}

/** `Date` and `Math` as such can tell the time and chance to whoever holds them; what their members do is seen above. */
const valueUse = (name: string, { parents, key }: Place): string | undefined => {
  const parent = parents.at(-1)
  if (parent?.type === 'MemberExpression' && key === 'object') return undefined
  if (name === 'Date' && parent?.type === 'BinaryExpression' && parent.operator === 'instanceof') return undefined
  if (name === 'Date' && parent?.type === 'NewExpression' && key === 'callee') {
    const [first] = children(parent, 'arguments')
    return first !== undefined && first.type !== 'SpreadElement' ? undefined : 'reads the clock through new Date()'
  }
  return `takes ${name} for a value`
}
