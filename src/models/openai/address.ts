import { Fault } from '../../domain/errors.ts'

/**
 * Tidies the address of an endpoint as people copy it: no spaces around it, no slashes at its end, no query, not the route
 * itself. A missing `/v1` is not added, since not every endpoint has one.
 */
export const openaiAddress = (base: string): string => {
  const text = base.trim()
  if (!URL.canParse(text) || !/^https?:\/\//i.test(text))
    throw Fault.use(
      'model/unreachable',
      `Cannot use "${text.slice(0, 200)}" as the address of a model: it is no http or https address. Correct base_url.`,
    )
  const { origin, pathname } = new URL(text)
  const path = pathname.replace(/\/{2,}/g, '/').replace(/(?:\/chat\/completions|\/models)?\/*$/, '')
  return origin + path
}
