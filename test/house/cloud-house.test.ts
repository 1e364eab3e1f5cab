import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { day, hour } from '../../src/domain/clock.ts'
import type { House } from '../support/house.ts'
import { refusal } from '../support/openai-replies.ts'
import { cloudScene, files, turns, use } from './cloud-scene.ts'
import { pass, settle, until } from './scene.ts'
import { type Brain, nobody } from './served-house.ts'

const writing = 'Keep a summary of the decisions in DECISIONS.md and commit it'
const agenticWork = { decision: 'act', needs: 'tools' }

const toolsIn = (asked: { tools?: { function: { name: string; description: string } }[] } | undefined) =>
  Object.fromEntries(
    (asked?.tools ?? []).map((tool) => [tool.function.name, tool.function.description.includes('only proposes')]),
  )

describe('an escalated task that only reads, with an agent in the cloud', () => {
  it('is looked into with tools that read, and ends with what was found and where', async () => {
    const agent = turns([use('read_file', { path: 'notes.md' }), use('list_files', {})], 'Nobody has said who pays.')
    const { home, server } = await cloudScene({ brain: agent })
    const { evaluations } = await home.tick()
    expect(evaluations).toMatchObject([{ state: 'acted', text: 'Nobody has said who pays.', tainted: true }])
    expect(evaluations[0]?.sources).toMatchObject([{ key: 'notes.md', external: true }])
    const [first, second] = server.chats()
    expect(toolsIn(first)).toMatchObject({ read_file: false, write_file: true, git_commit: true, run_command: true })
    const answers = second?.messages.filter(({ role }) => role === 'tool')
    expect(answers?.map(({ content }) => content)).toEqual([
      expect.stringContaining('Who pays the venue?'),
      expect.stringContaining('plan.md'),
    ])
    // What an external file says stands in no system prompt.
    for (const { role, content } of second!.messages) if (role === 'system') expect(content).not.toContain('venue')
  })

  it('ends with a card of calls, which Go ahead makes as they were shown, without asking the agent again', async () => {
    const call = { path: 'DECISIONS.md', content: '# Decisions\n- The venue is booked.\n' }
    const { home, server } = await cloudScene({ brain: turns([use('write_file', call)], 'It is booked; note it.') })
    const { evaluations } = await home.tick()
    expect(evaluations).toMatchObject([{ state: 'awaitingApproval' }])
    const [card] = home.cards()
    expect(card).toMatchObject({ kind: 'proposal', calls: [{ tool: 'write_file', arguments: call }], external: true })
    await expect(readFile(join(home.root, 'DECISIONS.md'))).rejects.toThrow()
    const asks = server.chats().length
    expect(await home.runtime.approve(card!)).toMatchObject({ state: 'acted' })
    expect(await readFile(join(home.root, 'DECISIONS.md'), 'utf8')).toBe(call.content)
    expect(server.chats()).toHaveLength(asks)
  })

  it('is judged by the local model alone: nobody in the cloud is asked about what was not escalated', async () => {
    const { home, server, judge } = await cloudScene({ verdict: { decision: 'act', text: 'Something changed.' } })
    for (let n = 0; n < 3; n++) {
      await home.write('notes.md', `Question ${n}?\n`)
      await home.tick()
    }
    expect([judge.server.chats().length, server.requests]).toEqual([3, []])
  })

  it('is not judged in the cloud while the local model that was asked for is away', async () => {
    const { home, server } = await cloudScene({
      env: { OLLAMA_HOST: await nobody() },
      settings: { 'models.local.provider': 'ollama' },
    })
    expect(await home.tick()).toMatchObject({ state: 'failed' })
    expect(server.requests).toEqual([])
  })
})

