import type { ChatMessage, ChatReply } from '../../domain/chat.ts'
import { Fault, failureOf } from '../../domain/errors.ts'
import type { ToolCall } from '../../domain/escalation.ts'
import { type EvaluationId, id, type OutboxKey } from '../../domain/ids.ts'
import type { CoreStep, Cycle, Session } from '../../domain/session.ts'
import type { CountedCall } from '../../domain/usage.ts'
import { cutText } from '../../memory/cut.ts'
import { countTokens, grainsPerToken } from '../../memory/tokens.ts'
import { asData, conversationTokens } from '../agent-conversation.ts'
import { toolRun } from '../tool-run.ts'
import { ask, promptRoom } from './ask.ts'
import { fitted } from './conversation.ts'
import { conversationOf, nextOf, planOf, threadsOf } from './core-plan.ts'
import { delegateName, tasksIn } from './delegate.ts'
import { lastWord, workerInstructions } from './instructions.ts'
import type { SessionParts, Talker } from './parts.ts'
import { offeredTools, readingTools, weighed } from './surface.ts'

type Turn = Omit<CoreStep, 'at'>

/** What one round adds: its turns, its calls, and the answer where it is there. */
export interface Round {
  steps: Turn[]
  calls: CountedCall[]
  answer: string | null
  /** True when a tool has brought something in. */
  tainted: boolean
}

export interface CoreWork {
  session: Session
  cycle: Cycle
  steps: readonly CoreStep[]
  core: Talker
  /** How the conversation of the core begins. */
  prompt(): ChatMessage[]
  key: OutboxKey
}

/** Carries out the next round of the core's work; what it returns is the next round's beginning, whatever happens between. */
export async function coreRound(parts: SessionParts, work: CoreWork, signal: AbortSignal): Promise<Round> {
  const begun = work.steps.length > 0 ? work.steps : work.prompt().map((message, n) => turn(0, n, message))
  const steps = begun.map((step) => ({ at: 0, ...step }))
  const fresh = work.steps.length > 0 ? [] : steps
  const plan = planOf(steps)
  switch (plan.kind) {
    case 'answered':
      return { steps: [], calls: [], answer: answerOf(plan.text, steps), tainted: false }
    case 'core': {
      const { turns, call, tainted } = await advance(parts, { ...work, steps }, 0, plan.last, signal)
      const after = planOf([...steps, ...turns.map((step) => ({ at: 0, ...step }))])
      const answer = after.kind === 'answered' ? answerOf(after.text, steps) : null
      return { steps: [...fresh, ...turns], calls: [call], answer, tainted }
    }
    case 'workers': {
      const rounds = await Promise.allSettled(
        plan.threads.map(({ thread, last }) => advance(parts, { ...work, steps }, thread, last, signal)),
      )
      const done = rounds.flatMap((round) => (round.status === 'fulfilled' ? [round.value] : []))
      const failed = rounds.find((round) => round.status === 'rejected')
      // What one of them came to is kept, though the other has failed; that one has its turn again.
      if (failed && done.length === 0) throw failed.reason
      return {
        steps: done.flatMap(({ turns }) => turns),
        calls: done.map(({ call }) => call),
        answer: null,
        tainted: done.some(({ tainted }) => tainted),
      }
    }
    default:
      return plan satisfies never
  }
}

const turn = (thread: number, n: number, message: ChatMessage, waits: number[] | null = null): Turn => ({
  thread,
  n,
  message,
  waits,
})

const nothingFound = 'I did not come to an answer in the steps that I have.'

/** A core that ends without words has at least those it said on the way. */
function answerOf(text: string, steps: readonly CoreStep[]): string {
  if (text.trim() !== '') return text
  const said = steps.filter(({ message }) => message.role === 'assistant' && message.text.trim() !== '')
  return said.at(-1)?.message.text ?? nothingFound
}

/** Tool calls that one thought may make; more are refused, so that one thought cannot read the whole workspace. */
const mostCalls = 8
/** Workers that one cycle may have. */
const mostWorkers = 6

interface Advanced {
  turns: Turn[]
  call: CountedCall
  tainted: boolean
}

