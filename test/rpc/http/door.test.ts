import { describe, expect, it } from 'vitest'
import { minute, second } from '../../../src/domain/clock.ts'
import { serveHttp } from '../../../src/rpc/http/server.ts'
import { HandClock } from '../../support/clock.ts'
import { type Asked, openDoor, token } from './door.ts'

const goals = 'subconscious.goals_list'
const codeOf = (answer: { json(): unknown }) => (answer.json() as { error: { code: string } }).error.code

describe('the door', () => {
  it('lets in who holds the token', async () => {
    const door = await openDoor()
    const answer = await door.call(goals)
    expect(answer.status).toBe(200)
    expect(answer.json()).toMatchObject({ jsonrpc: '2.0', result: [{ id: 'goal_1' }], id: 1 })
    expect(door.lines).toEqual([])
  })

  it.each<[string, Asked, number, string]>([
    ['no token', { headers: { authorization: undefined } }, 401, 'door/no-token'],
    ['a wrong token', { headers: { authorization: `Bearer ${token}x` } }, 401, 'door/wrong-token'],
    ['an empty token', { headers: { authorization: 'Bearer ' } }, 401, 'door/wrong-token'],
    [
      'the beginning of the token',
      { headers: { authorization: `Bearer ${token.slice(0, -1)}` } },
      401,
      'door/wrong-token',
    ],
    ['the token said otherwise', { headers: { authorization: `Basic ${token}` } }, 401, 'door/wrong-token'],
    [
      'a made-up session',
      {
        headers: {
          authorization: undefined,
          cookie: 'undermind-PORT=99999999999999.abcdefghijklmnopqrstuv.abcdefghijklmnopqrstuvabcdefghijklmnopqrstu',
        },
      },
      401,
      'door/wrong-token',
    ],
    [
      'the token as a cookie',
      { headers: { authorization: undefined, cookie: `undermind-PORT=${token}` } },
      401,
      'door/wrong-token',
    ],
    [
      "another server's cookie",
      { headers: { authorization: undefined, cookie: 'undermind-1=abc' } },
      401,
      'door/no-token',
    ],
    ['two tokens', { headers: { authorization: ['Bearer x', `Bearer ${token}`] } }, 400, 'door/bad-request'],
    ['another host', { headers: { host: 'evil.example:PORT' } }, 403, 'door/foreign-host'],
    ['a host that begins like ours', { headers: { host: '127.0.0.1.evil.example:PORT' } }, 403, 'door/foreign-host'],
    ['a host with our name in front', { headers: { host: 'localhost@evil.example:PORT' } }, 403, 'door/foreign-host'],
    ['our host at another port', { headers: { host: '127.0.0.1:1' } }, 403, 'door/foreign-host'],
    ['our host without a port', { headers: { host: '127.0.0.1' } }, 403, 'door/foreign-host'],
    ['another origin', { headers: { origin: 'https://evil.example' } }, 403, 'door/foreign-origin'],
    ['no origin to speak of', { headers: { origin: 'null' } }, 403, 'door/foreign-origin'],
    ['a page on another port', { headers: { origin: 'http://127.0.0.1:1' } }, 403, 'door/foreign-origin'],
    ['our page under another name', { headers: { origin: 'http://localhost:PORT' } }, 403, 'door/foreign-origin'],
    ['our origin by another scheme', { headers: { origin: 'https://127.0.0.1:PORT' } }, 403, 'door/foreign-origin'],
    ['a page of another site', { headers: { 'sec-fetch-site': 'cross-site' } }, 403, 'door/foreign-origin'],
    ['a page of the same site', { headers: { 'sec-fetch-site': 'same-site' } }, 403, 'door/foreign-origin'],
    ['plain text', { headers: { 'content-type': 'text/plain' } }, 415, 'door/not-json'],
    ['a form', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 415, 'door/not-json'],
    ['no content type', { headers: { 'content-type': undefined } }, 415, 'door/not-json'],
    ['JSON among others', { headers: { 'content-type': 'text/plain, application/json' } }, 415, 'door/not-json'],
    [
      'JSON in another encoding',
      { headers: { 'content-type': 'application/json; charset=utf-16' } },
      415,
      'door/not-json',
    ],
    ['JSON packed', { headers: { 'content-encoding': 'gzip' } }, 415, 'door/not-json'],
    ['another method', { method: 'PUT' }, 405, 'door/wrong-method'],
    ['an absolute target', { path: `http://127.0.0.1/rpc` }, 400, 'door/bad-request'],
    ['another path', { path: '/rpc/more' }, 404, 'door/no-such-page'],
  ])('refuses %s', async (_, how, status, code) => {
    let calls = 0
    const door = await openDoor({
      given: {
        goals: {
          list: () => {
            calls++
            return []
          },
        },
      },
    })
    const headers = JSON.parse(JSON.stringify(how.headers ?? {}).replaceAll('PORT', String(door.port))) as object
    const unset = Object.fromEntries(Object.entries(how.headers ?? {}).filter(([, value]) => value === undefined))
    const answer = await door.call(goals, {}, { ...how, headers: { ...headers, ...unset } })
    expect([answer.status, codeOf(answer)]).toEqual([status, code])
    expect(answer.json()).toEqual({ error: { code, message: expect.stringMatching(/^[A-Z].*[.?]/) } })
    expect(calls).toBe(0)
    expect(door.lines.map((line) => line.code)).toEqual([code])
    expect(door.lines[0]?.port).toBeGreaterThan(0)
  })

  it.each([
    ['localhost:PORT', undefined],
    ['LOCALHOST:PORT', 'http://localhost:PORT'],
    ['127.0.0.1:PORT', 'http://127.0.0.1:PORT'],
    ['[::1]:PORT', 'http://[::1]:PORT'],
  ])('knows itself as %s, asked by %s', async (host, origin) => {
    const door = await openDoor()
    const at = (text: string | undefined) => text?.replace('PORT', String(door.port))
    const answer = await door.call(
      goals,
      {},
      { headers: { host: at(host), origin: at(origin), 'sec-fetch-site': 'same-origin' } },
    )
    expect(answer.status).toBe(200)
  })

  it('takes JSON that says it is UTF-8', async () => {
    const door = await openDoor()
    for (const type of ['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"']) {
      expect((await door.call(goals, {}, { headers: { 'content-type': type } })).status).toBe(200)
    }
  })

  it('says of every answer how a browser may use it', async () => {
    const door = await openDoor({ page: () => ({ type: 'text/html', body: '<p>' }) })
    const answers = [
      await door.call(goals),
      await door.send('/'),
      await door.send('/health'),
      await door.send('/', { headers: { authorization: undefined } }),
      await door.send('/', { headers: { host: 'evil.example' } }),
    ]
    for (const { headers } of answers) {
      const policy = String(headers['content-security-policy'])
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("script-src 'self';")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('unsafe')
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      })
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })

  it('says that it is well to everybody on this machine, and nothing else', async () => {
    const door = await openDoor()
    const answer = await door.send('/health', { headers: { authorization: undefined } })
    expect([answer.status, answer.text]).toEqual([200, '{"ok":true}'])
    expect((await door.send('/health', { headers: { origin: 'https://evil.example' } })).status).toBe(403)
  })

  it('tells no page what it may send', async () => {
    const door = await openDoor()
    const answer = await door.send('/rpc', { method: 'OPTIONS' })
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([405, undefined])
  })

  it('cannot be asked for news in a single answer', async () => {
    const door = await openDoor()
    expect((await door.call('events.subscribe')).json()).toMatchObject({
      error: { data: { code: 'rpc/no-subscription' } },
    })
  })
})

