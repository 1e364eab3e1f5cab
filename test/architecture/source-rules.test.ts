import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { rules, ruleViolations } from './source-rules.ts'
import { readTree } from './tree.ts'

const violations = (path: string, text: string): string[] => ruleViolations(new Map([[path, text]]))

/** What a chart of this shape is told. */
const inChart = (config: string, before = ''): string[] =>
  violations('machines/tick.ts', `${before}\nexport const tick = setup({}).createMachine({ id: 'tick', ${config} })`)

describe('the text of src', () => {
  it('keeps every rule', () => {
    expect(ruleViolations(readTree(join(import.meta.dirname, '../../src')))).toEqual([])
  })
})

describe('the rules for source text', () => {
  it('name the file and the line', () => {
    expect(violations('store/a.ts', 'const a = 1\nconst b = Date.now()\n')).toEqual([
      'store/a.ts:2 reads the clock through Date.now',
    ])
  })

  it('do not take a file that cannot be read for a good one', () => {
    expect(violations('store/a.ts', 'const =')).not.toEqual([])
    expect(rules.length).toBeGreaterThan(4)
  })

  describe('on time and chance', () => {
    it.each([
      'Date.now()',
      "Date['now']()",
      'const now = Date.now',
      'globalThis.Date.now()',
      'const { now } = Date',
      'const Day = Date',
      'use(Date)',
      'const clocks = { Date }',
      'const day = globalThis.Date',
      '(Date as Clock).now()',
      'new Date()',
      'new globalThis.Date()',
      'new Date(...times)',
      'Date()',
      'Date[name]()',
      'Math.random()',
      "Math['random']()",
      'const { random } = Math',
      'setTimeout(f, 1)',
      'setInterval(f, 1)',
      'globalThis.setTimeout(f, 1)',
      'const wait = setTimeout',
      "import { setTimeout } from 'node:timers/promises'",
      "import { setTimeout as sleep } from 'node:timers/promises'",
      "import { scheduler } from 'node:timers/promises'",
      "import timers from 'timers'",
      "import * as timers from 'node:timers'",
      'AbortSignal.timeout(1000)',
      'const f = () => { if (x) { return [Date.now()] } }',
    ])('refuse %s', (text) => {
      expect(violations('store/a.ts', text)).not.toEqual([])
    })

    it.each([
      'new Date(at)',
      'new Date(2026, 1, 1)',
      'Date.parse(text)',
      'Date.UTC(2026, 1)',
      'x instanceof Date',
      'const f = (d: Date): Date => d',
      'Math.max(1, 2)',
      'const { Date: day } = words',
      'globalThis.Date.parse(text)',
      'setImmediate(f)',
      "import { setImmediate as nextTurn } from 'node:timers/promises'",
      'clearTimeout(timer)',
      '// Date.now() and Math.random() and setTimeout\nconst text = "Date.now()"',
      'clock.now()',
      'createActor(chart, { clock: { setTimeout: () => 0 } })',
      'type Clock = { setTimeout(f: () => void): number }',
    ])('allow %s', (text) => {
      expect(violations('store/a.ts', text)).toEqual([])
    })

    it('let the system clock, and no other file of that name, be a clock', () => {
      const clock = 'export const now = () => Date.now()\nsetTimeout(now, 1)'
      expect(violations('house/system-clock.ts', clock)).toEqual([])
      expect(violations('store/system-clock.ts', clock)).toHaveLength(2)
    })
  })

  describe('on power that needs no import', () => {
    it.each([
      'process.env.HOME',
      'await fetch(url)',
      'new WebSocket(url)',
      'globalThis.anything',
      'require(name)',
      'console.log(1)',
      'new Function("x")',
      'const powers = { process }',
      'const { env } = process',
      'performance.now()',
    ])('refuse %s to rooms that must be without', (text) => {
      for (const room of ['domain', 'machines', 'profiles', 'diagrams'])
        expect(violations(`${room}/a.ts`, text)).toEqual([expect.stringContaining('from its surroundings')])
      expect(violations('skills/a.ts', text)).toEqual([])
    })

    it.each([
      'row.process',
      'const a = { process: 1 }',
      'type A = { fetch(): void }',
      'interface B { process: string }',
    ])('do not mind the word in %s', (text) => {
      expect(violations('profiles/a.ts', text)).toEqual([])
    })
  })

  describe('on charts', () => {
    it.each([
      ['a promise', `import { fromPromise } from 'xstate'`],
      ['a promise by another name', `import { fromPromise as work } from 'xstate'`],
      ['a callback', `import { fromCallback } from 'xstate'`],
      ['an observable', 'const a = xstate.fromObservable(f)'],
      ['a spawned child', `import { spawnChild } from 'xstate'`],
      ['spawning in an assign', 'const a = assign(({ spawn }) => ({ ref: spawn(x) }))'],
    ])('refuse %s', (_, text) => {
      expect(violations('machines/tick.ts', text)).not.toEqual([])
      expect(violations('actors/tick.ts', text)).toEqual([])
    })

    it.each([
      ['a wildcard', `on: { '*': 'a' }`],
      ['a computed wildcard', `on: { ['*']: 'a' }`],
      ['a wildcard below a word', `on: { 'xstate.done.actor.*': 'a' }`],
      ['an event type made of parts', `on: { [\`xstate.done.actor.\${id}\`]: "a" }`],
      ['an event type put together', 'on: { ["done." + id]: "a" }'],
      ['an event sent under a made-up type', `entry: { type: \`done.\${id}\` }`],
      ['an event sent under a type put together', 'entry: { type: "done." + id }'],
      ['a made-up type behind a cast', `entry: { type: \`done.\${id}\` as "done" }`],
    ])('refuse %s', (_, config) => {
      expect(inChart(config)).toEqual([expect.stringContaining('closed set')])
    })

    it('refuse an open set of event types', () => {
      expect(violations('machines/tick.ts', `export type TickEvent = { type: \`tick.\${string}\` }`)).toHaveLength(1)
      expect(violations('machines/tick.ts', `export interface TickEvent { type: \`tick.\${string}\` }`)).toHaveLength(1)
      expect(violations('machines/tick.ts', `export type TickEvent = { type: 'tick' }`)).toEqual([])
    })

    it.each([
      ['a function as entry', 'entry: () => {}'],
      ['a function as exit', 'exit: function leave() {}'],
      ['a function among actions', `on: { go: { actions: ['tell', () => {}] } }`],
      ['a function held in a constant', 'entry: hello', 'const hello = () => {}'],
      ['a function in a list held in a constant', 'entry: [...both]', `const both = ['tell', () => {}]`],
      ['an action from elsewhere', 'entry: hello', `import { hello } from './hello.ts'`],
      ['an event raised in place', `entry: raise({ type: 'go' })`],
      ['news told in place', `on: { go: { actions: emit({ type: 'went' }) } }`],
      ['a message sent in place', `after: { 10: { actions: [sendTo('a', { type: 'go' })] } }`],
      ['actions queued in place', 'entry: enqueueActions(({ enqueue }) => enqueue("tell"))'],
      ['a choice of actions', `entry: x ? 'a' : 'b'`],
    ])('refuse %s', (_, config, before = '') => {
      expect(inChart(config, before)).toContainEqual(expect.stringContaining('action without a name'))
    })

    it.each([
      ['raised', `raise({ type: 'go' })`],
      ['sent to another', `sendTo('other', { type: 'go' })`],
      ['sent to the parent', `sendParent({ type: 'go' })`],
      ['handed on', `forwardTo('other')`],
      ['told to listeners', `emit({ type: 'went' })`],
      ['queued', `enqueueActions(({ enqueue }) => enqueue.raise({ type: 'go' }))`],
      ['raised through the library', `xstate.raise({ type: 'go' })`],
      ['raised through the library, by a string', `xstate['raise']({ type: 'go' })`],
      ['sent to itself', `({ self }) => self.send({ type: 'go' })`],
      ['sent to itself, by a string', `({ self }) => self['send']({ type: 'go' })`],
      ['sent to another in the system', `({ system }) => system.get('other').send({ type: 'go' })`],
      ['sent to the parent itself', `({ self }) => { const { send } = self._parent; send({ type: 'go' }) }`],
    ])('refuse an event that is %s, also in an action that has a name', (_, action) => {
      const named = `export const tick = setup({ actions: { tell: ${action} } }).createMachine({ id: 'tick', entry: 'tell' })`
      const told = expect.stringContaining('messages go through the host')
      expect(violations('machines/tick.ts', named)).toContainEqual(told)
      const seat = `import { tick } from '../machines/tick.ts'\nexport const seat = tick.provide({ actions: { tell: ${action} } })`
      expect(violations('actors/tick.ts', seat)).toContainEqual(told)
    })

    it.each([`import { raise } from 'xstate'`, `import { sendTo as tell } from 'xstate'`])('refuse %s', (text) => {
      const told = expect.stringContaining('messages go through the host')
      expect(violations('machines/tick.ts', text)).toContainEqual(told)
    })

    it('let the host itself send', () => {
      expect(violations('actors/stage.ts', `ref.send({ type: 'go' })`)).toEqual([])
    })

    it.each([
      ['a function', 'always: { guard: () => true }'],
      ['a function inside a combination', `always: { guard: and(['isDue', not(() => true)]) }`],
      ['a function held in a constant', 'always: { guard: isDue }', 'const isDue = () => true'],
    ])('refuse %s as a guard', (_, config, before = '') => {
      expect(inChart(config, before)).toEqual([expect.stringContaining('guard without a name')])
    })

    it.each([
      ['logic in place', 'invoke: { src: createMachine({}) }'],
      ['logic in place among others', `invoke: [{ src: 'judge' }, { src: logic }]`],
    ])('refuse to invoke %s', (_, config) => {
      expect(inChart(config)).toEqual([expect.stringContaining('invokes what has no name')])
    })

    it('allow names, parameters computed from the event, assigns, and the table where names are given', () => {
      const chart = `
        import { and, assign, not, setup } from 'xstate'
        const settle = [{ type: 'tell', params: ({ context }) => context }, 'note'] as const
        export const tick = setup({
          actions: { tell: (_, params) => {}, note: assign({ n: 1 }) },
          guards: { isDue: () => true },
          actors: { judge: chair() },
        }).createMachine({
          id: 'tick',
          entry: 'tell',
          invoke: [{ src: 'judge', input: ({ context }) => context, onDone: { actions: [assign({ n: 2 }), 'tell'] } }],
          on: { go: { guard: { type: 'isDue', params: ({ event }) => event }, actions: settle } },
          after: { 1000: { guard: and(['isDue', not('isDue')]), actions: [...settle, { type: 'note' }] } },
        })`
      expect(violations('machines/tick.ts', chart)).toEqual([])
    })
  })

  describe('on types', () => {
    it.each([
      'const a: any = 1',
      'const a = b as any',
      'const f = (a: any[]) => a',
      'type A = Record<string, any>',
      'const a = b as unknown as string',
      'const a = (b as unknown) as string',
      '// @ts-ignore\nconst a = 1',
      '// @ts-nocheck',
      '/* @ts-ignore */ const a = 1',
      '// @ts-expect-error because\nconst a = 1',
    ])('refuse %s', (text) => {
      expect(violations('store/a.ts', text)).toHaveLength(1)
    })

    it.each([
      'const any = 1',
      'const a = b as unknown',
      'const a = b as string',
      '// the word any, and as unknown as that',
      '// see @ts-ignore in the handbook',
    ])('allow %s', (text) => {
      expect(violations('store/a.ts', text)).toEqual([])
    })
  })

  it('refuse a file of more than 300 lines', () => {
    expect(violations('store/a.ts', '// line\n'.repeat(300))).toEqual([])
    expect(violations('store/a.ts', '// line\n'.repeat(301))).toEqual([
      'store/a.ts:1 has 301 lines; 300 is the most a file may have',
    ])
  })
})
