import type { Server } from 'node:http'
import { Fault } from '../../domain/errors.ts'

/** Codes with which the system says that a port is somebody else's. */
const taken = new Set(['EADDRINUSE', 'EACCES'])

/** Listens at the wanted port, or at a free one when that is taken; returns which. Throws `door/cannot-listen`. */
export async function listen(server: Server, host: string, wanted: number): Promise<number> {
  const address = host === 'localhost' ? '127.0.0.1' : host
  try {
    return await begin(server, address, wanted)
  } catch (error) {
    if (wanted === 0 || !taken.has(codeOf(error))) throw cannotListen(host, wanted, error)
  }
  try {
    return await begin(server, address, 0)
  } catch (error) {
    throw cannotListen(host, wanted, error)
  }
}

function begin(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      const bound = server.address()
      resolve(typeof bound === 'object' && bound !== null ? bound.port : port)
    })
  })
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : 'unknown')

function cannotListen(host: string, port: number, error: unknown): Fault {
  const code = codeOf(error)
  const sentence = `Cannot listen at ${host}, port ${port}: the system says ${code}. Set server.host to an address of this machine and server.port to one from 0 to 65535.`
  return new Fault('door/cannot-listen', sentence, { host, port, code })
}
