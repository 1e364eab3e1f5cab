import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { PageFile } from '../../../src/rpc/http/app.ts'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** The files of a built page, as the daemon serves them. */
export const pageFiles =
  (folder: string) =>
  async (path: string): Promise<PageFile | null> => {
    const name = path === '/' ? 'index.html' : path.slice(1)
    const type = types[extname(name)]
    if (type === undefined) return null
    const bytes = await readFile(join(folder, name)).catch(() => null)
    return bytes && { type, body: new Uint8Array(bytes) }
  }