describe('a token in an address', () => {
  it.each([
    `/?token=${token}`,
    `/rpc?access_token=x`,
    `/${token}`,
    `/page-${token}`,
    `/${token}.js`,
    `/?a=1&b=${token}`,
    `/open?once=${token}`,
    `/rpc?x=${encodeURIComponent(token).replace('M', '%4D')}`,
  ])('is refused: %s', async (path) => {
    const door = await openDoor({ page: () => ({ type: 'text/html', body: '<p>' }) })
    const answer = await door.send(path)
    expect([answer.status, codeOf(answer)]).toEqual([403, 'door/token-in-url'])
    expect(answer.text).not.toContain('MARKED')
    expect(JSON.stringify(door.lines)).not.toContain('MARKED')
  })
})

describe('a link', () => {
  const open = (door: Awaited<ReturnType<typeof openDoor>>, link: string, how: Asked = {}) => {
    const { pathname, search } = new URL(link)
    return door.send(pathname + search, { ...how, headers: { authorization: undefined, ...how.headers } })
  }

  it('lets a browser in once, with a session that is not the token', async () => {
    const door = await openDoor({ page: (path) => (path === '/' ? { type: 'text/html', body: '<p>in</p>' } : null) })
    const link = door.server.oneTimeLink()
    expect(link).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${door.port}/open\\?once=[\\w-]{43}$`))
    const first = await open(door, link)
    expect([first.status, first.headers.location]).toEqual([303, '/'])
    const [cookie = ''] = first.headers['set-cookie'] ?? []
    expect(cookie).toMatch(
      new RegExp(`^undermind-${door.port}=[^;]+; Path=/; HttpOnly; SameSite=Strict; Max-Age=\\d+$`),
    )
    expect(cookie).not.toContain(token)
    const again = await open(door, link)
    expect([again.status, codeOf(again)]).toEqual([401, 'door/link-used'])
    expect(again.headers['set-cookie']).toBeUndefined()
    const [session = ''] = cookie.split(';')
    const page = await door.send('/', { headers: { authorization: undefined, cookie: `a=1; ${session}; b=2` } })
    expect([page.status, page.text]).toEqual([200, '<p>in</p>'])
    expect((await door.call(goals, {}, { headers: { authorization: undefined, cookie: session } })).status).toBe(200)
  })

  it('gives a session that counts beside one that another server has made up', async () => {
    const door = await openDoor()
    const cookie = `undermind-${door.port}=made-up; ${await door.cookie()}`
    expect((await door.call(goals, {}, { headers: { authorization: undefined, cookie } })).status).toBe(200)
  })

  it('brings a browser that is in already to the page, used or not', async () => {
    const door = await openDoor()
    const link = door.server.oneTimeLink()
    const first = await open(door, link)
    const cookie = first.headers['set-cookie']?.[0]?.split(';')[0]
    const again = await open(door, link, { headers: { cookie } })
    expect([again.status, again.headers['set-cookie']]).toEqual([303, undefined])
  })

  it('is good for five minutes', async () => {
    const clock = new HandClock()
    const door = await openDoor({ clock })
    const [good, late] = [door.server.oneTimeLink(), door.server.oneTimeLink()]
    clock.set(clock.now() + 5 * minute - 1)
    expect((await open(door, good)).status).toBe(303)
    clock.set(clock.now() + 1)
    expect((await open(door, late)).status).toBe(401)
  })

  it('is not used up by a look at it, nor by a page of another site', async () => {
    const door = await openDoor()
    const link = door.server.oneTimeLink()
    expect((await open(door, link, { method: 'HEAD' })).status).toBe(204)
    expect((await open(door, link, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403)
    expect((await open(door, link, { method: 'POST' })).status).toBe(404)
    expect((await open(door, link)).status).toBe(303)
  })

  it.each(['', '?once=', '?once=x', '?twice=1'])('is none without its secret: /open%s', async (search) => {
    const door = await openDoor()
    expect((await open(door, `${door.server.url}/open${search}`)).status).toBe(401)
  })

  it('gives a session that outlives a restart, and not the token', async () => {
    const first = await openDoor()
    const cookie = await first.cookie()
    await first.server[Symbol.asyncDispose]()
    const asked = { headers: { authorization: undefined, cookie } }
    const same = await openDoor({ port: first.port })
    expect(same.port).toBe(first.port)
    expect((await same.call(goals, {}, asked)).status).toBe(200)
    await same.server[Symbol.asyncDispose]()
    const renewed = await openDoor({ port: first.port, token: 'another-token-0123456789-0123456789-012345' })
    expect((await renewed.call(goals, {}, asked)).status).toBe(401)
  })

  it('gives a session that ends after thirty days', async () => {
    const clock = new HandClock()
    const door = await openDoor({ clock })
    const headers = { authorization: undefined, cookie: await door.cookie() }
    clock.set(clock.now() + 30 * 24 * 60 * minute - 1)
    expect((await door.call(goals, {}, { headers })).status).toBe(200)
    clock.set(clock.now() + 1)
    expect(codeOf(await door.call(goals, {}, { headers }))).toBe('door/wrong-token')
  })
})

describe('a page', () => {
  it('is asked for by its plain path, and only from within', async () => {
    const paths: string[] = []
    const door = await openDoor({
      page: (path) => {
        paths.push(path)
        return path === '/a b.js' ? { type: 'text/javascript', body: new Uint8Array([0x31]) } : null
      },
    })
    const answer = await door.send('/a%20b.js?v=1')
    expect([answer.status, answer.headers['content-type'], answer.text]).toEqual([200, 'text/javascript', '1'])
    expect((await door.send('/a%20b.js', { headers: { authorization: undefined } })).status).toBe(401)
    for (const path of ['/%2e%2e/etc/passwd', '/..%2fetc', '/a%5c..%5cb', '/%00', '/%ff', '/nothing']) {
      expect((await door.send(path)).status, path).toBe(404)
    }
    // What leads out of the pages leads nowhere: a browser takes such steps away itself.
    expect(paths).toEqual(['/a b.js', '/etc/passwd', '/nothing'])
  })

  it('that cannot be read is said to have failed, without its reasons', async () => {
    const door = await openDoor({ page: () => Promise.reject(new Error('MARKED path')) })
    const answer = await door.send('/')
    expect([answer.status, codeOf(answer)]).toEqual([500, 'runtime/unexpected'])
    expect(answer.text).not.toContain('MARKED')
  })
})

describe('the address', () => {
  const parts = { token, dispatch: async () => null, subscribe: () => () => {}, clock: new HandClock() }

  it.each(['0.0.0.0', '::', '192.168.1.5', 'box.example', ''])('%j is refused unless that is meant', async (host) => {
    await expect(serveHttp({ ...parts, host })).rejects.toMatchObject({ code: 'door/not-loopback', kind: 'use' })
  })

  it('beyond this machine is listened at where it is meant, and known by what it was reached at', async () => {
    const door = await openDoor({ host: '0.0.0.0', beyondLoopback: true })
    expect(door.server.url).toBe(`http://127.0.0.1:${door.port}`)
    expect((await door.call(goals)).status).toBe(200)
    expect((await door.call(goals, {}, { headers: { host: `10.9.8.7:${door.port}` } })).status).toBe(403)
  })

  it('wants a token of 32 characters', async () => {
    await expect(serveHttp({ ...parts, token: 'x'.repeat(31) })).rejects.toMatchObject({ code: 'door/weak-token' })
    await expect(serveHttp({ ...parts, token: '' })).rejects.toMatchObject({ code: 'door/weak-token' })
    await expect(serveHttp({ ...parts, host: '0.0.0.0', beyondLoopback: true, token: 'short' })).rejects.toMatchObject({
      code: 'door/weak-token',
    })
  })

  it('has the wanted port, or a free one where that is taken', async () => {
    const first = await openDoor()
    const second = await openDoor({ port: first.port })
    expect(second.port).not.toBe(first.port)
    expect((await second.call(goals)).status).toBe(200)
  })

  it('that is none of this machine cannot be listened at', async () => {
    await expect(serveHttp({ ...parts, host: '203.0.113.9', beyondLoopback: true })).rejects.toMatchObject({
      code: 'door/cannot-listen',
    })
  })
})

