import { lstatSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { Fault } from '../domain/errors.ts'
import { Connection, type ConnectionParts } from './connection.ts'

export interface SocketServerOptions extends ConnectionParts {
  /** Of the socket, or the name of a pipe on Windows. */
  path: string
}

const mostConnections = 100
const ownerOnly = 0o600
const longestPath = 103

/**
 * Serves JSON-RPC, a message a line, on a local socket that only this user may use. A socket that an earlier process
 * left behind is replaced. Throws `daemon/running` when somebody answers there, `daemon/socket-in-the-way` when it is no
 * socket, `daemon/cannot-listen`.
 */
export async function serveSocket({ path, ...parts }: SocketServerOptions): Promise<AsyncDisposable> {
  const connections = new Set<Connection>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const connection = new Connection(socket, parts)
    connections.add(connection)
    socket.on('close', () => connections.delete(connection))
  })
  server.maxConnections = mostConnections
  await listenInPlaceOfTheDead(server, path)
  // Accepting may fail for want of file handles; whoever is connected already goes on.
  server.on('error', () => {})

  const closed = new Promise<void>((resolve) => server.once('close', resolve))
  return {
    async [Symbol.asyncDispose]() {
      if (server.listening) server.close()
      for (const connection of connections) connection.leave()
      await closed
    },
  }
}

async function listenInPlaceOfTheDead(server: Server, path: string): Promise<void> {
  // Some systems cut a longer path off and make the socket somewhere else.
  if (!isPipe(path) && Buffer.byteLength(path) > longestPath) throw cannotListen(path, 'ENAMETOOLONG')
  try {
    await listen(server, path)
  } catch (error) {
    if (codeOf(error) !== 'EADDRINUSE') throw cannotListen(path, error)
    await removeDead(path)
    try {
      await listen(server, path)
    } catch (second) {
      throw cannotListen(path, second)
    }
  }
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.once('listening', () => {
      server.off('error', reject)
      resolve()
    })
    bindPrivately(server, path)
  })
}

/** The socket is made within `listen`, so the mask that the whole process shares is ours for that moment only. */
function bindPrivately(server: Server, path: string): void {
  if (isPipe(path)) {
    server.listen(path)
    return
  }
  const before = process.umask(0o777 & ~ownerOnly)
  try {
    server.listen(path)
  } finally {
    process.umask(before)
  }
}

async function removeDead(path: string): Promise<void> {
  const found = isPipe(path) ? undefined : lstatSync(path, { throwIfNoEntry: false })
  if (found && !found.isSocket()) {
    throw new Fault(
      'daemon/socket-in-the-way',
      `Cannot listen: ${path} is no socket, so it stays where it is. Move it away and start again.`,
      { path },
    )
  }
  if (await answers(path)) {
    throw new Fault('daemon/running', `Cannot listen: another undermind answers at ${path}. Use it, or stop it.`, {
      path,
    })
  }
  rmSync(path, { force: true })
}

/** Only a refusal shows that nobody is there; whoever is too busy to answer is alive. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', (error) => resolve(!['ECONNREFUSED', 'ENOENT'].includes(codeOf(error) ?? '')))
  })
}

const isPipe = (path: string): boolean => path.startsWith('\\\\')

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

const cannotListen = (path: string, error: unknown): Fault =>
  new Fault(
    'daemon/cannot-listen',
    `Cannot listen at ${path}: the system says ${codeOf(error) ?? String(error)}. See that its folder is there and yours.`,
    { path, error: codeOf(error) },
  )