/** One model call of a thread, and the answers of the tools that it asks for. */
async function advance(
  parts: SessionParts,
  work: CoreWork,
  thread: number,
  isLast: boolean,
  signal: AbortSignal,
): Promise<Advanced> {
  const { core, steps } = work
  const tools = core.tools && !isLast ? readingTools(parts.tools, thread === 0) : new Map<string, never>()
  const offered = offeredTools(tools)
  const said = conversationOf(thread, steps)
  const room = promptRoom(core)
  // A conversation that has filled its room can only be ended.
  const isFull = offered.length > 0 && conversationTokens(said, offered) > room * fullAt
  const mustAnswer = isLast || isFull
  const messages: ChatMessage[] = mustAnswer ? [...said, { role: 'user', text: lastWord }] : said
  const given = mustAnswer ? [] : offered
  const toolTokens = conversationTokens([], given)
  const fit = fitted(messages, room - toolTokens, conversationTokens)
  const { reply, call } = await think(parts, core, { messages: fit, tools: given }, signal)
  const asked = mustAnswer || !core.tools ? [] : reply.calls
  const n = nextOf(thread, steps)
  // An answer that was cut off says so.
  const text = reply.cutOff && asked.length === 0 ? `${reply.text.trimEnd()} …` : reply.text
  const thought = turn(thread, n, { role: 'assistant', text, calls: asked })
  let workers = Math.max(...threadsOf(steps), 0)
  const heard: Promise<Turn[]>[] = asked.map(async (one, at) => {
    const say = (text: string, waits: number[] | null = null) =>
      turn(thread, n + 1 + at, { role: 'tool', call: one.id, tool: one.tool, text }, waits)
    if (at >= mostCalls) return [say(`Not done: at most ${mostCalls} tools are called at once.`)]
    const verdict = weighed(one, tools)
    if (verdict.standing !== 'run') {
      return [say(`Not done: ${verdict.standing === 'refuse' ? verdict.why : 'it is not allowed here.'}`)]
    }
    if (verdict.call.tool === delegateName) {
      const tasks = tasksIn(verdict.call.arguments)
      if (workers + tasks.length > mostWorkers) return [say(`Not done: there are at most ${mostWorkers} workers.`)]
      const threads = tasks.map((_, index) => workers + 1 + index)
      workers += tasks.length
      return [say('', threads), ...tasks.flatMap((task, index) => workerPrompt(threads[index]!, task))]
    }
    return [say(asData(await used(parts, work, verdict.call, signal, toolRoom(core))))]
  })
  const answers = await Promise.all(heard)
  return { turns: [thought, ...answers.flat()], call, tainted: asked.length > 0 }
}

const fullAt = 0.8
const toolRoom = (core: Talker): number => Math.floor(promptRoom(core) / 8)

const workerPrompt = (thread: number, task: string): Turn[] => [
  turn(thread, 0, { role: 'system', text: workerInstructions }),
  turn(thread, 1, { role: 'user', text: asData(task) }),
]

/** A model that turns out to have no use for tools is asked again without. */
async function think(
  parts: SessionParts,
  core: Talker,
  { messages, tools }: { messages: ChatMessage[]; tools: ReturnType<typeof offeredTools> },
  signal: AbortSignal,
): Promise<{ reply: ChatReply; call: CountedCall }> {
  try {
    return await ask(parts, core, { purpose: 'core', messages, tools }, signal)
  } catch (error) {
    if (!(error instanceof Fault && error.code === 'model/no-tools') || tools.length === 0) throw error
    parts.minds.deepLacksTools()
    return await ask(parts, core, { purpose: 'core', messages }, signal)
  }
}

/** What a tool says, or why it failed: the core can do something about either. */
async function used(
  { stores, clock, tools }: SessionParts,
  { cycle, key }: CoreWork,
  { tool, arguments: args }: ToolCall,
  signal: AbortSignal,
  room: number,
): Promise<string> {
  try {
    // Reading leaves nothing behind, so the cycle stands where the evaluation would.
    const run = toolRun({ stores, clock }, key, id<EvaluationId>(cycle.id), signal)
    const said = (await tools.get(tool)?.run(args, run)) ?? ''
    return countTokens(said) <= room ? said : cutText(said, room * grainsPerToken)
  } catch (error) {
    signal.throwIfAborted()
    return `Failed: ${failureOf(error).message}`
  }
}
