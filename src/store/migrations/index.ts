import { first } from './0001-first.ts'
import { usage } from './0002-usage.ts'
import { agentRuns } from './0003-agent-runs.ts'
import { sessions } from './0004-sessions.ts'
import { directives } from './0005-directives.ts'

/** In order; the store's version is how many of them have run. Never edited once released, only added to. */
export const migrations: readonly string[] = [first, usage, agentRuns, sessions, directives]
