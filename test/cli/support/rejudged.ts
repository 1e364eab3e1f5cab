const verdict = { decision: 'act', reason: 'A deadline is named', text: null, sources: [], failure: null }

interface Given {
  title?: string
  recorded?: object
  rejudged?: object
  changes?: object
  used?: object
}

/** What another model decided, as the method answers with it. */
export const rejudged = (given: Given = {}) => ({
  evaluation: 'ev_1',
  task: 'task_mail',
  title: given.title ?? 'Tell me about urgent messages in the inbox',
  recorded: {
    ...verdict,
    provider: 'builtin',
    model: 'builtin',
    decision: 'skip',
    reason: 'Nothing urgent',
    state: 'skipped',
    card: null,
    ...given.recorded,
  },
  rejudged: {
    ...verdict,
    text: 'The contract must be signed by 2 April',
    sources: [{ source: 'folder', key: 'inbox/0003.eml', external: true }],
    provider: 'ollama',
    model: 'qwen3:4b',
    route: 'local',
    analysis: null,
    ...given.rejudged,
  },
  changes: { shown: 3, missing: 0, left: 0, ...given.changes },
  used: { calls: 1, prompt_tokens: 900, completion_tokens: 40, cost: null, duration_ms: 1500, ...given.used },
})
