import { z } from 'zod'
import { Fault } from '../domain/errors.ts'

type Issue = z.core.$ZodIssue

const mostShown = 3

/** Parameters as their schema reads them; throws `rpc/invalid-params` with a sentence that names the field. */
export function readParams<Params extends z.ZodType>(method: string, params: Params, given: unknown): z.output<Params> {
  const read = params.safeParse(given ?? {})
  if (read.success) return read.data
  const { issues } = read.error
  const sentences = issues.slice(0, mostShown).map((issue) => sentenceFor(issue, given))
  const more = issues.length > mostShown ? `; and ${issues.length - mostShown} more` : ''
  const takes = issues.some(({ code }) => code === 'unrecognized_keys') ? ` ${namesIn(params)}` : ''
  throw invalidParams(`Cannot call ${method}: ${sentences.join('; ')}${more}.${takes}`, {
    method,
    fields: issues.flatMap(fieldsOf),
  })
}

export const invalidParams = (sentence: string, facts: Record<string, unknown> = {}): Fault =>
  Fault.use('rpc/invalid-params', sentence, facts)

function sentenceFor(issue: Issue, given: unknown): string {
  const field = fieldName(issue.path)
  if (issue.code === 'unrecognized_keys') return `${fieldsOf(issue).join(', ')} is not among its parameters`
  if (field === '') {
    return issue.code === 'invalid_type' ? 'parameters are given by name, as an object' : issue.message
  }
  if (issue.path.length > 0 && valueAt(given, issue.path) === undefined) return `${field} is missing`
  return `${field}: ${issue.message.replace(/^Invalid input: /, '')}`
}

const fieldsOf = (issue: Issue): string[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => fieldName([...issue.path, key]))
    : [fieldName(issue.path)].filter((name) => name !== '')

const fieldName = (path: readonly PropertyKey[]): string =>
  path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index > 0 ? '.' : ''}${readable(String(step))}`))
    .join('')

const readable = (name: string): string => (/^[\w$-]{1,60}$/.test(name) ? name : JSON.stringify(name.slice(0, 60)))

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  let value = given
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Record<PropertyKey, unknown>)[step]
  }
  return value
}

function namesIn(params: z.ZodType): string {
  const names = params instanceof z.ZodObject ? Object.keys(params.shape) : []
  return names.length === 0 ? 'It takes none.' : `It takes ${names.join(', ')}.`
}
