import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type TreeActor, treeLines } from '../../src/cli/actor-tree.ts'
import { displayWidth } from '../../src/cli/width.ts'
import type { StepView } from '../../src/rpc/inspector.ts'
import { type Home, home, now } from './support/fake.ts'

const esc = String.fromCharCode(27)

const actor = (given: Partial<TreeActor>) => ({
  id: 'ev_1',
  kind: 'evaluation',
  parent: 'instance_memory',
  state: 'awaitingApproval',
  settled: false,
  version: 3,
  title: 'Check urgent mail',
  created_at: now,
  updated_at: now,
  ...given,
})

const heartbeat = actor({ id: 'heartbeat', kind: 'heartbeat', parent: null, state: 'beating', title: null })
const memory = actor({
  id: 'instance_memory',
  kind: 'instance',
  parent: 'heartbeat',
  state: 'resting',
  title: 'Memory',
})

const step: StepView = {
  seq: 7,
  actor: 'ev_1',
  kind: 'evaluation',
  version: 2,
  sender: null,
  event: 'verdict',
  data: null,
  from: 'inProgress.judging',
  to: 'acted',
  at: now,
}

const answers = (actors: ReturnType<typeof actor>[] = [heartbeat, memory, actor({})]) => ({
  'inspector.actors': ({ kind }: { kind?: string }) => ({
    actors: actors.filter((one) => one.kind === kind),
    next: null,
  }),
})

const rest = async (): Promise<void> => {
  for (let turn = 0; turn < 30; turn++) await setImmediate()
}

const inspect = async (it: Home, happen: () => void, ...argv: string[]): Promise<number> => {
  const ended = it.undermind('inspect', ...argv)
  await rest()
  happen()
  await rest()
  it.interrupt()
  return ended
}

describe('undermind inspect', () => {
  it('shows the tree on one screen, again after each step, and gives the terminal back with what was last', async () => {
    const actors = [heartbeat, memory, actor({})]
    const it = home(answers(actors))
    it.io.isTTY = true
    it.env.NO_COLOR = '1'
    const code = await inspect(it, () => {
      actors[2] = actor({ state: 'inProgress.carryingOut' })
      it.door.step(step, step, step)
    })
    expect(code).toBe(0)
    const [before = '', after = ''] = it.out().split(`${esc}[?1049l`)
    expect(before).toContain(`${esc}[?1049h`)
    expect(before).toContain('    evaluation awaitingApproval  Check urgent mail  ev_1')
    expect(before).toContain('    evaluation inProgress.carryingOut  Check urgent mail  ev_1')
    expect(after).toBe(
      [
        'heartbeat beating  heartbeat',
        '  instance resting  Memory  instance_memory',
        '    evaluation inProgress.carryingOut  Check urgent mail  ev_1',
        '',
      ].join('\n'),
    )
    // Several steps at once are one look.
    expect(it.door.calls.filter(({ params }) => params.kind === 'tick').length).toBeLessThanOrEqual(3)
  })

  it('says a line for each step where nobody watches, and an object with --json', async () => {
    const it = home(answers())
    await inspect(it, () => it.door.step(step), '--actor', 'ev_1')
    expect(it.out()).toBe('18:00 evaluation ev_1 inProgress.judging → acted verdict\n')
    expect(it.door.calls).toContainEqual({ method: 'watch', params: { actor: 'ev_1' } })
    await inspect(it, () => it.door.step(step), '--json')
    expect(JSON.parse(it.out())).toEqual(step)
  })

  it('shows how the actors stand where nothing runs, and says so', async () => {
    const it = home(answers())
    it.door.daemon = false
    expect(await it.undermind('inspect')).toBe(0)
    expect(it.out()).toContain('instance resting  Memory')
    expect(it.err()).toContain('Nothing runs here just now')
    expect(await it.undermind('inspect', '--json')).toBe(0)
    expect(JSON.parse(it.out())).toHaveLength(3)
    expect(await it.undermind('inspect', '--actor', 'ev_1')).toBe(3)
  })

  it('ends when what runs goes', async () => {
    const it = home(answers())
    const ended = it.undermind('inspect')
    await rest()
    it.door.emit({ type: 'store', state: 'lost', reason: 'gone' })
    expect(await ended).toBe(3)
    expect(it.err()).toContain('cli/nothing-runs')
  })

  it('sends nothing to Stately that was not agreed to, and then states and names of events only', async () => {
    const it = home(answers())
    expect(await it.undermind('inspect', '--stately')).toBe(2)
    expect(it.err()).toContain('a service on the internet')
    expect(it.asked).not.toContain('stately')
    it.io.isTTY = true
    it.io.confirm = () => false
    expect(await it.undermind('inspect', '--stately')).toBe(0)
    expect(it.asked).not.toContain('stately')
    await inspect(it, () => it.door.step({ ...step, data: { text: 'private' } }), '--stately', '--yes')
    expect(it.asked).toContain('stately actor ev_1 awaitingApproval')
    expect(it.asked).toContain('stately step ev_1 verdict acted')
    expect(it.asked.at(-1)).toBe('stately stop')
    expect(it.asked.join()).not.toContain('private')
    expect(it.asked.join()).not.toContain('urgent mail')
  })
})

describe('the tree of actors', () => {
  const page = { columns: 40, now: () => now, paint: (_: unknown, text: string) => text }

  it('counts what is too many to be shown, by state', () => {
    const many = Array.from({ length: 40 }, (_, n) => actor({ id: `ev_${n}`, state: n % 2 ? 'acted' : 'asking' }))
    const lines = treeLines([memory, ...many], { ...page, columns: 200 })
    expect(lines).toHaveLength(14)
    expect(lines.at(-1)).toBe('  … and 28 more: 14 asking, 14 acted')
  })

  it('cuts lines to the width, and lets no text steer the terminal', () => {
    const lines = treeLines([actor({ title: `${esc}[2J evil\n${'很'.repeat(60)}` })], page)
    expect(lines).toHaveLength(1)
    expect(displayWidth(lines[0]!)).toBeLessThanOrEqual(40)
    expect(lines[0]).not.toContain(esc)
  })

  it('shows at the top whoever has no parent that is there', () => {
    expect(treeLines([actor({ parent: 'gone' })], { ...page, columns: 200 })[0]).toMatch(/^evaluation /)
  })
})
