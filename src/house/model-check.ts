import type { ChatModel } from '../domain/chat.ts'
import { Fault, failureOf } from '../domain/errors.ts'
import type { Finding } from '../rpc/services.ts'
import type { Engine } from './engine.ts'
import type { RouteView, Stage } from './routes.ts'

const parts: Readonly<Record<Stage, string>> = {
  judge: 'judging',
  text: 'texts',
  tools: 'tool work',
  analyse: 'deeper looks',
}

const question = { role: 'user', text: 'Answer with the one word yes.' } as const

/** Has every model that is routed to answer one small question, and says of each part of the work who does it. */
export async function checkModels(engine: Pick<Engine, 'routes' | 'calls'>, signal: AbortSignal): Promise<Finding[]> {
  const { routes } = engine
  await routes.refresh(signal)
  const answered = new Map<ChatModel, Promise<Fault | null>>()
  const findings: Finding[] = []
  for (const view of routes.view()) {
    const chat = routes.chatOf(view.stage)
    if (chat && !answered.has(chat)) answered.set(chat, ask(engine, view, chat, signal))
    findings.push(findingOf(view, chat ? ((await answered.get(chat)) ?? null) : null))
  }
  return findings
}

async function ask(
  { calls }: Pick<Engine, 'calls'>,
  { route }: RouteView,
  chat: ChatModel,
  signal: AbortSignal,
): Promise<Fault | null> {
  const facts = { purpose: 'check' as const, tick: null, batch: null, world: null, evaluation: null, tasks: [] }
  const request = { messages: [question], promptTokens: 64, maxTokens: 256 }
  try {
    const { call } = await calls.make(
      { ...facts, provider: chat, route, prompt: question.text, promptTokens: request.promptTokens },
      signal,
      () => chat.chat(request, signal),
    )
    await calls.record(call)
    return null
  } catch (error) {
    signal.throwIfAborted()
    const { code, message } = failureOf(error)
    return error instanceof Fault ? error : new Fault(code as Fault['code'], message)
  }
}

function findingOf({ stage, provider, model, route, available, reason }: RouteView, fault: Fault | null): Finding {
  const check = `model for ${parts[stage]}`
  const named = model === provider ? model : `${model} (${provider}, ${route})`
  if (fault) return { check, ok: false, found: `${named} did not answer`, fix: fault.message }
  if (!available) {
    const found = reason ?? `${named} cannot be reached`
    // Whoever has only reading tasks needs nobody for tools.
    if (stage === 'tools') return { check, ok: true, found: `nobody: ${found}`, fix: null }
    return {
      check,
      ok: false,
      found,
      fix: 'Start it, or set provider = "builtin" under [models.local] in undermind.toml.',
    }
  }
  return { check, ok: true, found: reason === null ? named : `${named}: ${reason}`, fix: null }
}
