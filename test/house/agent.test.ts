import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Fault } from '../../src/domain/errors.ts'
import { agentHouse, agentThat, gate, use } from './agent-house.ts'

const read = 'Check the notes for open questions'
const write = 'Keep a summary of the decisions in DECISIONS.md'
const notes = { 'notes.md': 'Who pays the venue?\n', 'plan.md': 'The venue is booked.\n' }

describe('an escalated task that only reads', () => {
  it('is looked into with tools that read, and ends with a result and where it was found', async () => {
    const agent = agentThat(
      [use('read_file', { path: 'notes.md' }), use('read_file', { path: 'plan.md' })],
      'Nobody has said who pays.',
    )
    const { home } = await agentHouse(read, 'escalate', agent, { files: notes })
    const { evaluations } = await home.tick()
    expect(evaluations).toMatchObject([{ state: 'acted', text: 'Nobody has said who pays.', tainted: true }])
    expect(evaluations[0]?.sources.map(({ key }) => key)).toEqual(['notes.md', 'plan.md'])
    const answers = agent.requests[1]?.messages.filter(({ role }) => role === 'tool').map(({ text }) => text)
    expect(answers).toEqual([expect.stringContaining('Who pays the venue?'), expect.stringContaining('is booked')])
  })

  it('reaches no tool that changes anything, in whatever form a model asks for one', async () => {
    const path = 'DECISIONS.md'
    const agent = agentThat(
      [
        use('write_file', { path, content: 'x' }),
        use('write_file', JSON.stringify(JSON.stringify({ path, content: 'x' }))),
        use(' write_file', { path, content: 'x' }),
        use('WRITE_FILE', { path, content: 'x' }),
        use('allow_write', { task: 'x', title: 'y' }),
        use('run_command', { command: ['sh', '-c', 'touch DECISIONS.md'] }),
        use('notify', { title: 'hello' }),
        use('write_file', '{"path":"DECISIONS.md","content":'),
        use('write_file', ''),
      ],
      { text: 'I have written it.', calls: [use('write_file', { path, content: 'again' })] },
      'I recommend to write it down.',
    )
    const { home } = await agentHouse(read, 'escalate', agent, { files: notes })
    const { evaluations } = await home.tick()
    expect(evaluations[0]).toMatchObject({ state: 'awaitingApproval' })
    await expect(readFile(join(home.root, path))).rejects.toThrow()
    const offered = agent.requests[0]?.tools?.map(({ name, description }) => [
      name,
      description.includes('only proposes'),
    ])
    expect(Object.fromEntries(offered ?? [])).toMatchObject({
      read_file: false,
      write_file: true,
      append_file: true,
      git_commit: true,
    })
    expect(offered?.map(([name]) => name)).not.toContain('allow_write')
    const answers = agent.requests[1]?.messages.filter(({ role }) => role === 'tool').map(({ text }) => text)
    expect(answers?.every((text) => text.startsWith('Not done:'))).toBe(true)
  })

  it('ends with a card of concrete calls, and Go ahead runs them as they were shown', async () => {
    const call = { path: 'DECISIONS.md', text: '- The venue is booked.' }
    const agent = agentThat(
      [use('read_file', { path: 'plan.md' })],
      [use('append_file', call)],
      'It is booked; note it.',
    )
    const { home } = await agentHouse(read, 'escalate', agent, { files: { ...notes, 'DECISIONS.md': '# Decisions\n' } })
    await home.tick()
    const [card] = home.cards()
    expect(card).toMatchObject({
      title: 'append_file DECISIONS.md',
      calls: [{ tool: 'append_file', arguments: call }],
      external: true,
    })
    const done = await home.runtime.approve(card!)
    expect(done).toMatchObject({ state: 'acted' })
    expect(await readFile(join(home.root, 'DECISIONS.md'), 'utf8')).toBe('# Decisions\n- The venue is booked.\n')
    expect(agent.requests).toHaveLength(3)
  })

  it('recommends in words what no tool can do, and a yes has an agent carry the plan out', async () => {
    const agent = agentThat(
      'The venue wants an answer.\n\n**Recommended action:** Write “answered” into STATUS.md.',
      [use('write_file', { path: 'STATUS.md', content: 'answered' })],
      'It stands there now.',
    )
    const { home } = await agentHouse(read, 'escalate', agent, { files: notes })
    await home.tick()
    const [card] = home.cards()
    expect(card).toMatchObject({ calls: [], title: expect.stringContaining('Write “answered” into STATUS.md') })
    const done = await home.runtime.approve(card!)
    expect(done).toMatchObject({ state: 'acted', text: expect.stringContaining('It stands there now.') })
    expect(await readFile(join(home.root, 'STATUS.md'), 'utf8')).toBe('answered')
    const asked = agent.requests[1]?.messages.map(({ text }) => text).join('\n')
    expect(asked).toContain('Write “answered” into STATUS.md')
  })
})

