import { setImmediate } from 'node:timers/promises'
import type { Analysis } from '../../src/domain/decision.ts'
import type { Proposal, ToolCall } from '../../src/domain/escalation.ts'
import type { JSONType } from '../../src/domain/json.ts'
import type { Tool } from '../../src/domain/tool.ts'
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
export async function settle({ runtime }: House): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await setImmediate()
    await runtime.host.idle()
  }
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

/** A promise that is kept from outside. */
export function gate<T = void>() {
  let open: (value: T) => void = () => {}
  const passed = new Promise<T>((resolve) => {
    open = resolve
  })
  return { passed, open }
}
