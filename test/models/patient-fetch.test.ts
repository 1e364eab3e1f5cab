import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { patientFetch } from '../../src/models/patient-fetch.ts'

let server: Server | undefined
afterEach(async () => {
  server?.closeAllConnections()
  if (server?.listening) {
    server.close()
    await once(server, 'close')
  }
})

const serve = async (listener: RequestListener): Promise<string> => {
  server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/path?query=1`
}

describe('a patient fetch', () => {
  it('sends what it was given, on a connection of its own', async () => {
    const address = await serve(async (request, response) => {
      let body = ''
      for await (const part of request) body += part
      const { method, url, headers } = request
      response.end(JSON.stringify({ method, url, body, type: headers['content-type'], connection: headers.connection }))
    })
    const response = await patientFetch(address, {
      method: 'POST',
      body: '{"grüße":1}',
      headers: { 'Content-Type': 'application/json' },
    })
    expect(await response.json()).toEqual({
      method: 'POST',
      url: '/path?query=1',
      body: '{"grüße":1}',
      type: 'application/json',
      connection: 'close',
    })
  })

  it('hands on status and headers, and follows no redirect', async () => {
    const address = await serve((_, response) =>
      response.writeHead(302, { location: '/elsewhere', 'x-a': '1' }).end('moved'),
    )
    const response = await patientFetch(new URL(address))
    expect([response.status, response.ok, response.headers.get('x-a'), await response.text()]).toEqual([
      302,
      false,
      '1',
      'moved',
    ])
  })

  it('gives a body as it comes', async () => {
    let more = () => {}
    const address = await serve((_, response) => {
      response.write('one')
      more = () => response.end('two')
    })
    const { body } = await patientFetch(address)
    const reader = body!.getReader()
    expect(Buffer.from((await reader.read()).value!).toString()).toBe('one')
    more()
    expect(Buffer.from((await reader.read()).value!).toString()).toBe('two')
    expect((await reader.read()).done).toBe(true)
  })

  it.each([204, 304])('has no body where there can be none: %i', async (status) => {
    const address = await serve((_, response) => response.writeHead(status).end())
    expect((await patientFetch(address)).body).toBeNull()
  })

  it('sends user name and password of the address', async () => {
    const address = await serve((request, response) => response.end(request.headers.authorization))
    const response = await patientFetch(address.replace('http://', 'http://me:se%20cret@'))
    expect(await response.text()).toBe(`Basic ${Buffer.from('me:se cret').toString('base64')}`)
  })

  it('closes the connection when it is aborted before an answer began', async () => {
    const caller = new AbortController()
    let tellClosed = () => {}
    const closed = new Promise<void>((tell) => {
      tellClosed = tell
    })
    const address = await serve((request) => {
      request.socket.once('close', tellClosed)
      caller.abort(new Error('No longer wanted'))
    })
    await expect(patientFetch(address, { signal: caller.signal })).rejects.toThrow('No longer wanted')
    await closed
  })

  it('closes the connection when it is aborted within an answer, or its body is let go', async () => {
    for (const how of ['abort', 'cancel'] as const) {
      const caller = new AbortController()
      let tellClosed = () => {}
      const closed = new Promise<void>((tell) => {
        tellClosed = tell
      })
      const address = await serve((request, response) => {
        request.socket.once('close', tellClosed)
        response.write('one')
      })
      const { body } = await patientFetch(address, { signal: caller.signal })
      const reader = body!.getReader()
      await reader.read()
      const next = reader.read().then(
        ({ done }) => done,
        () => 'failed',
      )
      if (how === 'abort') caller.abort()
      else await reader.cancel()
      expect(await next).toBe(how === 'abort' ? 'failed' : true)
      await closed
      server?.close()
    }
  })

  it('asks nobody when it was aborted before', async () => {
    let asked = false
    const address = await serve((_, response) => {
      asked = true
      response.end()
    })
    await expect(patientFetch(address, { signal: AbortSignal.abort(new Error('No')) })).rejects.toThrow('No')
    expect(asked).toBe(false)
  })

  it('fails when the answer breaks off', async () => {
    const address = await serve((_, response) => {
      response.write('one', () => response.destroy())
    })
    const response = await patientFetch(address)
    await expect(response.text()).rejects.toThrow()
  })

  const switching = 'HTTP/1.1 101 Switching Protocols\r\n'
  const upgrade = `${switching}Upgrade: x\r\nConnection: Upgrade\r\n\r\n`

  it.each([
    ['ends the connection', upgrade, true],
    ['keeps the connection', upgrade, false],
    ['says no more', `${switching}\r\n`, true],
    ['says nothing at all', '', true],
  ])('fails, and keeps no connection, when a server changes to another protocol and %s', async (_, bytes, ends) => {
    const closed = new Promise<void>((tell) => {
      server = createServer().on('connection', (socket) => {
        socket.once('close', () => tell()).on('error', () => {})
        socket.once('data', () => (ends ? socket.end(bytes) : socket.write(bytes)))
      })
    })
    server?.listen(0, '127.0.0.1')
    await once(server!, 'listening')
    await expect(patientFetch(`http://127.0.0.1:${(server!.address() as AddressInfo).port}`)).rejects.toThrow()
    await closed
  })

  it('can be aborted while a server that speaks of another protocol says no more', async () => {
    const caller = new AbortController()
    const other = createSocketServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.write(`${switching}\r\n`, () => caller.abort(new Error('Enough'))))
    })
    other.listen(0, '127.0.0.1')
    await once(other, 'listening')
    const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    await expect(patientFetch(address, { signal: caller.signal })).rejects.toThrow('Enough')
    other.close()
  })

  it.each(['HTTP/1.1 999 Odd\r\n\r\n', 'SSH-2.0-OpenSSH\r\n', 'HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n'])(
    'fails when no answer can be made of it: %j',
    async (bytes) => {
      const other = createSocketServer((socket) => {
        socket.on('error', () => {})
        socket.end(bytes)
      })
      other.listen(0, '127.0.0.1')
      await once(other, 'listening')
      try {
        await expect(patientFetch(`http://127.0.0.1:${(other.address() as AddressInfo).port}`)).rejects.toThrow()
      } finally {
        other.close()
      }
    },
  )

  it.each(['nonsense', 'ftp://127.0.0.1', 'http://127.0.0.1:1'])('fails for %s', async (address) => {
    await expect(patientFetch(address)).rejects.toThrow()
  })

  it('sends nothing but text and bytes', async () => {
    await expect(patientFetch('http://127.0.0.1:1', { body: new FormData() })).rejects.toThrow(TypeError)
  })
})
