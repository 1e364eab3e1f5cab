import { evaluation } from './evaluation.ts'
import { heartbeat } from './heartbeat.ts'
import { instance } from './instance.ts'
import { tick } from './tick.ts'

/** Every chart there is; diagrams and model checks go through this table. */
export const charts = { heartbeat, instance, tick, evaluation } as const