describe('too many requests', () => {
  const strangers = { perSecond: 1, burst: 3 }

  it('of one who may ask are refused until they have rested', async () => {
    const clock = new HandClock()
    const door = await openDoor({ clock, limits: { known: { perSecond: 1, burst: 2 } } })
    const statuses = async () => [
      (await door.call(goals)).status,
      (await door.call(goals)).status,
      (await door.call(goals)).status,
    ]
    expect(await statuses()).toEqual([200, 200, 429])
    const refused = await door.call(goals)
    expect(codeOf(refused)).toBe('door/too-many-requests')
    expect(refused.headers['retry-after']).toBe('1')
    clock.set(clock.now() + second)
    expect(await statuses()).toEqual([200, 429, 429])
    clock.set(clock.now() - minute)
    expect(await statuses()).toEqual([429, 429, 429])
  })

  it('of a stranger are not even told why, and cost those who may ask nothing', async () => {
    const clock = new HandClock()
    const door = await openDoor({ clock, limits: { strangers } })
    const guesses = []
    for (let i = 0; i < 5; i++)
      guesses.push((await door.call(goals, {}, { headers: { authorization: `Bearer ${i}` } })).status)
    expect(guesses).toEqual([401, 401, 401, 429, 429])
    expect((await door.call(goals)).status).toBe(200)
    expect((await door.send(new URL(door.server.oneTimeLink()).pathname)).status).toBe(401)
  })

  it('for a link are counted, too', async () => {
    const door = await openDoor({ clock: new HandClock(), limits: { strangers } })
    const tries = []
    for (let i = 0; i < 4; i++) tries.push((await door.send(`/open?once=${i}`)).status)
    expect(tries).toEqual([401, 401, 401, 429])
  })
})

