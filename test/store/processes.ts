import { type ChildProcess, spawn } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll } from 'vitest'
import { compiled } from '../torture/lib/compiled.mjs'

export interface Ended {
  code: number | null
  out: string
}

export interface Running {
  ended: Promise<Ended>
  /** Resolves when it has said this on a line of its own. */
  said(line: string): Promise<void>
  /** Gives it an order and resolves with the next line that it says. */
  ask(order: object): Promise<string>
}

/** Programs that run in processes of their own, over a build of the sources as they are. */
export function processes() {
  let build: ReturnType<typeof compiled> | undefined
  const running = new Set<ChildProcess>()
  beforeAll(() => {
    build = compiled()
  }, 120_000)
  afterAll(() => {
    for (const child of running) child.kill('SIGKILL')
    build?.remove()
  })

  /** `program` is the text of a module; it finds the build at `dist` and what it is given at `given`. */
  return function run(program: string, given: unknown): Running {
    const head = `const dist = ${JSON.stringify(pathToFileURL(build?.dist ?? '').href)}; const given = ${JSON.stringify(given)};`
    const child = spawn(process.execPath, ['--input-type=module', '-e', `${head}\n${program}`], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    running.add(child)
    let out = ''
    const listeners = new Set<() => void>()
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text
      for (const listener of listeners) listener()
    })
    const ended = new Promise<Ended>((resolve) =>
      child.on('close', (code) => {
        running.delete(child)
        resolve({ code, out })
      }),
    )
    const next = (from: number) =>
      new Promise<string>((resolve, reject) => {
        const look = () => {
          const [line, rest] = out.slice(from).split('\n')
          if (rest === undefined) return
          listeners.delete(look)
          resolve(line ?? '')
        }
        listeners.add(look)
        void ended.then(({ code }) => reject(new Error(`It ended with ${code} after it had said: ${out}`)))
        look()
      })
    return {
      ended,
      said: async (word) => {
        for (let from = 0; ; ) {
          const line = await next(from)
          if (line === word) return
          from += line.length + 1
        }
      },
      ask(order) {
        const answer = next(out.length)
        child.stdin.write(`${JSON.stringify(order)}\n`)
        return answer
      },
    }
  }
}
