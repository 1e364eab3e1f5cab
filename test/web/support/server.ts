import { pathToFileURL } from 'node:url'
import { onTestFinished } from 'vitest'
import type { Decision } from '../../../src/domain/decision.ts'
import type { ReportTask } from '../../../src/domain/report.ts'
import { pageFiles } from '../../../src/house/door/page-files.ts'
import { servicesOf } from '../../../src/house/services.ts'
import { systemClock } from '../../../src/house/system-clock.ts'
import { type Script, scriptedProvider } from '../../../src/models/scripted.ts'
import { dispatcher } from '../../../src/rpc/dispatch.ts'
import { type HttpServer, serveHttp } from '../../../src/rpc/http/server.ts'
import { methods } from '../../../src/rpc/methods/index.ts'
import type { Services } from '../../../src/rpc/services.ts'
import { builtinTools } from '../../../src/skills/tools.ts'
import { mailer } from '../../house/scene.ts'
import { HandClock } from '../../support/clock.ts'
import { type House, type HouseOptions, house } from '../../support/house.ts'

export interface ServedOptions extends HouseOptions {
  script?: Script
  /** Takes the place of what the real services do. */
  services?: (real: Services) => Services
  /** True where the door has no news for anybody. */
  deaf?: boolean
}

/** What each task's words stand for in these tests: escalated where they begin with Check, else nothing new. */
export const usually = (task: ReportTask): Decision =>
  task.title.startsWith('Check')
    ? { decision: 'escalate', reason: 'It looks urgent', sources: [] }
    : { decision: 'skip', reason: 'Nothing of it has changed' }

const token = 'token-of-the-tests-0123456789-abcdefghijklmno'

export type Served = Awaited<ReturnType<typeof served>>

/** A workspace with a real runtime behind the real door, which serves the built page. */
export async function served(pageFolder: string, options: ServedOptions = {}) {
  const { script = {}, services: change = (real) => real, deaf = false, ...rest } = options
  const { tool, sent } = mailer()
  const home = await house({
    provider: scriptedProvider({ decide: usually, ...script }),
    tools: [tool],
    files: { 'notes.md': 'one' },
    clock: new HandClock(Date.now()),
    ...rest,
  })
  await home.runtime.tasks.edit('task_seed_memory', { enabled: false })
  let server = await serve(0)
  const { port } = server
  onTestFinished(() => server[Symbol.asyncDispose]())

  function serve(at: number): Promise<HttpServer> {
    const { runtime } = home
    const tools = builtinTools({
      root: home.root,
      commands: [],
      mask: (text) => text,
      clock: home.clock,
      env: {},
      images: () => [],
      notify: () => {},
    })
    tools.set(tool.name, tool)
    const services = servicesOf(runtime, {
      version: '0.0.0',
      tools,
      ignored: [],
      assertSound: () => {},
      assertWritable: async () => {},
    })
    return serveHttp({
      port: at,
      token,
      dispatch: dispatcher({ methods, services: change(services) }),
      subscribe: (listener) => (deaf ? () => {} : runtime.subscribe(listener)),
      clock: systemClock,
      page: pageFiles(pathToFileURL(`${pageFolder}/`)),
    })
  }

  return {
    home,
    sent,
    get url(): string {
      return server.url
    },
    link: () => server.oneTimeLink(),
    /** The door and the runtime go, as when the daemon is stopped. */
    stop: () => server[Symbol.asyncDispose](),
    /** Both come back at the same address. */
    async start() {
      await home.restart()
      server = await serve(port)
    },
  }
}

export const openCards = ({ runtime }: Pick<House, 'runtime'>) => runtime.stores.escalations.open(100)
