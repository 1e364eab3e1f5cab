import { z } from 'zod'
import { Fault } from '../domain/errors.ts'
import { ToolCall } from '../domain/escalation.ts'
import type { Card } from './views.ts'

const Arguments = z.record(z.string(), z.json())

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    const sentence = `--edit is no JSON. Quote it for your shell, for example --edit '{"text":"other words"}'.`
    throw Fault.use('cli/edit-invalid', sentence, { edit: text })
  }
}

const refuse = (sentence: string, edit: string): never => {
  throw Fault.use('cli/edit-invalid', sentence, { edit })
}

/**
 * The calls of a card as the user wants them: a list of calls in their place, or an object of arguments to replace in a
 * card of one call. Throws `cli/edit-invalid`; whether a tool takes the arguments is for the tool to say.
 */
export const editedCalls = (card: Card, edit: string): ToolCall[] => {
  const given = parse(edit)
  if (Array.isArray(given)) {
    const calls = z.array(ToolCall).min(1).safeParse(given)
    return calls.success
      ? calls.data
      : refuse('--edit is a list, but not of calls. A call is {"tool":"…","arguments":{…}}.', edit)
  }
  const changed = Arguments.safeParse(given)
  if (!changed.success) return refuse('--edit is neither an object of arguments nor a list of calls.', edit)
  const [call, ...others] = card.calls
  if (call === undefined || others.length > 0) {
    return refuse(
      `This card has ${card.calls.length} calls. Give all of them as a list: [{"tool":"…","arguments":{…}}].`,
      edit,
    )
  }
  return [{ tool: call.tool, arguments: { ...call.arguments, ...changed.data } }]
}
