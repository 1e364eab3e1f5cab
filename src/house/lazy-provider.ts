import type { Provider } from '../domain/model.ts'

/** A provider whose code is loaded when it is first asked, so that what does not judge starts without it. */
export function lazyProvider(
  known: Pick<Provider, 'id' | 'model' | 'contextTokens'>,
  load: () => Promise<Provider>,
): Provider {
  let loaded: Promise<Provider> | null = null
  const provider = () => {
    loaded ??= load()
    return loaded
  }
  return {
    ...known,
    judge: async (request, signal) => (await provider()).judge(request, signal),
    execute: async (request, signal) => (await provider()).execute(request, signal),
    analyse: async (request, signal) => (await provider()).analyse(request, signal),
  }
}