describe('a task whose own words ask for a change', () => {
  const agent = () =>
    agentThat(
      [use('read_file', { path: 'plan.md' })],
      [use('write_file', { path: 'DECISIONS.md', content: '# Decisions\n- The venue is booked.\n' })],
      'The summary is up to date.',
    )

  it('has it made without asking, and can take it back', async () => {
    const { home } = await agentHouse(write, 'act', agent(), { files: notes })
    const { evaluations } = await home.tick()
    expect(evaluations[0]).toMatchObject({
      state: 'acted',
      text: expect.stringContaining('The summary is up to date.'),
    })
    expect(evaluations[0]?.text).toContain('Wrote DECISIONS.md')
    expect(await readFile(join(home.root, 'DECISIONS.md'), 'utf8')).toContain('The venue is booked.')
    expect(home.cards()).toEqual([])
    await home.runtime.undo(evaluations[0]!.id)
    await expect(readFile(join(home.root, 'DECISIONS.md'))).rejects.toThrow()
  })

  it('has every other change put to the user, and none of it made', async () => {
    const other = agentThat([use('write_file', { path: 'plan.md', content: 'mine' })], 'I would change the plan.')
    const { home } = await agentHouse(write, 'act', other, { files: notes })
    await home.tick()
    expect(home.cards()).toMatchObject([
      { calls: [{ tool: 'write_file', arguments: { path: 'plan.md', content: 'mine' } }] },
    ])
    expect(await readFile(join(home.root, 'plan.md'), 'utf8')).toBe(notes['plan.md'])
  })

  it('is not called done on the word of a model that used no tool', async () => {
    const { home } = await agentHouse(write, 'act', agentThat('I have updated DECISIONS.md.'), { files: notes })
    const { evaluations } = await home.tick()
    expect(evaluations[0]?.text).toBe('Nothing was changed. I have updated DECISIONS.md.')
  })

  it('fails when all that the agent tried has failed', async () => {
    const failing = agentThat(
      [use('write_file', { path: 'DECISIONS.md', content: 'x', expectedHash: 'a'.repeat(64) })],
      'All done!',
    )
    const { home } = await agentHouse(write, 'act', failing, { files: notes })
    const { evaluations } = await home.tick()
    expect(evaluations[0]).toMatchObject({ state: 'failed', failure: { code: 'agent/effect-failed' } })
  })

  it('writes nothing in a workspace that is not trusted', async () => {
    const { home } = await agentHouse(write, 'act', agent(), { files: notes, trusted: false })
    const { evaluations } = await home.tick()
    expect(evaluations[0]?.state).toBe('failed')
    await expect(readFile(join(home.root, 'DECISIONS.md'))).rejects.toThrow()
  })
})

