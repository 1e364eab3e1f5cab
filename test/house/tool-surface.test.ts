import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import type { RunStage } from '../../src/domain/agent.ts'
import type { TaskEffect } from '../../src/domain/task.ts'
import type { Tool } from '../../src/domain/tool.ts'
import { allowWrite } from '../../src/house/ask-to-write.ts'
import { type SurfaceOf, toolsFor, weigh, weighCall } from '../../src/house/tool-surface.ts'
import { builtinTools } from '../../src/skills/tools.ts'
import { HandClock } from '../support/clock.ts'

const root = mkdtempSync(join(tmpdir(), 'undermind-surface-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const plain = (name: string, effect?: Tool['effect']): Tool => ({
  name,
  description: name,
  ...(effect && { effect }),
  repeatable: false,
  parse: (args) => args,
  target: ({ to }) => String(to),
  run: async () => '',
})

const tools = builtinTools({ root, notify: () => {}, commands: ['git log **'], clock: new HandClock(), env: {} })
for (const tool of [plain('send', 'external'), plain('unsaid'), plain(allowWrite, 'write')]) tools.set(tool.name, tool)

const surface = (stage: RunStage, effects: TaskEffect[] = [], rest: Partial<SurfaceOf> = {}): SurfaceOf => ({
  stage,
  tainted: true,
  task: { intent: effects.length > 0 ? 'write' : 'read', effects },
  tools,
  ...rest,
})

const decisions: TaskEffect = { tool: 'write_file', target: 'DECISIONS.md' }
const write = (path: string, content = 'x') => ({ tool: 'write_file', arguments: { path, content } })
const standing = (call: ReturnType<typeof write>, of: SurfaceOf) => weighCall(call, of).standing
const asText = ({ tool, arguments: args }: { tool: string; arguments: object }) => ({
  id: 'c1',
  tool,
  arguments: JSON.stringify(args),
})

describe('a call of a tool', () => {
  it('runs where it only reads, in every stage', () => {
    for (const stage of ['analyse', 'tools', 'plan'] as const)
      expect(weigh(asText({ tool: 'read_file', arguments: { path: 'a.md' } }), surface(stage))).toMatchObject({
        standing: 'run',
        effect: false,
      })
  })

  it('that changes something is put to the user in an analysis, even for a task whose words ask for it', () => {
    expect(standing(write('DECISIONS.md'), surface('analyse', [decisions], { tainted: false }))).toBe('propose')
  })

  it('runs for the tool and target that the words name, and for no other of either', () => {
    const named = surface('tools', [decisions])
    expect(standing(write('DECISIONS.md'), named)).toBe('run')
    expect(standing(write('./DECISIONS.md'), named)).toBe('run')
    expect(standing(write('notes/DECISIONS.md'), named)).toBe('propose')
    expect(standing(write('decisions.md'), named)).toBe('propose')
    expect(standing({ tool: 'append_file', arguments: { path: 'DECISIONS.md', text: 'x' } } as never, named)).toBe(
      'propose',
    )
  })

  it('is not made for a task that may not write, whatever effects are kept with it', () => {
    expect(
      standing(write('DECISIONS.md'), surface('tools', [], { task: { intent: 'read', effects: [decisions] } })),
    ).toBe('propose')
  })

  it('of a tool that does not say what it does counts as one that others can see', () => {
    const call = { tool: 'unsaid', arguments: { to: 'all' } } as never
    expect(standing(call, surface('tools'))).toBe('propose')
    expect(standing(call, surface('plan'))).toBe('propose')
    expect(standing(call, surface('plan', [], { tainted: false }))).toBe('run')
  })

  it('of an approved plan may change the workspace, and what others see only while nothing came from outside', () => {
    const send = { tool: 'send', arguments: { to: 'team' } } as never
    expect(standing(write('a.md'), surface('plan'))).toBe('run')
    expect(standing(send, surface('plan'))).toBe('propose')
    expect(standing(send, surface('plan', [], { tainted: false }))).toBe('run')
    expect(standing(send, surface('plan', [{ tool: 'send', target: 'team' }]))).toBe('run')
  })

  it('that would let a task write is refused, as if there were no such tool', () => {
    for (const stage of ['analyse', 'tools', 'plan'] as const) {
      const allowing = surface(stage, [{ tool: allowWrite, target: 'x' }], { tainted: false })
      expect(weigh(asText({ tool: allowWrite, arguments: { to: 'x' } }), allowing)).toEqual({
        standing: 'refuse',
        why: `There is no tool ${allowWrite}.`,
      })
      expect(toolsFor(allowing).map(({ name }) => name)).not.toContain(allowWrite)
    }
  })

  it('has its arguments read as they are, packed once more, or left out, and never guessed at', () => {
    const ask = (text: string) => weigh({ id: 'c', tool: 'list_files', arguments: text }, surface('tools')).standing
    expect([ask('{}'), ask(''), ask(' \n'), ask(JSON.stringify('{}'))]).toEqual(['run', 'run', 'run', 'run'])
    for (const text of ['[]', 'null', '"x"', '1', '{', '{}{}', JSON.stringify(JSON.stringify('{}')), '"{'])
      expect(ask(text), text).toBe('refuse')
  })

  it('is refused with what is wrong with it', () => {
    const why = (path: string) => weighCall(write(path), surface('tools', [decisions]))
    expect(why('../x.md')).toMatchObject({ standing: 'refuse', why: expect.stringMatching(/\w/) })
    for (const path of ['.env', '.undermind/state.db', 'undermind.toml', '.git/config', 'HEARTBEAT.md', '/etc/passwd'])
      expect(why(path).standing, path).toBe('refuse')
  })
})

