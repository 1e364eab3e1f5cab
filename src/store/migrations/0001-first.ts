import { agents } from './0001/agents.ts'
import { directives } from './0001/directives.ts'
import { host } from './0001/host.ts'
import { loop } from './0001/loop.ts'
import { sessions } from './0001/sessions.ts'
import { sources } from './0001/sources.ts'
import { tasks } from './0001/tasks.ts'
import { usage } from './0001/usage.ts'

/**
 * Every table. Those of long rows have rowids: with none, every level of their tree is made of whole rows, and every index
 * holds the whole key. Times are integer milliseconds UTC; JSON columns end in no suffix and are text.
 */
export const first = [host, tasks, sources, loop, usage, agents, sessions, directives].join('')
