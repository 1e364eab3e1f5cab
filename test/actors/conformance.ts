import { describe } from 'vitest'
import { actors } from './conformance/actors.ts'
import { messages } from './conformance/messages.ts'
import type { MakeTheatre } from './conformance/theatre.ts'
import { timers } from './conformance/timers.ts'
import { watching } from './conformance/watching.ts'
import { work } from './conformance/work.ts'
import { writes } from './conformance/writes.ts'

/** What every adapter of the `ActorHost` port must do, whatever it keeps its rows in. */
export function describeActorHost(name: string, make: MakeTheatre): void {
  describe(name, () => {
    for (const part of [messages, actors, writes, watching, work, timers]) part(make)
  })
}
