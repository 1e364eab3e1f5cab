import type { ChatRequest } from '../../domain/chat.ts'
import { Fault } from '../../domain/errors.ts'
import { type Endpoint, quoted } from './endpoint.ts'
import { Broken, NoConnection, Refusal } from './refusal.ts'
import { addressWrong, notReached } from './unreachable.ts'
import { waitAsked } from './waits.ts'

/**
 * What became of a request that brought no answer, and whether it may be sent again: `limited` when it came too early,
 * `busy` when the server could not, `final` when it would fare no better, `unclear` when the server minds something about
 * it and did not say what.
 */
export interface Verdict {
  again: 'limited' | 'busy' | 'final' | 'unclear'
  /** How long the server wants to be left alone, where it says so. */
  afterMs?: number | undefined
  fault: (retryAfterMs?: number) => Fault
}

const tooLarge =
  /request too large|context[_ ](?:length|size|window|limit)|maximum context|max(?:imum)? (?:model|prompt|input) length|too many (?:input |prompt )?tokens|(?:prompt|input|request|message)s? (?:is|are) too (?:long|large)|reduce the length|exceed\w* (?:the )?(?:model's )?(?:available |maximum )?(?:context|token limit|number of tokens)|max(?:_completion)?_tokens\b.{0,40}(?:too large|at most|exceed)|string_above_max_length/i
const noCredit =
  /insufficient[_ ](?:quota|balance|funds|credits?)|billing_(?:hard_limit|not_active)|credit balance|out of credits?|more credits|payment required/i
/** Some call every limit so; one that says when it ends is a rate limit. */
const maybeNoCredit = /billing|current[_ ]quota|quota exceeded/i
const filtered = /content[_ ](?:filter|policy|management policy)|responsibleai|flagged|moderation|safety system/i
const noTools = /tool(?:s| use| call(?:s|ing)?| choice|_choice)?\b|function[_ -]?call/i
/** About how tools are described or were used, which says nothing about whether the model has them. */
const badTools =
  /invalid schema for function|tool_call_id|tool_calls|role ['"`]?tool|function\.(?:name|parameters|description)|duplicate|too many tools/i
/** The model tried to use a tool and failed at it. */
const toolMissed = /tool_use_failed|failed to (?:call a function|parse tool)/i
const noModel =
  /model\b[^\n]{0,120}(?:not (?:found|exist|available)|does(?: not|n't) exist|is unknown|not a valid|not loaded)|(?:no such|unknown) model|invalid model (?:name|id)|not a valid model|no models? loaded|model_not_found|no endpoints found/i

/** Judges what was thrown instead of an answer to `request`. */
export const verdictOn = (
  error: unknown,
  endpoint: Endpoint,
  request: Pick<ChatRequest, 'tools'>,
  now: number,
): Verdict => {
  if (error instanceof Fault) return final(error)
  if (error instanceof NoConnection) return final(notReached(error, endpoint))
  if (error instanceof Broken) return { again: 'busy', fault: () => brokeOff(error.message, endpoint) }
  if (error instanceof Refusal) return onRefusal(error, endpoint, request, now)
  const said = error instanceof Error ? error.message : String(error)
  return final(brokeOff(said, endpoint))
}

const onRefusal = (
  refusal: Refusal,
  endpoint: Endpoint,
  { tools = [] }: Pick<ChatRequest, 'tools'>,
  now: number,
): Verdict => {
  const { status } = refusal
  const { address, model } = endpoint
  const said = quoted(refusal.words, endpoint)
  const text = `${refusal.code} ${refusal.words}`
  const data = { address, model, status }
  const afterMs = waitAsked(refusal, now)
  const isOneOf = (...statuses: number[]) => statuses.includes(status)

  if (status === 413 || (isOneOf(0, 400, 422, 429, 500) && tooLarge.test(text)))
    return final(
      new Fault(
        'model/too-large',
        `The request is larger than ${model} at ${address} takes.${said} Lower context_tokens to what it can hold, or use a larger model.`,
        data,
      ),
    )
  const isQuota = noCredit.test(text) || (afterMs === undefined && maybeNoCredit.test(text))
  if (status === 402 || (isOneOf(0, 400, 403, 429) && isQuota))
    return final(
      new Fault(
        'model/quota',
        `The account at ${address} has no credit or quota left.${said} Top it up or raise its limit; trying again does not help before.`,
        data,
      ),
    )
  if (isOneOf(0, 400, 403, 422) && filtered.test(text))
    return final(
      new Fault(
        'model/refused',
        `A filter at ${address} refused the request.${said} Change the task's words, or use another model.`,
        data,
      ),
    )
  if (isOneOf(401, 403)) return final(keyRefused(refusal, endpoint, said))
  if (toolMissed.test(text)) return final(brokeOff(refusal.words, endpoint))
  if (tools.length > 0 && isOneOf(0, 400, 404, 422, 500, 501) && aboutTools(refusal, text))
    return final(
      new Fault(
        'model/no-tools',
        `The model ${model} at ${address} cannot use tools.${said} Choose one that can, or start its server with tool calling switched on.`,
        data,
      ),
    )
  const namesModel = status === 404 ? /\bmodels?\b/i.test(text) || text.includes(model) : noModel.test(text)
  if (isOneOf(0, 400, 404, 422) && namesModel && !refusal.isPage)
    return final(
      new Fault(
        'model/missing',
        `There is no model ${model} at ${address}.${said} Correct the model's name in the settings, or load it there.`,
        data,
      ),
    )
  if (isOneOf(404, 405) || (status >= 300 && status < 400) || /unexpected endpoint/i.test(text))
    return final(addressWrong(refusal, endpoint))
  if (status === 429 || (status === 0 && /rate[_ ]limit/i.test(text)))
    return { again: 'limited', afterMs, fault: (wait) => rateLimited(wait, endpoint, said) }
  if (
    isOneOf(408, 409, 425) ||
    (status >= 500 && status !== 501) ||
    (status === 0 && /overloaded|unavailable/i.test(text))
  )
    return { again: 'busy', afterMs, fault: (wait) => busy(refusal, wait, endpoint, said) }
  if (isOneOf(400, 422)) return { again: 'unclear', fault: () => notTaken(refusal, endpoint, said) }
  return final(status === 0 ? brokeOff(refusal.words, endpoint) : notTaken(refusal, endpoint, said))
}

const final = (fault: Fault): Verdict => ({ again: 'final', fault: () => fault })

const aboutTools = ({ param, status }: Refusal, text: string): boolean => {
  if (badTools.test(text)) return false
  if (/^(?:body\.)?tool(?:s|_choice)$/.test(param)) return true
  return status === 500 ? /--jinja|(?:not|n't) support.{0,20}tool/i.test(text) : noTools.test(text)
}

/** 401 is told in our words alone: what servers say then often shows a part of the key. */
const keyRefused = ({ status }: Refusal, { address, model, key }: Endpoint, said: string): Fault => {
  const why =
    key === undefined
      ? `${address} wants a key and none was sent. Name the environment variable that holds it with api_key_env, and set it.`
      : status === 401
        ? `${address} does not accept the key of the model ${model}. Correct the environment variable that api_key_env names.`
        : `${address} does not let this key use the model ${model}.${said} Allow it there, or correct the environment variable that api_key_env names.`
  return new Fault('model/key-refused', why, { address, model, status })
}

const rateLimited = (retryAfterMs: number | undefined, { address, model }: Endpoint, said: string): Fault => {
  const wait = retryAfterMs === undefined ? '' : ` for ${inWords(retryAfterMs)}`
  return new Fault(
    'model/rate-limited',
    `${address} takes no more requests for the model ${model}${wait}, because of its rate limit.${said} It is asked again later; raise the limit there if this goes on.`,
    { address, model, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
  )
}

const busy = (
  { status }: Refusal,
  retryAfterMs: number | undefined,
  { address, model }: Endpoint,
  said: string,
): Fault =>
  new Fault(
    'model/busy',
    `The server at ${address} could not answer (HTTP ${status}).${said} It is asked again later; if this goes on, look at its log.`,
    { address, model, status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
  )

const notTaken = ({ status }: Refusal, { address, model }: Endpoint, said: string): Fault =>
  new Fault(
    'model/bad-request',
    `The server at ${address} does not take what it is asked (HTTP ${status}).${said} See that it speaks the OpenAI protocol for chat, and that ${model} is a model to chat with.`,
    { address, model, status },
  )

/** An answer that is none. */
export const brokeOff = (what: string, endpoint: Endpoint): Fault => {
  const { address, model } = endpoint
  return new Fault(
    'model/bad-answer',
    `The answer of ${model} at ${address} broke off or could not be read${quoted(what, endpoint, ': ') || '.'} It is asked again later; if this goes on, look at the server's log.`,
    { address, model },
  )
}

const inWords = (ms: number): string => {
  const seconds = Math.ceil(ms / 1000)
  if (seconds < 120) return `${seconds} seconds`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`
}
