import { z } from 'zod'

const Answer = z.strictObject({
  kind: z.enum(['reply', 'defer']),
  text: z.string().nullish(),
  brief: z.string().nullish(),
})

export type Reflex = { kind: 'reply'; text: string } | { kind: 'defer'; brief: string }

/** What the reflex agent's answer says; undefined where it is not exactly one of a reply and a brief. */
export function readReflex(answer: string): Reflex | undefined {
  const read = Answer.safeParse(jsonIn(answer))
  if (!read.success) return undefined
  const text = read.data.text?.trim() ?? ''
  const brief = read.data.brief?.trim() ?? ''
  if (read.data.kind === 'reply') return text !== '' && brief === '' ? { kind: 'reply', text } : undefined
  return brief !== '' && text === '' ? { kind: 'defer', brief } : undefined
}

function jsonIn(answer: string): unknown {
  const [, fenced] = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/.exec(answer) ?? []
  try {
    return JSON.parse(fenced ?? answer)
  } catch {
    return undefined
  }
}
