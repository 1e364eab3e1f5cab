import { recordsIn } from './places.mjs'

/**
 * A model with moods: it skips most tasks, acts on some, escalates the others, is slow now and then and sometimes down. Asked
 * the same twice it answers anew, as models do. In the last life it is well and has nothing more to say.
 * @param {{ folder: string, dist: string, random: ReturnType<typeof import('../lib/random.mjs').randomFrom>, die: (point: string) => void, last: boolean }} parts
 */
export async function moodyModel({ folder, dist, random, die, last }) {
  const { scriptedProvider } = await import(`${dist}/models/scripted.js`)
  const { shown } = recordsIn(folder)
  const think = async (signal) => {
    if (random.chance(0.6)) await new Promise((next) => setTimeout(next, random.below(25)))
    signal.throwIfAborted()
  }
  const usage = { promptTokens: 0, completionTokens: 0 }
  const nonce = () => `${process.pid}-${Date.now()}-${random.below(1e9)}`

  return scriptedProvider({
    record: false,
    async judge({ report }, signal) {
      die('before-judging')
      await think(signal)
      if (!last && random.chance(0.04)) throw new Error('the model is down')
      const lines = report.changes.flatMap(({ added }) => added.filter((line) => line.startsWith('line ')))
      const changes = report.changes.map(({ seq, key }) => [seq, key])
      shown.add({ tasks: report.tasks.map(({ id }) => id), changes, lines })
      const judged = last ? report.tasks : report.tasks.filter(() => !random.chance(0.01))
      const evaluations = judged.map(({ id }) => ({ task_id: id, ...decision() }))
      die('after-judging')
      return { text: JSON.stringify({ evaluations }), usage, cutOff: false }
    },
    async execute({ task }, signal) {
      await think(signal)
      if (!last && random.chance(0.05)) throw new Error('the model is down')
      return { text: `Looked at ${task.title}`, sources: [] }
    },
    async analyse({ task, response }, signal) {
      await think(signal)
      if (!last && random.chance(0.05)) throw new Error('the model is down')
      if (response !== undefined || random.chance(0.1)) return { kind: 'result', text: 'Nothing to do', sources: [] }
      return { kind: 'proposal', proposal: proposal(task) }
    },
  })

  function decision() {
    const mood = last ? 'skip' : random.weighted({ skip: 60, text: 14, act: 12, escalate: 14 })
    if (mood === 'text') return { decision: 'act', reason: 'new', text: 'There is news', sources: [] }
    return { decision: mood, reason: 'a mood', ...(mood !== 'skip' && { sources: [] }) }
  }

  /** What its words ask for where they ask for something, else one or two calls of which at least one cannot be repeated. */
  function proposal({ title }) {
    const send = (what = nonce()) => ({ tool: 'send', arguments: { to: 'team', nonce: what } })
    const append = () => ({ tool: 'append_file', arguments: { path: 'AGENDA.md', text: `- ${nonce()}` } })
    const calls = title.includes('AGENDA.md')
      ? [append()]
      : random.of([
          [send()],
          [send(`again ${title}`)],
          [append()],
          [send(), append()],
          [append(), send()],
          [send(), send()],
        ])
    return { title: `About ${title}`, summary: 'It seems wise', priority: 'normal', calls, provenance: [] }
  }
}
