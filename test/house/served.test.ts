import { mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import type { Served } from '../../src/cli/parts.ts'
import { commandParts } from '../../src/house/command-parts.ts'
import { readDaemonFile } from '../../src/rpc/daemon-file.ts'
import { connectSocket } from '../../src/rpc/socket-client.ts'
import { initWorkspace } from '../../src/settings/init.ts'
import { workspacePaths } from '../../src/settings/workspace.ts'

/** A workspace that is served as the command serves it, in a folder and with a configuration of its own. */
async function workspace(settings = '', { isTrusted = true } = {}) {
  const root = await mkdtemp(join(tmpdir(), 'undermind-'))
  const env = { XDG_CONFIG_HOME: `${root}-config`, HOME: `${root}-home` }
  const parts = commandParts('1.2.3', env, root)
  await initWorkspace(root)
  await writeFile(join(root, 'HEARTBEAT.md'), '- Look around\n')
  if (settings !== '') await writeFile(join(root, 'undermind.toml'), settings)
  if (isTrusted) await parts.trust.grant(root)
  const running: Served[] = []
  onTestFinished(async () => {
    for (const served of running) await served.stop()
    for (const folder of [root, `${root}-config`, `${root}-home`]) await rm(folder, { recursive: true, force: true })
  })
  const paths = workspacePaths(root)
  return {
    root,
    paths,
    parts,
    async start() {
      const served = await parts.serve(root, {})
      running.push(served)
      return { served, dashboard: await served.dashboard }
    },
    token: async () => (await readFile(paths.token, 'utf8')).trim(),
  }
}

const rpc = async (url: string, token: string, method: string, params: object = {}) => {
  const answer = await fetch(`${url}/rpc`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', method, params, id: 1 }),
  })
  return { status: answer.status, ...((await answer.json()) as { result?: unknown; error?: { data: object } }) }
}

const isGone = async (path: string) =>
  stat(path).then(
    () => false,
    () => true,
  )

