import { recordsIn } from './places.mjs'

const usage = { promptTokens: 10, completionTokens: 5 }

/**
 * Who judges: a task that may write is to be worked on with tools, every other is escalated, some are skipped. In the last
 * life nothing more is begun.
 * @param {{ dist: string, random: ReturnType<typeof import('../lib/random.mjs').randomFrom>, last: boolean }} parts
 */
export async function judge({ dist, random, last }) {
  const { scriptedProvider } = await import(`${dist}/models/scripted.js`)
  return scriptedProvider({
    record: false,
    decide({ intent }) {
      if (last || random.chance(0.15)) return { decision: 'skip' }
      return intent === 'write'
        ? { decision: 'act', reason: 'new', needs: 'tools', sources: [] }
        : { decision: 'escalate', reason: 'new', sources: [] }
    },
  })
}

/**
 * An agent that knows from the conversation alone how far it has come: it reads, works, and says that it is done. What it
 * writes anew each time it is asked is never the same, as with real ones.
 * @param {{ folder: string, db: import('better-sqlite3').Database, random: ReturnType<typeof import('../lib/random.mjs').randomFrom>, die: (point: string) => void }} parts
 */
export function agent({ folder, db, random, die }) {
  const { asked } = recordsIn(folder)
  const openRun = db
    .prepare('SELECT r.id FROM agent_run r JOIN task t ON t.id = r.task WHERE t.title = ? AND r.ended_at IS NULL')
    .pluck()
  const kept = db
    .prepare(
      `SELECT count(*) FROM agent_step WHERE run = :run AND kind = 'thought'
       AND n > (SELECT coalesce(max(n), -1) FROM agent_step WHERE run = :run AND kind = 'summary')`,
    )
    .pluck()
  let made = 0
  const nonce = () => `${process.pid}-${Date.now()}-${made++}`
  const use = (tool, args) => ({ id: `c${made++}`, tool, arguments: JSON.stringify(args) })

  const turn = (messages, tools, title) => {
    const said = messages.map(({ text }) => text).join('\n')
    const before = Number(/As far as step (\d+)\./.exec(said)?.[1] ?? 0)
    const at = before + messages.filter(({ role }) => role === 'assistant').length
    const mayPost = tools.some(({ name, description }) => name === 'post' && !description.includes('only proposes'))
    const mayWrite = tools.some(
      ({ name, description }) => name === 'write_file' && !description.includes('only proposes'),
    )
    const post = () => use('post', { to: 'team', nonce: nonce() })
    const note = () => use('note', { nonce: nonce() })
    // A file for each task: of one that several write at a time the tool could not tell whose it is.
    const write = (name) =>
      use('write_file', { path: `${name}-${title?.match(/\d+/)?.[0]}.md`, content: `${nonce()}\n` })
    const reads = [use('list_files', {}), use('read_file', { path: 'notes.md' })]
    if (random.chance(0.2)) reads.push(use('read_file', { path: 'long.md' }))
    if (tools.length === 0 || at > 6) return { at, text: 'That is all.' }
    if (at === 0) return { at, calls: reads }
    if (mayPost) {
      if (at === 1) return { at, calls: [post(), note(), ...reads.slice(0, random.below(2))] }
      if (at === 2) return { at, calls: [write('LOG')] }
      if (at === 3 && random.chance(0.6)) return { at, calls: [note(), post()] }
      return { at, text: 'It is done.' }
    }
    if (mayWrite) return at === 1 ? { at, calls: [write('PLAN'), note()] } : { at, text: 'The plan is carried out.' }
    if (at === 1 && random.chance(0.5)) return { at, calls: [post()] }
    if (random.chance(0.4)) return { at, text: 'They wait.\n\nRECOMMENDED ACTION: Write it down in PLAN.md.' }
    return { at, text: 'Nothing is to be done.' }
  }

  return {
    id: 'openai',
    model: 'agent',
    contextTokens: 8000,
    async chat({ messages, tools = [] }, signal) {
      die('before-thinking')
      if (random.chance(0.5)) await new Promise((next) => setTimeout(next, random.below(15)))
      signal.throwIfAborted()
      // All tasks of the report are named before the one that this is about.
      const title = messages
        .find(({ role }) => role === 'user')
        .text.match(/Task of run \d+/g)
        ?.at(-1)
      const run = openRun.get(title) ?? null
      const shown = messages.filter(({ role }) => role === 'assistant').length
      if (run !== null) asked.add({ run, shown, kept: kept.get({ run }) })
      const { at, text = '', calls = [] } = turn(messages, tools, title)
      const isSummary = messages.at(-1).text.includes('goes on from a summary')
      die('after-thinking')
      return isSummary
        ? { text: `As far as step ${at}.`, calls: [], usage, cutOff: false }
        : { text, calls, usage, cutOff: false }
    },
    async facts() {
      return { model: 'agent', contextTokens: 8000, tools: true }
    },
  }
}
