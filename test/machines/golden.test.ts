import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { AnyActorRef, AnyEventObject } from 'xstate'
import { agentRunSeat } from '../../src/actors/agent-run.ts'
import { evaluationSeat } from '../../src/actors/evaluation.ts'
import { heartbeatSeat } from '../../src/actors/heartbeat.ts'
import { stateName } from '../../src/actors/inspection.ts'
import { instanceSeat } from '../../src/actors/instance.ts'
import type { Turn } from '../../src/actors/seat.ts'
import { sessionSeat } from '../../src/actors/session.ts'
import { Stage, type StageHand } from '../../src/actors/stage.ts'
import { tickSeat } from '../../src/actors/tick.ts'
import { toolCallSeat } from '../../src/actors/tool-call.ts'
import type { ActorRow } from '../../src/domain/ledger.ts'
import { defaultSettings } from '../../src/domain/settings.ts'
import { policyOf } from '../../src/house/policy.ts'
import { stores } from '../../src/house/stores.ts'
import { charts } from '../../src/machines/index.ts'
import { openStore } from '../../src/store/open.ts'

const folder = join(import.meta.dirname, 'golden')

/** Every row that a released version has written, in any state. */
const rows = readdirSync(folder).flatMap((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as ActorRow[])

/** What an actor at rest in this state must still be able to take; in the others it waits for a piece of work. */
const takes: Record<string, AnyEventObject> = {
  'heartbeat stopped': { type: 'start' },
  'heartbeat sleeping': { type: 'stop' },
  'instance resting': { type: 'trigger', force: true },
  'instance ticking': { type: 'pause' },
  'instance superseding': { type: 'xstate.after.grace.instance.superseding' },
  'instance halted': { type: 'resume' },
  'instance paused': { type: 'resume' },
  'instance stopped': { type: 'resume' },
  'tick working.reflecting.settling': { type: 'evaluationSettled', remaining: 0 },
  'evaluation inProgress.judging': {
    type: 'verdict',
    call: 'call_1',
    verdict: { decision: 'skip', reason: '' },
    tainted: false,
  },
  'agentRun callingTools': { type: 'cancel' },
  'session idle': { type: 'message', seq: 5, at: 1 },
  'session debouncing.settling': { type: 'xstate.after.settle.session.debouncing.settling' },
  'session retrying': { type: 'wake', seq: 1, at: 1 },
  'evaluation awaitingApproval': { type: 'dismiss', reason: 'user', by: 'user', answer: 'answer_1' },
}

function theatre() {
  const db = openStore({ file: ':memory:', synchronous: 'normal' })
  onTestFinished(() => void db.close())
  const turn: Turn = { now: 0, later: () => {}, tell: () => {}, spawn: () => {}, news: () => {} }
  const policy = policyOf({ settings: defaultSettings, timezone: () => 'UTC', tools: new Map(), random: () => 0 })
  const all = stores(db)
  const seats = [
    heartbeatSeat(all),
    instanceSeat(all, policy),
    tickSeat(all, policy),
    evaluationSeat(all, policy),
    agentRunSeat(all),
    toolCallSeat(all),
    sessionSeat(all),
  ]
  const ordered: string[] = []
  const hand: StageHand = {
    timerSet: (_actor, name) => void ordered.push(`timer ${name}`),
    timerCleared: () => {},
    workOrdered: (_actor, invoke, _kind, { visit }) => void ordered.push(`work ${invoke}/${visit}`),
    workDropped: () => {},
  }
  const stage = new Stage(seats, turn)
  stage.attend(hand)
  return { stage, seats, ordered }
}

describe('a row that an earlier version wrote', () => {
  for (const row of rows) {
    it(`is revived and goes on: ${row.kind} ${row.state}, version ${row.chart}`, () => {
      const { stage, ordered } = theatre()
      const { ref } = stage.revive(row)
      expect(stateName(ref.getSnapshot().value)).toBe(row.state)
      const [chair] = Object.entries<AnyActorRef>(ref.getSnapshot().children)
      const again = chair && `work ${chair[0]}/${(ref.getSnapshot().context as { visit?: number }).visit ?? 1}`
      expect(ordered, 'orders nothing but the work in hand, under the name it had').toEqual(again ? [again] : [])
      const before = ref.getSnapshot()
      if (chair) chair[1].send({ type: 'work.failed', error: { code: 'model/down', message: 'down' } })
      else ref.send(takes[`${row.kind} ${row.state}`]!)
      expect(ref.getSnapshot().status).not.toBe('error')
      expect(stateName(ref.getSnapshot().value)).not.toBe(stateName(before.value))
    })
  }

  it('is kept for every version of every chart', () => {
    const { seats } = theatre()
    expect(seats.map(({ kind }) => kind).sort()).toEqual(Object.keys(charts).sort())
    for (const { kind, version } of seats) {
      const kept = rows.filter((row) => row.kind === kind).map(({ chart }) => chart)
      expect(new Set(kept)).toEqual(new Set(Array.from({ length: version }, (_, n) => n + 1)))
    }
  })
})