describe('an agent run', () => {
  it('must answer at its last step, without tools', async () => {
    const agent = agentThat(...Array.from({ length: 40 }, () => [use('list_files', {})]))
    const { home } = await agentHouse(read, 'escalate', agent, { files: notes })
    const { evaluations } = await home.tick()
    expect(agent.requests).toHaveLength(15)
    expect(agent.requests.at(-1)?.tools).toBeUndefined()
    expect(evaluations[0]).toMatchObject({ state: 'failed', failure: { code: 'agent/no-answer' } })
  })

  it('may take twice the steps in the aggressive mode', async () => {
    const agent = agentThat(...Array.from({ length: 40 }, () => [use('list_files', {})]))
    const { home } = await agentHouse(read, 'escalate', agent, { settings: { 'subconscious.mode': 'aggressive' } })
    await home.tick()
    expect(agent.requests).toHaveLength(30)
  })

  it('is summed up before its conversation outgrows the model, and goes on from there', async () => {
    const long = 'word '.repeat(6000)
    const agent = agentThat(
      ...Array.from({ length: 7 }, () => [use('read_file', { path: 'long.md' })]),
      'SUMMED UP',
      'The answer.',
    )
    const { home } = await agentHouse(read, 'escalate', agent, { files: { 'long.md': long } })
    const { evaluations } = await home.tick()
    const summed = agent.requests.findIndex(({ messages }) => messages.at(-1)?.text.includes('goes on from a summary'))
    expect(summed).toBeGreaterThan(0)
    const after = agent.requests[summed + 1]?.messages
    expect(after?.map(({ role }) => role)).toEqual(['system', 'user', 'user'])
    expect(after?.at(-1)?.text).toContain('SUMMED UP')
    expect(evaluations[0]?.state).toBe('acted')
  })

  it('that fails is tried again later, and paused only for what is its own fault', async () => {
    const down = agentThat(
      ...Array.from({ length: 8 }, () => () => {
        throw new Fault('model/unreachable', 'Nobody is there.')
      }),
    )
    const { home, task } = await agentHouse(read, 'escalate', down)
    for (let n = 0; n < 8; n++) {
      await home.tick()
      await home.clock.advance(7 * 3_600_000, () => home.runtime.host.idle())
    }
    expect(task()).toMatchObject({ paused: null, judgedThrough: 0 })
    expect(task().attempts).toBeGreaterThan(5)
  })

  it('waits for tomorrow, calmly, when the budget of today is used up', async () => {
    const broke = agentThat(() => {
      throw new Fault('model/budget', 'Used up.', { until: 0 })
    })
    const { home, task } = await agentHouse(read, 'escalate', broke)
    await home.tick()
    expect(task()).toMatchObject({ attempts: 0, paused: null })
    const midnight = new Date(task().retryAt!)
    expect(midnight.toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin' })).toBe('00:00:00')
  })

  it('is looked at by words alone once its model has said that it cannot use tools', async () => {
    const agent = agentThat(() => {
      throw new Fault('model/no-tools', 'agent-1 does not support tools.')
    })
    const { home } = await agentHouse(read, 'escalate', agent, { files: notes })
    await home.tick()
    expect(home.runtime.routes.view().find(({ stage }) => stage === 'tools')).toMatchObject({
      available: false,
      reason: 'agent-1 cannot use tools',
    })
  })

  it('is called off with its evaluation, down to the call in hand', async () => {
    const begun = gate()
    let ended: unknown = null
    const agent = agentThat((_, signal) => {
      begun.open()
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          ended = signal.reason
          reject(signal.reason)
        })
      })
    })
    const { home } = await agentHouse(read, 'escalate', agent)
    const tick = await home.runtime.trigger()
    await begun.opened
    const [evaluation] = home.runtime.stores.evaluations.ofTick(tick)
    await home.runtime.host.dispatch({ to: evaluation!.id as never, event: { type: 'cancel', reason: 'enough' } })
    await home.runtime.host.idle()
    expect(ended).toMatchObject({ code: 'work/dropped' })
    expect(home.runtime.stores.agentRuns.ofEvaluation(evaluation!.id)).toMatchObject([{ state: 'cancelled' }])
  })

  it('goes on after a restart where it was, and asks for nothing again that it has', async () => {
    const begun = gate()
    const first = agentThat([use('read_file', { path: 'notes.md' })], (_, signal) => {
      begun.open()
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    })
    const { home } = await agentHouse(read, 'escalate', first, { files: notes })
    const tick = await home.runtime.trigger()
    await begun.opened
    const second = agentThat('Nobody has said who pays.')
    await home.restart({ agent: second })
    await home.runtime.settled(tick)
    expect(home.runtime.stores.evaluations.ofTick(tick)).toMatchObject([
      { state: 'acted', text: 'Nobody has said who pays.' },
    ])
    expect(second.requests[0]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool'])
  })

  it('counts its calls for the task and the world', async () => {
    const { home } = await agentHouse(read, 'escalate', agentThat([use('list_files', {})], 'That is all.'))
    await home.tick()
    const { rows } = await home.runtime.usage({ days: 1, by: 'purpose' })
    expect(rows.find(({ key }) => key === 'agent')).toMatchObject({ calls: 2, cloudCalls: 2 })
  })
})
