import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Card } from '../../src/domain/escalation.ts'
import type { Evaluation } from '../../src/domain/evaluation.ts'
import { type OpenOptions, openHouse } from '../../src/house/open.ts'
import type { Runtime } from '../../src/runtime.ts'
import { initWorkspace } from '../../src/settings/init.ts'
import { HandClock } from './clock.ts'

export interface HouseOptions extends Partial<OpenOptions> {
  /** Lines of HEARTBEAT.md. */
  tasks?: string[]
  /** Other files of the workspace, by path. */
  files?: Record<string, string>
  clock?: HandClock
}

export type House = Awaited<ReturnType<typeof house>>

/** A workspace in a folder of its own with a real runtime, a clock turned by hand, and whatever model the test scripts. */
export async function house(options: HouseOptions = {}) {
  const { tasks = [], files = {}, clock = new HandClock(), ...open } = options
  const root = await mkdtemp(join(tmpdir(), 'undermind-'))
  const userConfigDir = join(root, '..', `${root}-config`)
  await initWorkspace(root)
  await write('HEARTBEAT.md', tasks.map((task) => `- ${task}\n`).join(''))
  for (const [path, text] of Object.entries(files)) await write(path, text)
  let runtime = await start()
  onTestFinished(async () => {
    await runtime[Symbol.asyncDispose]()
    await rm(root, { recursive: true, force: true })
  })

  async function start(): Promise<Runtime> {
    const settings = { 'user.timezone': 'Europe/Berlin', 'store.synchronous': 'normal', ...open.settings }
    return (
      await openHouse({
        workspace: root,
        clock,
        trusted: true,
        env: {},
        userConfigDir,
        random: () => 0.5,
        ...open,
        settings,
      })
    ).runtime
  }

  async function write(path: string, text: string): Promise<void> {
    const { mkdir } = await import('node:fs/promises')
    const { dirname } = await import('node:path')
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }

  return {
    root,
    clock,
    write,
    get runtime(): Runtime {
      return runtime
    },
    /** Copies a folder of files over the workspace. */
    lay: (folder: string) => cp(folder, root, { recursive: true }),
    /** Ticks now, waits for its end and returns the tick with its evaluations. */
    async tick(force = false) {
      const tick = await runtime.settled(await runtime.trigger({ force }))
      await runtime.host.idle()
      const evaluations = runtime.stores.evaluations.ofTick(tick.id)
      return {
        ...tick,
        evaluations,
        of: (title: string): Evaluation | undefined =>
          evaluations.find(({ task }) => runtime.stores.tasks.get(task)?.title === title),
      }
    },
    cards: (): Card[] => runtime.stores.escalations.open(100),
    /** The end of an orderly day: stops and opens again. */
    async restart(change: Partial<OpenOptions> = {}) {
      await runtime[Symbol.asyncDispose]()
      Object.assign(open, change)
      runtime = await start()
    },
  }
}
