import type { AgentRun, RunStep } from '../domain/agent.ts'
import type { ChatMessage } from '../domain/chat.ts'
import type { Failure } from '../domain/errors.ts'
import type { ToolCall } from '../domain/escalation.ts'
import type { EvaluationId, RunId } from '../domain/ids.ts'
import type { Db } from './open.ts'

const runColumns = `id, evaluation, task, world, stage, state, steps, tokens, tainted, done, text, proposed, plan, failure,
  created_at AS createdAt, ended_at AS endedAt`
const stepColumns = 'n, kind, message, call, effect, open, at'

interface RunRow extends Omit<AgentRun, 'tainted' | 'done' | 'proposed' | 'failure'> {
  tainted: number
  done: string
  proposed: string
  failure: string | null
}

interface StepRow {
  n: number
  kind: RunStep['kind']
  message: string
  call: string | null
  effect: number
  open: number
  at: number
}

const toRun = (row: RunRow): AgentRun => ({
  ...row,
  tainted: row.tainted === 1,
  done: JSON.parse(row.done) as string[],
  proposed: JSON.parse(row.proposed) as ToolCall[],
  failure: row.failure === null ? null : (JSON.parse(row.failure) as Failure),
})

const toStep = (row: StepRow): RunStep => ({
  n: row.n,
  kind: row.kind,
  message: JSON.parse(row.message) as ChatMessage,
  call: row.call === null ? null : (JSON.parse(row.call) as ToolCall),
  effect: row.effect === 1,
  open: row.open === 1,
  at: row.at,
})

/** Agent runs and their conversations, turn by turn. */
export function agentRunStore(db: Db) {
  const insert = db.prepare(
    `INSERT INTO agent_run(id, evaluation, task, world, stage, state, steps, tokens, tainted, done, text, proposed, plan,
     failure, created_at, ended_at) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const move = db.prepare(
    `UPDATE agent_run SET state = ?, steps = ?, tokens = ?, tainted = ?, done = ?, text = ?, proposed = ?, plan = ?,
     failure = ?, ended_at = ? WHERE id = ?`,
  )
  const get = db.prepare<[string], RunRow>(`SELECT ${runColumns} FROM agent_run WHERE id = ?`)
  const ofEvaluation = db.prepare<[string], RunRow>(
    `SELECT ${runColumns} FROM agent_run WHERE evaluation = ? ORDER BY created_at, id`,
  )
  const open = db.prepare<[string], RunId>('SELECT id FROM agent_run WHERE evaluation = ? AND ended_at IS NULL').pluck()
  const addStep = db.prepare(
    `INSERT OR IGNORE INTO agent_step(run, n, kind, message, call, effect, open, at) VALUES(?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const answer = db.prepare('UPDATE agent_step SET message = ?, open = 0, at = ? WHERE run = ? AND n = ?')
  const step = db.prepare<[string, number], StepRow>(`SELECT ${stepColumns} FROM agent_step WHERE run = ? AND n = ?`)
  const steps = db.prepare<[string], StepRow>(`SELECT ${stepColumns} FROM agent_step WHERE run = ? ORDER BY n`)

  return {
    insert(run: AgentRun): void {
      const { id, evaluation, task, world, stage, state, createdAt, endedAt } = run
      insert.run(id, evaluation, task, world, stage, state, ...changing(run), createdAt, endedAt)
    },
    move(run: Omit<AgentRun, 'evaluation' | 'task' | 'world' | 'stage' | 'createdAt'>): void {
      move.run(run.state, ...changing(run), run.endedAt, run.id)
    },
    get(id: RunId): AgentRun | undefined {
      const row = get.get(id)
      return row && toRun(row)
    },
    /** Oldest first. */
    ofEvaluation: (evaluation: EvaluationId): AgentRun[] => ofEvaluation.all(evaluation).map(toRun),
    /** The run that is at work for an evaluation. */
    openOf: (evaluation: EvaluationId): RunId | undefined => open.get(evaluation),

    /** A step that is there already stays as it is. */
    addStep(run: RunId, { n, kind, message, call, effect, open: isOpen, at }: RunStep): void {
      const asked = call === null ? null : JSON.stringify(call)
      addStep.run(run, n, kind, JSON.stringify(message), asked, Number(effect), Number(isOpen), at)
    },
    answerStep(run: RunId, n: number, message: ChatMessage, at: number): void {
      answer.run(JSON.stringify(message), at, run, n)
    },
    step(run: RunId, n: number): RunStep | undefined {
      const row = step.get(run, n)
      return row && toStep(row)
    },
    steps: (run: RunId): RunStep[] => steps.all(run).map(toStep),
  }
}

const changing = ({
  steps,
  tokens,
  tainted,
  done,
  text,
  proposed,
  plan,
  failure,
}: Omit<AgentRun, 'createdAt' | 'evaluation' | 'task' | 'world' | 'stage'>) =>
  [
    steps,
    tokens,
    Number(tainted),
    JSON.stringify(done),
    text,
    JSON.stringify(proposed),
    plan,
    failure === null ? null : JSON.stringify(failure),
  ] as const