describe('the log of the door', () => {
  it('has a line of every refusal and nothing of what was sent', async () => {
    const clock = new HandClock()
    const door = await openDoor({ clock })
    const marked = {
      authorization: 'Bearer MARKED',
      cookie: `undermind-${door.port}=MARKED`,
      'user-agent': 'MARKED',
      origin: 'http://MARKED',
      'x-marked': 'MARKED',
    }
    await door.send('/MARKED?MARKED=MARKED', { headers: marked, body: 'MARKED' })
    await door.send('/MARKED', { headers: { ...marked, origin: undefined } })
    await door.rpc('MARKED', { headers: { 'content-type': 'MARKED/MARKED' } })
    await door.webSocket({ authorization: 'Bearer MARKED' }, '/MARKED').opened
    const at = clock.now()
    expect(door.lines).toEqual(
      ['door/foreign-origin', 'door/wrong-token', 'door/not-json', 'door/wrong-token'].map((code) => ({
        at,
        code,
        port: expect.any(Number),
        unsaid: 0,
      })),
    )
    expect(JSON.stringify(door.lines)).not.toContain('MARKED')
  })

  it('that cannot be written leaves the door as it was', async () => {
    const door = await openDoor({
      log: () => {
        throw new Error('ENOSPC')
      },
    })
    expect((await door.send('/', { headers: { host: 'evil.example' } })).status).toBe(403)
    expect((await door.call(goals)).status).toBe(200)
  })

  it('is not filled by one who keeps trying, and says how much it left out', async () => {
    const clock = new HandClock()
    const door = await openDoor({ clock })
    for (let i = 0; i < 130; i++) await door.send('/', { headers: { host: 'evil.example' } })
    expect(door.lines).toHaveLength(100)
    clock.set(clock.now() + minute)
    await door.send('/', { headers: { host: 'evil.example' } })
    expect(door.lines.at(-1)).toMatchObject({ code: 'door/foreign-host', unsaid: 30 })
  })
})
