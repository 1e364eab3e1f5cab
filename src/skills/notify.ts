import { z } from 'zod'
import type { EvaluationId, OutboxKey } from '../domain/ids.ts'
import type { JSONType } from '../domain/json.ts'
import type { Tool } from '../domain/tool.ts'
import { argumentsOf } from './arguments.ts'
import { parametersOf } from './parameters.ts'
import { visible } from './visible.ts'

/** Something the user is told. Hidden characters in it have been made visible. */
export interface Notification {
  /** The same key is the same notification, however often it is handed over. */
  key: OutboxKey
  evaluation: EvaluationId
  at: number
  title: string
  body: string | null
}

/** Where notifications go. It is handed one again after a crash, and shows each key once. */
export type NotificationSink = (notification: Notification) => void

const name = 'notify'
const Arguments = z.strictObject({
  title: z.string().trim().min(1).max(200).describe('One line.'),
  body: z.string().max(4000).optional().describe('What there is to say beyond the title.'),
})
const parameters = parametersOf(Arguments)

const parse = (args: Record<string, JSONType>) => {
  const { title, body } = argumentsOf(name, Arguments, args)
  return { title: title.replace(/\s+/g, ' '), ...(body === undefined ? {} : { body }) }
}

/** The tool that tells the user something. */
export const notify = (sink: NotificationSink): Tool => ({
  name,
  description:
    'Tells the user something. Arguments: title (one line, at most 200 characters), body (optional, at most 4000).',
  effect: 'notify',
  get parameters() {
    return parameters()
  },
  repeatable: true,
  parse,
  target: () => 'user',
  run: async (args, run) => {
    const { title, body } = parse(args)
    sink({
      key: run.key,
      evaluation: run.evaluation,
      at: run.now,
      title: visible(title),
      body: body === undefined ? null : visible(body),
    })
    return 'The user has been notified.'
  },
})
