import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { decodeUtf8 } from '../decode-utf8.ts'
import { type Dispatch, failed, largestMessage, parseError } from '../dispatch.ts'
import { cookieName, portOf, sessionsIn } from './admission.ts'
import { assertJson, readBody } from './body.ts'
import { safeHeaders } from './headers.ts'
import { type Keys, sessionSeconds } from './keys.ts'
import { linkUsed, noSuchPage, type Refusal, refusalOf, wrongMethod } from './refusals.ts'
import { responseOf } from './say.ts'

/** A file of the dashboard. */
export interface PageFile {
  /** Media type, such as `text/html; charset=utf-8`. */
  type: string
  body: string | Uint8Array<ArrayBuffer>
  /** Its name changes with its content, so that a browser may keep it. */
  isImmutable?: boolean
}

export interface AppParts {
  dispatch: Dispatch
  keys: Keys
  /** The file at a path; null when there is none. */
  page(path: string): PageFile | null | Promise<PageFile | null>
  /** Hears of every refusal. */
  refused(refusal: Refusal, port: number | undefined): void
}

type Asked = Context<{ Bindings: HttpBindings }>

/** What there is behind the door. Who asks has been looked at by then. */
export function webApp({ dispatch, keys, page, refused }: AppParts): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>()
  app.use(async (c, next) => {
    await next()
    for (const [name, value] of Object.entries(safeHeaders)) {
      if (!c.res.headers.has(name)) c.res.headers.set(name, value)
    }
  })

  app.get('/health', (c) => c.json({ ok: true }))

  app.get('/open', (c) => {
    const { incoming } = c.env
    // Looked at, as a preview does, it is not used up.
    if (c.req.method === 'HEAD') return c.body(null, 204)
    // Opened a second time, as from a browser's history, the link has done its work already.
    const isIn = sessionsIn(incoming).some((session) => keys.isSession(session))
    if (!keys.spendLink(c.req.query('once') ?? '')) {
      if (!isIn) throw linkUsed()
      return c.redirect('/', 303)
    }
    const cookie = `${cookieName(portOf(incoming))}=${keys.newSession()}`
    c.header('set-cookie', `${cookie}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${sessionSeconds}`)
    return c.redirect('/', 303)
  })

  app.post('/rpc', async (c) => {
    const { incoming, outgoing } = c.env
    assertJson(incoming)
    const text = decodeUtf8(await readBody(incoming, outgoing, largestMessage))
    const answer = text === null ? failed(null, parseError()) : await dispatch(text, {})
    return answer === null ? c.body(null, 204) : c.body(answer, 200, { 'content-type': 'application/json' })
  })
  app.all('/rpc', () => {
    throw wrongMethod()
  })

  app.get('*', async (c) => {
    const path = plainPath(c)
    const file = path === null ? null : await page(path)
    if (file === null) throw noSuchPage()
    const kept = file.isImmutable ? { 'cache-control': 'private, max-age=31536000, immutable' } : {}
    return c.body(file.body, 200, { 'content-type': file.type, ...kept })
  })

  app.notFound(() => {
    throw noSuchPage()
  })
  app.onError((error, c) => {
    const refusal = refusalOf(error)
    refused(refusal, c.env.incoming.socket.remotePort)
    return responseOf(refusal)
  })
  return app
}

/** The path of a page, decoded; null for one that could lead anywhere else. */
function plainPath(c: Asked): string | null {
  try {
    const path = decodeURIComponent(c.req.path)
    const isPlain = !/[\\\p{Cc}]/u.test(path) && path.split('/').every((step) => step !== '..' && step !== '.')
    return isPlain ? path : null
  } catch {
    return null
  }
}
