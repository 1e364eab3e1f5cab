import { expect, it } from 'vitest'
import { minute, second } from '../../src/domain/clock.ts'
import type { DirectiveId } from '../../src/domain/ids.ts'
import { scriptedProvider } from '../../src/models/scripted.ts'
import { house } from '../support/house.ts'
import { agentThat, use } from './agent-house.ts'
import { afterKill, settle } from './scene.ts'
import { quick, thinker } from './sessions-scene.ts'

const settings = { 'orchestration.enabled': true }
const anna = { agent: 'anna', session: 'plans' }
const ask = (body: string) => ({ ...anna, body })

const said = ({ runtime }: Pick<Awaited<ReturnType<typeof house>>, 'runtime'>, session = 'anna/plans') =>
  runtime.sessions.messages(session, { limit: 50 }).messages.map(({ role, body }) => `${role} ${body}`)

it('answers other agents and the user in a whole house, with the files of the workspace', async () => {
  const agent = agentThat([use('read_file', { path: 'plan.md' })], 'It is on Tuesday.', 'Yes, I am here.')
  const home = await house({
    settings,
    files: { 'plan.md': 'The plan is for Tuesday.\n' },
    provider: scriptedProvider({}),
    agent,
    reflex: quick(),
  })
  await home.runtime.sessions.send(ask('hi'))
  await home.clock.advance(second, () => settle(home))
  await home.runtime.sessions.send(ask('Work out the day'))
  await home.clock.advance(second, () => settle(home))
  expect(said(home)).toEqual([
    'user hi',
    'assistant Hello yourself.',
    'user Work out the day',
    'assistant It is on Tuesday.',
  ])
  expect(agent.requests[1]!.messages.at(-1)?.text).toContain('The plan is for Tuesday.')
  const names = agent.requests.flatMap(({ tools }) => tools?.map(({ name }) => name) ?? [])
  expect(new Set(names)).toEqual(new Set(['read_file', 'list_files', 'search_files', 'diff_file', 'delegate']))
  await home.runtime.sessions.send({ session: 'master', body: 'Are you there?' })
  await home.clock.advance(second, () => settle(home))
  expect(said(home, 'master')).toEqual(['user Are you there?', 'assistant Yes, I am here.'])
  const used = await home.runtime.usage({ days: 1, by: 'purpose' })
  expect(used.rows.map(({ key, calls }) => [key, calls])).toEqual(
    expect.arrayContaining([
      ['reflex', 2],
      ['core', 3],
    ]),
  )
})

it('answers after a restart, and after a kill, what came before', async () => {
  const home = await house({ settings, provider: scriptedProvider({}), reflex: quick() })
  await home.runtime.sessions.send(ask('hi'))
  await home.restart()
  await home.clock.advance(second, () => settle(home))
  expect(said(home)).toEqual(['user hi', 'assistant Hello yourself.'])
  await home.runtime.sessions.send(ask('hi again'))
  const next = await afterKill(home, { settings, provider: scriptedProvider({}), reflex: quick() })
  await next.clock.advance(second, () => settle(next))
  expect(said(next)).toEqual(['user hi', 'assistant Hello yourself.', 'user hi again', 'assistant Hello yourself.'])
})

it('is steered for its peer only, for as many cycles as the directive was made for', async () => {
  const agent = thinker('Done.')
  const home = await house({ settings, provider: scriptedProvider({}), agent })
  const { stores, host, sessions } = home.runtime
  const directive = { scope: 'anna', text: 'Mind the date.', createdCycle: 0, expiresAfter: 2, rows: [], againOf: null }
  await host.write(() => stores.directives.insert({ ...directive, id: 'directive_1' as DirectiveId, createdAt: 0 }))
  for (const [peer, isSteered] of [
    ['bob', false],
    ['anna', true],
    ['anna', true],
    ['anna', false],
  ] as const) {
    agent.requests.length = 0
    await sessions.send({ agent: peer, session: 'plans', body: 'Work' })
    await home.clock.advance(second, () => settle(home))
    const prompts = agent.requests
      .map(({ messages }) => messages[0]!.text)
      .filter((text) => text.includes('reasoning core'))
    expect(prompts.map((text) => text.includes('Mind the date.'))).toEqual([isSteered])
  }
  expect(home.runtime.directives.history()).toMatchObject([{ id: 'directive_1', state: 'expired' }])
})

it('tries again at once, when it is started, what has failed before', async () => {
  const home = await house({ settings, provider: scriptedProvider({}) })
  await home.runtime.sessions.send(ask('hi'))
  await home.clock.advance(10 * minute, () => settle(home))
  expect(home.runtime.sessions.find('anna/plans')).toMatchObject({ state: 'retrying' })
  await home.restart({ agent: thinker() })
  await settle(home)
  expect(home.runtime.sessions.find('anna/plans')).toMatchObject({ state: 'retrying' })
  await home.runtime.start()
  await settle(home)
  expect(said(home)).toEqual(['user hi', 'assistant It is done thinking.'])
})

it('has no sessions until they are switched on', async () => {
  const home = await house({ provider: scriptedProvider({}) })
  expect(() => home.runtime.sessions.list()).toThrow(/\[orchestration\]/)
  await home.clock.advance(10 * minute, () => settle(home))
  await home.restart({ settings })
  expect(home.runtime.sessions.list().map(({ kind }) => kind)).toEqual(['master', 'subconscious'])
})
