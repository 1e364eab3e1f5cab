import type { ChatModel, ChatReply } from '../../domain/chat.ts'
import { Fault } from '../../domain/errors.ts'
import type { Provider } from '../../domain/model.ts'
import { type CountTokens, roomOf } from './budget.ts'
import { judgementRequest } from './judging.ts'
import { analysisFrom, textFrom } from './step-answers.ts'
import { analysisRequest, textRequest } from './steps.ts'

/**
 * A provider made of a model that can be talked to. `countTokens` is what reports are measured by. Throws what the model
 * throws, and `model/bad-answer` where a step's answer says nothing or stops before its end; what a judgement says is
 * handed on as it came.
 */
export function languageProvider(chat: ChatModel, { countTokens }: { countTokens: CountTokens }): Provider {
  const room = roomOf(chat.contextTokens, countTokens)

  return {
    id: chat.id,
    model: chat.model,
    contextTokens: chat.contextTokens,

    async judge(request, signal) {
      signal.throwIfAborted()
      const { text, usage, cutOff } = await chat.chat(judgementRequest(request, room), signal)
      return { text, usage, cutOff }
    },

    async execute(step, signal) {
      signal.throwIfAborted()
      const reply = await chat.chat(textRequest(step, room), signal)
      return { ...read(reply, textFrom(reply.text, step.report)), usage: reply.usage }
    },

    async analyse(step, signal) {
      signal.throwIfAborted()
      const reply = await chat.chat(analysisRequest(step, room), signal)
      return { ...read(reply, analysisFrom(reply.text, step.report)), usage: reply.usage }
    },
  }

  /** What an answer was read as. One that was cut off is none: its end might have said the opposite. */
  function read<T>({ cutOff, usage }: ChatReply, answer: T | undefined): T {
    if (answer !== undefined && !cutOff) return answer
    const what = cutOff ? 'stopped before the end of its answer' : 'gave an answer with nothing in it'
    throw new Fault(
      'model/bad-answer',
      `${chat.model} ${what}. It is asked again later; if it stays so, choose another model.`,
      { model: chat.model, usage },
    )
  }
}