describe('a task whose own words ask for a change, with an agent in the cloud', () => {
  /** A repository, and a user whom its commits are by. */
  function repository(home: Pick<House, 'root'>) {
    const config = `${home.root}-git`
    mkdirSync(config, { recursive: true })
    writeFileSync(join(config, '.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.org\n')
    const env = { PATH: process.env.PATH ?? '', HOME: config, GIT_CONFIG_NOSYSTEM: '1' }
    const git = (...args: string[]) => execFileSync('git', args, { cwd: home.root, env, encoding: 'utf8' }).trimEnd()
    git('init', '--quiet', '--initial-branch=main')
    git('add', 'notes.md', 'plan.md')
    git('commit', '--quiet', '--message=First')
    return { git, env }
  }

  it('has it written and committed without a card, and nothing else', async () => {
    const agent = turns(
      [use('read_file', { path: 'plan.md' })],
      [use('write_file', { path: 'DECISIONS.md', content: '- The venue is booked.\n' })],
      [use('git_commit', { message: 'Note the decision', paths: ['DECISIONS.md'] })],
      'The summary is up to date.',
    )
    const { home, env, row } = await cloudScene({ task: writing, verdict: agenticWork, brain: agent })
    expect(
      row()
        .effects.map(({ tool, target }) => `${tool} ${target}`)
        .sort(),
    ).toEqual(['append_file DECISIONS.md', 'git_commit git commit', 'write_file DECISIONS.md'])
    const { git, env: own } = repository(home)
    Object.assign(env, own)
    const { evaluations } = await home.tick()
    expect(evaluations[0]).toMatchObject({ state: 'acted' })
    expect(evaluations[0]?.text).toMatch(/Wrote DECISIONS\.md[\s\S]*Committed 1 file[\s\S]*The summary is up to date\./)
    expect(home.cards()).toEqual([])
    expect(await readFile(join(home.root, 'DECISIONS.md'), 'utf8')).toBe('- The venue is booked.\n')
    expect(git('log', '--format=%an %s')).toBe('Ada Note the decision\nAda First')
    expect(git('show', '--name-only', '--format=')).toBe('DECISIONS.md')
  })

  it('has commands run that its words name and the settings allow, and every other put to the user and refused', async () => {
    const agent = turns(
      [use('run_command', { command: ['node', '--version'] })],
      [use('run_command', { command: ['sh', '-c', 'node --version'] })],
      'Done.',
    )
    const task = 'Run `node --version` and tell me what it says'
    const { home, server } = await cloudScene({
      task,
      verdict: agenticWork,
      brain: agent,
      settings: { 'tools.commands': ['node --version'] },
    })
    const { evaluations } = await home.tick()
    expect(evaluations[0]).toMatchObject({ state: 'awaitingApproval' })
    const told = server.chats()[1]?.messages.at(-1)
    expect(told?.content).toContain(process.version)
    const [card] = home.cards()
    expect(card?.calls).toEqual([{ tool: 'run_command', arguments: { command: ['sh', '-c', 'node --version'] } }])
    expect(await home.runtime.approve(card!)).toMatchObject({
      state: 'failed',
      failure: { code: 'tool/command-refused' },
    })
  })
})

describe('whatever an agent in the cloud asks for in an analysis, and in whatever form,', () => {
  it('changes no file, makes no commit and starts no program', async () => {
    const raw: { tool: string; arguments: string }[] = []
    const wanted = { path: 'plan.md', content: 'PWNED' }
    for (const tool of ['write_file', 'WRITE_FILE', 'functions.write_file', 'write_file ', 'allow_write', 'git_commit'])
      for (const args of [
        JSON.stringify(wanted),
        JSON.stringify(JSON.stringify(wanted)),
        JSON.stringify({ arguments: wanted }),
        `\`\`\`json\n${JSON.stringify(wanted)}\n\`\`\``,
        JSON.stringify({ message: 'PWNED', paths: ['plan.md'] }),
      ])
        raw.push({ tool, arguments: args })
    raw.push(
      use('run_command', { command: ['touch', 'PWNED'] }),
      use('append_file', { path: 'plan.md', text: 'PWNED' }),
    )
    const inWords = `<tool_call>${JSON.stringify({ name: 'write_file', arguments: wanted })}</tool_call>`
    const agent: Brain = (_, turn) =>
      turn < 2 ? { calls: raw } : turn === 2 ? { text: inWords } : { text: 'I have done all that.' }
    const { home } = await cloudScene({ brain: agent, settings: { 'tools.commands': ['touch **'] } })
    const { evaluations } = await home.tick()
    expect(['awaitingApproval', 'acted', 'failed']).toContain(evaluations[0]?.state)
    expect(await readFile(join(home.root, 'plan.md'), 'utf8')).toBe(files['plan.md'])
    await expect(readFile(join(home.root, 'PWNED'))).rejects.toThrow()
    expect(home.runtime.stores.records.images(evaluations[0]!.id)).toEqual([])
  })
})

describe('an endpoint in the cloud that does not answer', () => {
  const later = { 'retry-after': '3600' }
  const troubles = {
    'model/key-refused': refusal(401, { message: 'Incorrect API key', code: 'invalid_api_key' }),
    'model/quota': refusal(429, { message: 'You exceeded your current quota', code: 'insufficient_quota' }),
    'model/rate-limited': refusal(429, 'Rate limit reached', later),
    'model/busy': refusal(500, 'The server had an error', later),
  }

  it.each(Object.entries(troubles))(
    '%s: has the task wait without being paused, and loses nothing',
    async (code, reply) => {
      const { home, server, row, last, thinks } = await cloudScene()
      server.reply(() => reply)
      await home.runtime.start()
      await pass(home, day)
      const asks = server.chats().length
      expect(last()).toMatchObject({ state: 'failed', failure: { code, message: expect.stringMatching(/\w.*\./) } })
      expect(row()).toMatchObject({ paused: null, judgedThrough: 0 })
      expect(row().attempts).toBeGreaterThan(5)
      // Ever more seldom: an outage is no storm of requests.
      expect(asks).toBeLessThan(30)
      expect(home.runtime.status().worlds[0]).toMatchObject({ consecutiveFailures: 0 })

      thinks(turns('Nobody has said who pays.'))
      await pass(home, 7 * hour)
      expect(last()).toMatchObject({ state: 'acted', text: 'Nobody has said who pays.' })
      expect(row()).toMatchObject({ attempts: 0, retryAt: null, judgedThrough: home.runtime.stores.changes.head() })
    },
  )

  it('but soon will, is asked again within the call', async () => {
    const { home, server, thinks, last } = await cloudScene()
    server.reply(() => refusal(429, 'Rate limit reached', { 'retry-after': '2' }))
    const tick = await home.runtime.trigger()
    await server.next()
    await until(() => home.clock.nextWakeAt === home.clock.now() + 2000)
    thinks(turns('All is well.'))
    home.clock.set(home.clock.now() + 2000)
    await home.runtime.settled(tick)
    expect(last()).toMatchObject({ state: 'acted', text: 'All is well.' })
    expect(server.chats()).toHaveLength(2)
  })

  it('for want of a key is not asked: the variable that is not set is named, and work goes on once it is', async () => {
    const settings = { 'models.cloud.api_key_env': 'CLOUD_KEY' }
    const key = 'sk-test-4Jq8XhZk'
    const { home, env, server, row, last } = await cloudScene({
      settings,
      served: { key },
      brain: turns('All is well.'),
    })
    await home.tick()
    expect(last()).toMatchObject({ state: 'failed', failure: { code: 'model/no-key' } })
    expect(last().failure?.message).toContain('CLOUD_KEY')
    expect(row()).toMatchObject({ paused: null })
    expect(server.requests).toEqual([])
    const findings = await home.runtime.checkModels()
    const bad = findings.filter(({ ok }) => !ok)
    expect(bad.map(({ check }) => check)).toEqual(['model for tool work', 'model for deeper looks'])
    expect(bad[0]?.fix).toContain('CLOUD_KEY')

    env.CLOUD_KEY = key
    await home.restart()
    await home.clock.advance(2 * hour, () => settle(home))
    await home.tick()
    expect(last()).toMatchObject({ state: 'acted', text: 'All is well.' })
    expect(server.requests.every(({ headers }) => headers.authorization === `Bearer ${key}`)).toBe(true)
  })
})
