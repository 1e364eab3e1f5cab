import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRuntime, initWorkspace } from 'undermind'

const free = { promptTokens: 0, completionTokens: 0 }

/** Lines of the changes in a report that hold TODO, as sources that can be quoted. */
const todos = (report) =>
  report.changes.flatMap(({ source, key, external, added }) =>
    added.filter((line) => line.includes('TODO')).map((quote) => ({ source, key, quote, external })),
  )
const listOf = (sources) => sources.map(({ quote, key }) => `${quote.trim()} (${key})`).join('\n')

/**
 * A provider of your own. This one goes by a rule; one that asks a language model would send it `report.text`, hand on
 * `signal`, and return what came back: nothing of an answer is believed before it has been checked.
 */
const provider = {
  id: 'example',
  model: 'todo-rule',
  contextTokens: 32_000,

  /** Decides on all tasks of a report at once: skip, act, or escalate to a deeper look. */
  async judge({ report }) {
    const sources = todos(report)
    const evaluations = report.tasks.map(({ id, title }) => {
      if (sources.length === 0) return { task_id: id, decision: 'skip', reason: 'No TODO in what changed' }
      if (title.includes('TODO.md')) return { task_id: id, decision: 'escalate', reason: 'New TODOs', sources }
      return { task_id: id, decision: 'act', reason: 'New TODOs', text: listOf(sources), sources }
    })
    return { text: JSON.stringify({ evaluations }), usage: free, cutOff: false }
  },

  /** Writes the text of an `act` that came without one. */
  async execute({ report }) {
    return { text: listOf(todos(report)), sources: todos(report), usage: free }
  },

  /** Looks deeper: comes to a result, or to an action that the user is asked about. */
  async analyse({ report }) {
    const provenance = todos(report)
    const call = { tool: 'append_file', arguments: { path: 'TODO.md', text: `${listOf(provenance)}\n` } }
    const proposal = { title: 'Note them', summary: 'New TODOs', priority: 'normal', calls: [call], provenance }
    return { kind: 'proposal', proposal, usage: free }
  },
}

const workspace = await mkdtemp(join(tmpdir(), 'undermind-'))
await initWorkspace(workspace, {
  'HEARTBEAT.md': '- Tell me about open work\n- Watch what TODO.md lacks\n',
  'plan.txt': 'Stage: done\nTODO: order the chairs\n',
})
const runtime = await createRuntime({ workspace, trusted: true, provider })
try {
  const tick = await runtime.settled(await runtime.trigger())
  console.log(`${tick.state}: ${tick.modelCalls} call of ${runtime.status().model.model}`)
  for (const { id } of runtime.log({ tick: tick.id, limit: 50 })) {
    const { evaluation, task, card } = runtime.whyEvaluation(id)
    console.log(`${evaluation.state}: ${task.title}: ${evaluation.text ?? evaluation.reason}`)
    if (card?.state !== 'open') continue
    const { state, answeredBy } = await runtime.answers.dismiss(card.id, { by: 'example' })
    console.log(`The card to append to TODO.md is ${state} by ${answeredBy}`)
  }
} finally {
  await runtime[Symbol.asyncDispose]()
  await rm(workspace, { recursive: true })
}