describe('the tools that a model is shown', () => {
  it.each(['analyse', 'tools', 'plan'] as const)('say which of them only propose, in the stage %s', (stage) => {
    const shown = toolsFor(surface(stage, [decisions]))
    const proposing = shown.filter(({ description }) => description.includes('only proposes')).map(({ name }) => name)
    const others = ['append_file', 'run_command', 'git_commit']
    expect(new Set(proposing)).toEqual(
      new Set(
        {
          analyse: ['write_file', ...others, 'send', 'unsaid'],
          tools: [...others, 'send', 'unsaid'],
          plan: ['send', 'unsaid'],
        }[stage],
      ),
    )
    expect(shown.some(({ name }) => name === 'notify')).toBe(stage !== 'analyse')
    for (const { parameters } of shown) expect(parameters).toMatchObject({ type: 'object' })
  })
})

/** Ways in which a name, or a call inside something else, is written by models that go astray. */
const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...tools.keys()) },
  fc
    .constantFrom(...tools.keys())
    .chain((known) =>
      fc.constantFrom(
        known.toUpperCase(),
        ` ${known}`,
        `${known}\u200b`,
        `functions.${known}`,
        known.replace('_', '-'),
        [...known].map((letter) => String.fromCodePoint(letter.codePointAt(0)! + 0xfee0)).join(''),
      ),
    ),
  fc.constantFrom('__proto__', 'constructor', 'toString', '', 'multi_tool_use.parallel'),
  fc.string(),
)
const path = fc.oneof(
  fc.constantFrom(
    'DECISIONS.md',
    './DECISIONS.md',
    'decisions.md',
    'DECISIONS.md ',
    'a/../DECISIONS.md',
    'notes/DECISIONS.md',
    'ＤECISIONS.md',
  ),
  fc.constantFrom('DECISIONS.md\u0000', '.env', '../x', '/etc/passwd', 'C:\\x', 'HEARTBEAT.md', 'b.md'),
  fc.string(),
)
const bare = fc.oneof(
  fc.record({ path, content: fc.string() }),
  fc.record({ path, text: fc.string() }),
  fc.record({ command: fc.array(fc.oneof(fc.constantFrom('git', 'log', 'sh', '-c', 'rm'), fc.string())) }),
  fc.record({ message: fc.string(), paths: fc.array(path) }),
  fc.record({ to: fc.constantFrom('team', 'all', '*') }),
  fc.record({ title: fc.string() }),
  fc.constant({}),
)
const given = fc.oneof(
  { weight: 4, arbitrary: bare },
  bare.map((args) => ({ arguments: args })),
  bare.map((args) => ({ tool: 'write_file', arguments: JSON.stringify(args), name: 'write_file', parameters: args })),
  bare.map((args) => ({ tool_uses: [{ recipient_name: 'functions.write_file', parameters: args }] })),
  bare.map((args) => [args]),
  fc.tuple(bare, bare).map(([a, b]) => ({ ...a, ...b })),
  fc.jsonValue(),
)
const text = fc.oneof(
  { weight: 4, arbitrary: given.map((value) => JSON.stringify(value)) },
  given.map((value) => JSON.stringify(JSON.stringify(value))),
  given.map((value) => JSON.stringify(JSON.stringify(JSON.stringify(value)))),
  given.map((value) => JSON.stringify(value).replace(/[a-z]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`)),
  given.map((value) => `\`\`\`json\n${JSON.stringify(value)}\n\`\`\``),
  fc.tuple(given, given).map(([a, b]) => `${JSON.stringify(a)}${JSON.stringify(b)}`),
  fc.tuple(path, path).map(([a, b]) => `{"path":${JSON.stringify(a)},"content":"x","path":${JSON.stringify(b)}}`),
  given.map((value) => `{"__proto__":${JSON.stringify(value)},"path":"DECISIONS.md","content":"x"}`),
  fc.string(),
)
const effects = fc.subarray<TaskEffect>([
  decisions,
  { tool: 'append_file', target: 'b.md' },
  { tool: 'send', target: 'team' },
  { tool: 'run_command', target: 'git log' },
  { tool: 'git_commit', target: 'git commit' },
  { tool: allowWrite, target: 'team' },
])
const anySurface = fc.record({
  stage: fc.constantFrom<RunStage>('analyse', 'tools', 'plan'),
  tainted: fc.boolean(),
  task: fc.record({ intent: fc.constantFrom('read' as const, 'write' as const), effects }),
  tools: fc.constant(tools),
})

describe('whatever a model writes, and however it writes it,', () => {
  it('runs with an effect only where that tool and that target stand in the words of a task that may write', () => {
    let ran = 0
    fc.assert(
      fc.property(name, text, anySurface, (tool, args, of) => {
        const weighed = weigh({ id: 'c', tool, arguments: args }, of)
        if (weighed.standing !== 'run') return
        const known = tools.get(weighed.call.tool)!
        expect(weighed.call.tool).toBe(tool)
        expect(weighed.effect).toBe(known.effect !== 'read')
        // What is carried out is weighed once more, from the row that is kept of it.
        expect(weighCall(JSON.parse(JSON.stringify(weighed.call)), of)).toEqual(weighed)
        if (!weighed.effect) return
        ran++
        expect(of.stage).not.toBe('analyse')
        expect(tool).not.toBe(allowWrite)
        const target = known.target(weighed.call.arguments)
        const isNamed =
          of.task.intent === 'write' && of.task.effects.some((one) => one.tool === tool && one.target === target)
        const isPlanned = of.stage === 'plan' && (known.effect === 'write' || !of.tainted)
        expect(isNamed || isPlanned || known.effect === 'notify').toBe(true)
      }),
      { numRuns: 8000 },
    )
    expect(ran).toBeGreaterThan(50)
  })

  it('is read as something, without an exception, in little time', () => {
    fc.assert(
      fc.property(fc.string(), fc.oneof(fc.string({ maxLength: 500 }), fc.json()), anySurface, (tool, args, of) => {
        expect(['run', 'propose', 'refuse']).toContain(weigh({ id: 'c', tool, arguments: args }, of).standing)
      }),
      { numRuns: 1000 },
    )
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    expect(weigh({ id: 'c', tool: 'write_file', arguments: deep }, surface('tools')).standing).toBe('refuse')
    const nested = `{"path":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)},"content":"x"}`
    expect(weigh({ id: 'c', tool: 'write_file', arguments: nested }, surface('tools')).standing).toBe('refuse')
  })
})
