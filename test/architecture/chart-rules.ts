import type { Find, SourceRule } from './source-rules.ts'
import { child, children, keyOf, nameOf, nodesOf, type SourceFile, type Syntax, stringOf } from './tree.ts'

const isChart = (path: string): boolean => path.startsWith('machines/')

/** Work is done in chairs that a host fills, and live actors hang under the host, not under a chart. */
const foreign: Record<string, string> = {
  fromPromise: 'work is a chair that the host seats',
  fromCallback: 'work is a chair that the host seats',
  fromObservable: 'work is a chair that the host seats',
  fromEventObservable: 'work is a chair that the host seats',
  spawnChild: 'every actor hangs under the host',
  spawn: 'every actor hangs under the host',
}

const noLiveLogic: SourceRule = {
  appliesTo: isChart,
  *check(file) {
    for (const [node] of nodesOf(file.syntax)) {
      const name = nameOf(node)
      if (name !== undefined && Object.hasOwn(foreign, name))
        yield { offset: node.start, says: `uses ${name}; ${foreign[name]}` }
    }
  },
}

/** What XState offers to send by itself. */
const senders = ['raise', 'sendTo', 'sendParent', 'forwardTo', 'emit', 'enqueueActions', 'send']

/**
 * A message is one step: the host finds it by comparing snapshots, and everything that is told goes through its unit of
 * work. So neither a chart nor the seat that fills it in sends anything past the host, named or not.
 */
const oneStep: SourceRule = {
  appliesTo: (path) => isChart(path) || path.startsWith('actors/'),
  *check(file) {
    if (!isChart(file.path) && !importsChart(file)) return
    for (const [node, { key, parents }] of nodesOf(file.syntax)) {
      const sender = sent(node, key, parents.at(-1))
      if (sender !== undefined && senders.includes(sender))
        yield { offset: node.start, says: `uses ${sender}; messages go through the host` }
    }
  },
}

const importsChart = (file: SourceFile): boolean =>
  children(file.syntax, 'body').some((node) => stringOf(child(node, 'source'))?.includes('/machines/'))

/** The name of what may send: an identifier of any kind, or a member that is named by a string. */
const sent = (node: Syntax, key: string, parent: Syntax | undefined): string | undefined =>
  nameOf(node) ?? (key === 'property' && parent?.computed === true ? stringOf(node) : undefined)

/** XState keeps every event type that it meets for ever, and a wildcard swallows failures. */
const closedEvents: SourceRule = {
  appliesTo: isChart,
  *check(file) {
    for (const [node] of nodesOf(file.syntax)) {
      const key = child(node, 'key')
      if (node.type === 'Property' && /^(\*|.*\.\*)$/.test(keyOf(node, 'key') ?? stringOf(key) ?? ''))
        yield { offset: node.start, says: 'listens to a wildcard; events are a closed set' }
      if (node.type === 'Property' && node.computed === true && isMadeUp(key))
        yield { offset: node.start, says: 'makes up an event type; events are a closed set' }
      if (keyOf(node, 'key') === 'type' && isMadeUp(child(node, 'value') ?? typeOf(node)))
        yield { offset: node.start, says: 'makes up an event type; events are a closed set' }
    }
  },
}

const typeOf = (node: Syntax): Syntax | undefined => {
  const type = child(child(node, 'typeAnnotation'), 'typeAnnotation')
  return type?.type === 'TSLiteralType' ? child(type, 'literal') : type
}

const isMadeUp = (node: Syntax | undefined): boolean =>
  node !== undefined &&
  (['TemplateLiteral', 'TSTemplateLiteralType', 'BinaryExpression'].includes(node.type) || isCast(node))

const isCast = (node: Syntax): boolean => node.type === 'TSAsExpression' && isMadeUp(child(node, 'expression'))

/** Every part has a name, so that the drawing reads without the code. */
const namedParts: SourceRule = {
  appliesTo: isChart,
  *check(file) {
    for (const [node, { parents }] of nodesOf(file.syntax)) {
      if (node.type !== 'Property') continue
      const value = child(node, 'value')
      const key = keyOf(node, 'key')
      if (key === 'actions' || key === 'entry' || key === 'exit') yield* unnamedActions(value, file)
      if (key === 'guard') yield* unnamedGuards(value, file)
      if (key === 'src' && isOfInvoke(parents) && stringOf(value) === undefined)
        yield { offset: node.start, says: 'invokes what has no name' }
    }
  },
}

const isOfInvoke = (parents: readonly Syntax[]): boolean => {
  const holder = parents.at(-2)
  return keyOf(holder?.type === 'ArrayExpression' ? parents.at(-3) : holder, 'key') === 'invoke'
}

const wrappers = ['TSAsExpression', 'TSSatisfiesExpression', 'ParenthesizedExpression', 'SpreadElement']

/** What an expression stands for, where this file says so. */
const meant = (node: Syntax | undefined, file: SourceFile): Syntax | undefined => {
  if (node !== undefined && wrappers.includes(node.type))
    return meant(child(node, 'expression') ?? child(node, 'argument'), file)
  const name = nameOf(node)
  if (name === undefined) return node
  const declarations = children(file.syntax, 'body')
    .map((statement) => child(statement, 'declaration') ?? statement)
    .flatMap((statement) => children(statement, 'declarations'))
  const value = child(
    declarations.find((each) => nameOf(child(each, 'id')) === name),
    'init',
  )
  return value === undefined ? node : meant(value, file)
}

function* unnamedActions(value: Syntax | undefined, file: SourceFile): Generator<Find> {
  const action = meant(value, file)
  if (action === undefined || value === undefined) return
  if (action.type === 'ArrayExpression') {
    for (const element of children(action, 'elements')) yield* unnamedActions(element, file)
    return
  }
  const callee = child(action, 'callee')
  const isAssign = nameOf(callee) === 'assign' || keyOf(callee, 'property') === 'assign'
  // An object without a type is the table of implementations that `setup` takes: there they get their names.
  if (action.type === 'ObjectExpression' || stringOf(action) !== undefined || isAssign) return
  yield { offset: value.start, says: 'has an action without a name; only assign(…) may stand in a chart' }
}

function* unnamedGuards(value: Syntax | undefined, file: SourceFile): Generator<Find> {
  const guard = meant(value, file)
  if (guard === undefined || value === undefined) return
  if (guard.type === 'ArrayExpression') {
    for (const element of children(guard, 'elements')) yield* unnamedGuards(element, file)
    return
  }
  if (['and', 'or', 'not'].includes(nameOf(child(guard, 'callee')) ?? '')) {
    for (const part of children(guard, 'arguments')) yield* unnamedGuards(part, file)
    return
  }
  const isState = nameOf(child(guard, 'callee')) === 'stateIn'
  if (guard.type === 'ObjectExpression' || stringOf(guard) !== undefined || isState) return
  yield { offset: value.start, says: 'has a guard without a name' }
}

export const chartRules: readonly SourceRule[] = [noLiveLogic, oneStep, closedEvents, namedParts]
