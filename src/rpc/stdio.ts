import type { Readable, Writable } from 'node:stream'
import { bulletinOf, HeldNews } from './bulletin.ts'
import { dispatcherOf, failed, largestMessage, messageTooLarge } from './dispatch.ts'
import type { Door } from './door.ts'
import { Lines } from './lines.ts'
import { subscribe } from './methods/events.ts'
import { readParams } from './params.ts'
import { StdioWatching } from './stdio-watching.ts'
import { mostQueued, Turns } from './turns.ts'

export interface Stdio {
  input: Readable
  output: Writable
}

const lineEnd = Buffer.from('\n')

/**
 * Serves JSON-RPC, a message a line, to whoever holds the other ends of two streams, until they send no more or read no
 * more; what was asked by then is answered first. Nothing else is written to `output`.
 */
export async function serveStdio(door: Door, { input, output }: Stdio): Promise<void> {
  const lines = new Lines(largestMessage)
  const held = new HeldNews()
  const news: { begun: Promise<() => void> | null } = { begun: null }
  let isLast = false
  let isStuck = false
  let close = (): void => {}
  const closed = new Promise<void>((resolve) => {
    close = resolve
  })

  const say = (text: string | Buffer): void => {
    if (output.writable) output.write(typeof text === 'string' ? `${text}\n` : Buffer.concat([text, lineEnd]))
  }
  const tell = (): void => {
    while (turns.isRead) {
      const bytes = held.next()
      if (bytes === undefined) return
      say(bytes)
    }
    if (held.bytes <= mostQueued) return
    isStuck = true
    close()
  }
  const watching = new StdioWatching(door, (notification) => {
    say(notification)
    if (turns.isRead) return
    isStuck = true
    close()
  })
  const dispatch = dispatcherOf(async (method, params) => {
    if (watching.isMeant(method)) return watching.call(method, params)
    if (method !== subscribe.name) return door.call(method, params as Record<string, unknown> | undefined)
    readParams(subscribe.name, subscribe.params, params)
    news.begun ??= door.subscribe((one) => {
      held.add(bulletinOf(one))
      tell()
    })
    try {
      await news.begun
    } catch (error) {
      news.begun = null
      throw error
    }
    return { subscription: 'news' }
  })
  const turns = new Turns({
    next: () => lines.next(),
    dispatch: (text) => dispatch(text, {}),
    say,
    unread: () => output.writableLength,
    done: () => work(),
  })
  const work = (): void => {
    turns.work()
    if (isLast && turns.isIdle && !lines.waiting) close()
    else if (turns.mayTakeMore) input.resume()
    else input.pause()
  }
  const last = (): void => {
    isLast = true
    lines.end()
    work()
  }

  input.on('data', (chunk: Buffer) => {
    lines.push(chunk)
    if (!lines.tooLong) return work()
    say(failed(null, messageTooLarge()))
    input.destroy()
  })
  input.on('end', last).on('error', last).on('close', last)
  output.on('error', close).on('close', close)
  output.on('drain', () => {
    tell()
    work()
  })
  await closed
  const stopNews = await news.begun
  stopNews?.()
  await watching.stop()
  input.destroy()
  // Who does not read would never have it all.
  if (!isStuck) await flushed(output)
}

/** Resolves when all that was written is on its way, or nothing will be any more. */
const flushed = (output: Writable): Promise<void> =>
  new Promise((resolve) => {
    if (output.destroyed) return resolve()
    output.once('close', resolve)
    output.write('', () => resolve())
  })
