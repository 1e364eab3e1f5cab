import { type OpenOptions, openHouse } from './house/open.ts'
import type { Runtime } from './runtime.ts'

export type { InspectedStep, Inspector } from './actors/inspection.ts'
export type { Source } from './domain/change.ts'
export type { Clock } from './domain/clock.ts'
export { Fault, type FaultCode } from './domain/errors.ts'
export type { Card } from './domain/escalation.ts'
export type { Evaluation } from './domain/evaluation.ts'
export type { Provider } from './domain/model.ts'
export type { News } from './domain/news.ts'
export type { Channel, Outbound } from './domain/session.ts'
export type { Settings } from './domain/settings.ts'
export type { Task } from './domain/task.ts'
export type { Tool } from './domain/tool.ts'
export type { Observation, OwnPorts, Profile, Reflection } from './domain/world.ts'
export type { OpenOptions } from './house/open.ts'
export { builtinProvider } from './models/builtin/provider.ts'
export { scriptedProvider } from './models/scripted.ts'
export type { Runtime } from './runtime.ts'
export { initWorkspace } from './settings/init.ts'

/**
 * Opens a workspace's background mind in this process; `await using` closes it. Nothing runs until `start()` or
 * `trigger()`. Throws a `Fault` with a stable code; docs/errors.md lists them.
 */
export const createRuntime = async (options: OpenOptions): Promise<Runtime> => (await openHouse(options)).runtime
