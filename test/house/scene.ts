import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { Analysis } from '../../src/domain/decision.ts'
import type { Proposal, ToolCall } from '../../src/domain/escalation.ts'
import type { JSONType } from '../../src/domain/json.ts'
import type { Tool } from '../../src/domain/tool.ts'
import { type OpenOptions, openHouse } from '../../src/house/open.ts'
import type { House } from '../support/house.ts'

/** Who answers in these tests. */
export const ada = { by: 'ada (test)' }

/** The call of the tool that the tests' effects are counted by. */
export const mail = (to: string, text = 'hello'): ToolCall => ({ tool: 'send_mail', arguments: { to, text } })

export const proposal = (title: string, calls: ToolCall[], external = false): Proposal => ({
  title,
  summary: 'because it looks urgent',
  priority: 'normal',
  calls,
  provenance: [{ source: 'folder', key: 'notes.md', quote: 'line', external }],
})

export const proposes = (title: string, calls: ToolCall[], external = false): Analysis => ({
  kind: 'proposal',
  proposal: proposal(title, calls, external),
})

/** A tool with an effect outside, which must never happen twice; `sent` is what really happened. */
export function mailer(during: (to: string) => void | Promise<void> = () => {}) {
  const sent: string[] = []
  const read = (args: Record<string, JSONType>) => {
    if (typeof args.to !== 'string' || args.to === '') throw new Error('send_mail needs an address in "to"')
    return { to: args.to, text: String(args.text) }
  }
  const tool: Tool = {
    name: 'send_mail',
    description: 'Sends a mail.',
    repeatable: false,
    parse: read,
    target: (args) => read(args).to,
    async run(args) {
      const { to, text } = read(args)
      await during(to)
      sent.push(`${to}: ${text}`)
      return `sent to ${to}`
    },
  }
  return { tool, sent }
}

/** Lets everything that has begun run its course, timers that are due at once and the tidying afterwards too. */
export async function settle({ runtime }: Pick<House, 'runtime'>): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await setImmediate()
    await runtime.host.idle()
  }
}

/** Goes on once something is so; for what happens while work is still held up. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setImmediate()
}

/** Lets time pass, stopping at each moment at which the world means to tick. */
export async function pass(home: House, ms: number): Promise<void> {
  const { clock } = home
  const end = clock.now() + ms
  await settle(home)
  while (clock.now() < end) {
    const next = home.runtime.stores.ticks.nextTickAt() ?? end
    clock.set(Math.min(end, Math.max(next, clock.now() + 1)))
    await settle(home)
  }
}

/**
 * What a new process finds after the old one was killed at this moment: the same files, opened anew. The old runtime
 * knows nothing of it and goes on in the folder that it had.
 */
export async function afterKill({ root, clock }: House, options: Partial<OpenOptions>) {
  const copy = await mkdtemp(join(tmpdir(), 'undermind-killed-'))
  await cp(root, copy, { recursive: true, filter: (path) => !path.endsWith('.undermind/lock') })
  const settings = { 'user.timezone': 'Europe/Berlin', 'store.synchronous': 'normal' }
  const userConfigDir = `${copy}-config`
  const { runtime } = await openHouse({
    workspace: copy,
    clock,
    trusted: true,
    env: {},
    userConfigDir,
    settings,
    ...options,
  })
  onTestFinished(async () => {
    await runtime[Symbol.asyncDispose]()
    await rm(copy, { recursive: true, force: true })
  })
  return { runtime, root: copy, clock, cards: () => runtime.stores.escalations.open(100) }
}

/** A promise that is kept from outside. */
export function gate<T = void>() {
  let open: (value: T) => void = () => {}
  const passed = new Promise<T>((resolve) => {
    open = resolve
  })
  return { passed, open }
}