/** A WebSocket on which messages can be waited for. */
async function webSocket(url: string, token: string) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/rpc`, { headers: { authorization: `Bearer ${token}` } })
  onTestFinished(() => socket.terminate())
  interface Message {
    id?: number
    method?: string
    params: Record<string, unknown>
    result: Record<string, unknown>
  }
  const heard: Message[] = []
  let look = () => {}
  socket.on('message', (data) => {
    heard.push(JSON.parse(String(data)) as Message)
    look()
  })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  return {
    socket,
    heard,
    async first(isIt: (message: Message) => boolean): Promise<Message> {
      for (;;) {
        const found = heard.find(isIt)
        if (found) return found
        await new Promise<void>((resolve) => {
          look = resolve
        })
      }
    },
    send: (id: number, method: string, params: object = {}) =>
      socket.send(JSON.stringify({ jsonrpc: '2.0', method, params, id })),
  }
}

describe('a running undermind', () => {
  it('answers over HTTP whoever holds the token, and says where it is until it stops', async () => {
    const home = await workspace()
    const { served, dashboard } = await home.start()
    const { url } = dashboard!
    const token = await home.token()
    expect((await stat(home.paths.token)).mode & 0o777).toBe(0o600)
    expect((await stat(home.paths.daemonFile)).mode & 0o777).toBe(0o600)
    expect(readDaemonFile(home.paths.daemonFile)).toMatchObject({ pid: process.pid, url, version: '1.2.3' })
    const status = await rpc(url, token, 'subconscious.status')
    expect(status.result).toMatchObject({ task_count: 4, instances: [{ instance: 'memory', task_count: 4 }] })
    expect(await rpc(url, 'x'.repeat(43), 'subconscious.status')).toMatchObject({ status: 401 })
    await served.stop()
    expect(await isGone(home.paths.daemonFile)).toBe(true)
    await expect(fetch(`${url}/health`)).rejects.toThrow()
  })

  it('lets a browser in by a link, once, and shows it the page or says how to build it', async () => {
    const home = await workspace()
    const { dashboard } = await home.start()
    const link = dashboard!.link()
    expect(link.startsWith(`${dashboard!.url}/open?once=`)).toBe(true)
    const opened = await fetch(link, { redirect: 'manual' })
    expect(opened.status).toBe(303)
    const [cookie = ''] = (opened.headers.get('set-cookie') ?? '').split(';')
    const page = await fetch(`${dashboard!.url}/`, { headers: { cookie } })
    expect(page.status).toBe(200)
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await page.text()).toMatch(/<html|npm run build/)
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(401)
  })

  it('gives out new links at its local socket, and nowhere else', async () => {
    const home = await workspace()
    const { dashboard } = await home.start()
    await using door = (await connectSocket(home.paths.socket))!
    const { url, link } = (await door.call('door.link')) as { url: string; link: string }
    expect(url).toBe(dashboard!.url)
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(303)
    const refused = await rpc(url, await home.token(), 'door.link')
    expect(refused.error?.data).toMatchObject({ code: 'door/only-local' })
    const caller = await webSocket(url, await home.token())
    caller.send(1, 'door.link')
    expect(await caller.first(({ id }) => id === 1)).toMatchObject({ error: { data: { code: 'door/only-local' } } })
  })

  it('comes back at the port it had, and takes another when that is taken, saying so', async () => {
    const home = await workspace()
    const first = await home.start()
    const port = Number(new URL(first.dashboard!.url).port)
    expect(first.dashboard!.note).toBeNull()
    await first.served.stop()
    const second = await home.start()
    expect(second.dashboard!.url).toBe(first.dashboard!.url)
    await second.served.stop()
    const other = createServer().listen(port, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const third = await home.start()
    expect(third.dashboard!.url).not.toBe(first.dashboard!.url)
    expect(third.dashboard!.note).toContain(`Port ${port} is taken`)
    await new Promise((resolve) => other.close(resolve))
  })

  it('keeps its token from one start to the next, so that a page stays open', async () => {
    const home = await workspace()
    const first = await home.start()
    const token = await home.token()
    await first.served.stop()
    await home.start()
    expect(await home.token()).toBe(token)
  })

  it('makes its own token where one came along with the folder', async () => {
    const home = await workspace('', { isTrusted: false })
    const planted = `${'a'.repeat(43)}\n`
    await writeFile(home.paths.token, planted, { mode: 0o600 })
    await home.start()
    expect(await home.token()).not.toBe(planted.trim())
  })

  it('makes its own, too, where the folder had been worked in before it was served', async () => {
    const home = await workspace()
    const planted = `${'a'.repeat(43)}\n`
    await writeFile(home.paths.token, planted, { mode: 0o600 })
    const door = await home.parts.connect(home.root, {})
    await door.call('subconscious.trigger', { wait: true })
    await door[Symbol.asyncDispose]()
    await home.start()
    expect(await home.token()).not.toBe(planted.trim())
  })

  it('goes on without a dashboard where none is wanted, or where its address cannot be had', async () => {
    const off = await workspace('[server]\nenabled = false\n')
    const { dashboard } = await off.start()
    expect(dashboard).toBeNull()
    await using door = (await connectSocket(off.paths.socket))!
    await expect(door.call('door.link')).rejects.toMatchObject({ code: 'door/closed' })

    const open = await workspace('[server]\nhost = "0.0.0.0"\n')
    const served = await open.parts.serve(open.root, {})
    onTestFinished(() => served.stop())
    await expect(served.dashboard).rejects.toMatchObject({ code: 'door/not-loopback' })
    expect(await served.call('subconscious.status')).toBeDefined()
  })

  it('does not let a folder that is not trusted say where it listens', async () => {
    const home = await workspace('[server]\nhost = "0.0.0.0"\nbeyond_loopback = true\n', { isTrusted: false })
    const { dashboard } = await home.start()
    expect(new URL(dashboard!.url).hostname).toBe('127.0.0.1')
  })

  it('logs who was not let in, without what they sent, and into no file but its own', async () => {
    const home = await workspace()
    const { dashboard, served } = await home.start()
    await rpc(dashboard!.url, 'secret-guess-'.repeat(4), 'subconscious.status')
    const log = await readFile(home.paths.log, 'utf8')
    expect(JSON.parse(log.trim())).toMatchObject({ what: 'refused', code: 'door/wrong-token' })
    expect(log).not.toContain('secret-guess')
    expect((await stat(home.paths.log)).mode & 0o777).toBe(0o600)
    await served.stop()

    const other = join(home.root, 'other.txt')
    await writeFile(other, 'mine')
    await rm(home.paths.log)
    await symlink(other, home.paths.log)
    const again = await home.start()
    await rpc(again.dashboard!.url, 'secret-guess-'.repeat(4), 'subconscious.status')
    expect(await readFile(other, 'utf8')).toBe('mine')
  })
})

describe('a program on a WebSocket', () => {
  it('hears of steps as they are committed, and after a drop of those that it missed', async () => {
    const home = await workspace()
    const { dashboard } = await home.start()
    const token = await home.token()
    const first = await webSocket(dashboard!.url, token)
    first.send(1, 'inspector.subscribe', { kind: 'evaluation' })
    const { result } = await first.first(({ id }) => id === 1)
    expect(result.subscription).toBe('steps')
    first.send(2, 'subconscious.trigger', { force: true, wait: true })
    const begun = await first.first(({ method }) => method === 'inspector.step')
    expect(begun.params).toMatchObject({ subscription: 'steps', kind: 'evaluation', event: 'xstate.init', data: null })
    first.socket.terminate()

    const second = await webSocket(dashboard!.url, token)
    second.send(1, 'inspector.subscribe', { kind: 'evaluation', since_seq: begun.params.seq })
    const ended = await second.first(
      ({ method, params }) => method === 'inspector.step' && params.actor === begun.params.actor,
    )
    expect(ended.params.version).toBe(Number(begun.params.version) + 1)
    second.send(2, 'inspector.actor', { id: begun.params.actor })
    const { result: actor } = await second.first(({ id }) => id === 2)
    expect(actor.state).toBe(second.heard.filter(({ params }) => params?.actor === actor.id).at(-1)?.params.to)
  })

  it('hears nothing any more once it has ended its subscription, or left', async () => {
    const home = await workspace()
    const { dashboard } = await home.start()
    const caller = await webSocket(dashboard!.url, await home.token())
    caller.send(1, 'inspector.subscribe', { subscription: 'mine' })
    await caller.first(({ id }) => id === 1)
    caller.send(2, 'inspector.unsubscribe', { subscription: 'mine' })
    expect(await caller.first(({ id }) => id === 2)).toMatchObject({ result: { ended: true } })
    caller.send(3, 'subconscious.trigger', { force: true, wait: true })
    await caller.first(({ id }) => id === 3)
    expect(caller.heard.filter(({ method }) => method === 'inspector.step')).toEqual([])
  })
})
