// undermind as a peer of the standard work: the real runtime over a real workspace, only model, agent and action are fakes.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openHouse } from '../../dist/house/open.js'
import { scriptedProvider } from '../../dist/models/scripted.js'
import { initWorkspace } from '../../dist/settings/init.js'
import { counters, fakeAction, fakeCloudAgent, fakeModelBatch, yieldLoop } from '../lib/work.mjs'

const blank = {
  world: 'memory',
  origin: 'user',
  source: 'user',
  judge: 'model',
  intent: 'read',
  intentBy: 'user',
  asksToWrite: false,
  effects: [],
  schedule: { kind: 'every-tick' },
  inputs: [],
  onlyIfChanged: false,
  catchUp: 'once',
  maxLatenessMs: null,
  paused: null,
  completed: false,
  retired: false,
  createdAt: 0,
  lastRunAt: null,
  nextRunAt: null,
  retryAt: null,
  attempts: 0,
  retryOf: null,
  judgedThrough: 0,
}
const taskId = (n) => `task_${String(n).padStart(6, '0')}`

export default function create({
  sync = 'normal',
  report = () => {},
  settings = {},
  contextTokens = 10_000_000,
  inspector,
  clock,
  beforeJudging,
  onReport,
}) {
  let house
  let tag = ''
  let mix = 'std'
  let due = 0
  const evaluations = new Map()
  const nameOf = (task) => `${tag}-${task.slice('task_'.length)}`

  /** A card goes by the name of its task in the harness. */
  const remember = ({ id, calls }) => {
    const name = calls[0].arguments.task
    evaluations.set(name, id)
    return name
  }

  const provider = scriptedProvider({
    record: false,
    contextTokens,
    judge: async ({ report: situation }) => {
      await beforeJudging?.(house)
      onReport?.(situation)
      const { tasks } = situation
      // One call, answered elsewhere in real life: here in pieces, so that it does not hold up what is measured. A piece is
      // a multiple of ten tasks, which is after how many the decisions come again.
      const answers = []
      for (let from = 0; from < tasks.length; from += 100) {
        const some = tasks.slice(from, from + 100)
        const verdicts = fakeModelBatch(
          some.map(({ id }) => ({ id: nameOf(id) })),
          mix,
        )
        answers.push(some.map(({ id }, i) => JSON.stringify({ task_id: id, reason: '', ...verdicts[i] })).join())
        await yieldLoop()
      }
      counters.modelCalls += 1 - answers.length
      return {
        text: `{"evaluations":[${answers.join()}]}`,
        usage: { promptTokens: 0, completionTokens: 0 },
        cutOff: false,
      }
    },
    analyse: ({ task }) => {
      const { tool, args } = fakeCloudAgent(nameOf(task.id))
      const proposal = {
        title: 'Send it',
        summary: '',
        priority: 'normal',
        calls: [{ tool, arguments: { ...args, task: nameOf(task.id) } }],
        provenance: [],
      }
      return { kind: 'proposal', proposal, usage: { promptTokens: 0, completionTokens: 0 } }
    },
  })
  const send = {
    name: 'send_message',
    description: 'Sends',
    repeatable: false,
    parse: (args) => args,
    target: ({ to }) => to,
    run: async (args) => fakeAction(args.task, args),
  }

  const peer = {
    name: 'undermind',
    async setup(dir) {
      const workspace = join(dir, 'workspace')
      mkdirSync(workspace, { recursive: true })
      await initWorkspace(workspace)
      const all = {
        'store.synchronous': sync,
        'heartbeat.context_budget_tokens': 2_000_000,
        'approvals.new_cards_per_day': 1000,
        'heartbeat.concurrency': 64,
        ...settings,
      }
      house = (
        await openHouse({
          workspace,
          settings: all,
          trusted: true,
          provider,
          tools: [send],
          env: {},
          userConfigDir: join(dir, 'config'),
          ...(clock && { clock }),
        })
      ).runtime
      await house.tasks.edit('task_seed_memory', { enabled: false })
      house.subscribe((news) => {
        if (news.type !== 'evaluation') return
        const name = nameOf(news.task)
        evaluations.set(name, news.id)
        report(name, news.state)
      })
      if (inspector) house.inspect(inspector)
      peer.durability = `WAL synchronous=${sync.toUpperCase()}`
    },
    /** Makes `n` standing tasks due; not part of the tick. */
    async prepare(n) {
      for (let from = 0; from < Math.max(n, due); from += 500) {
        await house.host.write(() => {
          for (let i = from; i < Math.min(from + 500, Math.max(n, due)); i++) {
            const id = taskId(i)
            if (house.stores.tasks.get(id)) house.stores.tasks.update(id, { enabled: i < n })
            else
              house.stores.tasks.insert({
                ...blank,
                id,
                enabled: true,
                title: `Look at source ${i} and decide whether anything changed that needs attention today.`,
              })
          }
        })
      }
      due = n
    },
    async runTick(n, run) {
      tag = run.tag
      mix = run.mix
      if (n !== due) await peer.prepare(n)
      const tick = await house.settled(await house.trigger({ force: true }))
      if (tick.state !== 'done') throw new Error(`tick ended ${tick.state}: ${tick.reason}`)
    },
    listAwaiting: () => house.stores.escalations.open(1_000_000).reverse().map(remember),
    firstAwaiting() {
      return remember(house.stores.escalations.open(1)[0])
    },
    async approve(name) {
      const card = house.stores.escalations.get(evaluations.get(name))
      await house.answers.approve(card.id, card.digest, { by: 'bench' })
      return (await house.evaluationSettled(card.id)).state
    },
    status: async (name) => house.stores.evaluations.get(evaluations.get(name))?.state,
    runtime: () => house,
    /** Lets go of the names of what is over. */
    forget: () => evaluations.clear(),
    compact: () => house.compact(),
    close: () => house[Symbol.asyncDispose](),
  }
  return peer
}
