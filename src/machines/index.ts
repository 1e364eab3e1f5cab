import { agentRun } from './agent-run.ts'
import { evaluation } from './evaluation.ts'
import { heartbeat } from './heartbeat.ts'
import { instance } from './instance.ts'
import { session } from './session.ts'
import { tick } from './tick.ts'
import { toolCall } from './tool-call.ts'

/** Every chart there is; diagrams and model checks go through this table. */
export const charts = { heartbeat, instance, tick, evaluation, agentRun, toolCall, session } as const
