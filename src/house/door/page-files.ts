import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { PageFile } from '../../rpc/http/app.ts'
import { packageFolder } from '../package-root.ts'

const built = packageFolder('dist/web/')

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}

/** Names of plain files, as the build gives them; nothing in them leads elsewhere. */
const plain = /^\/(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/
const assets = '/assets/'

/**
 * The dashboard's files, as they were built. A path without an ending is a place within the page. Files under assets have
 * their content in their name, so that they never change.
 */
export const pageFiles =
  (folder: URL = built) =>
  async (path: string): Promise<PageFile | null> => {
    const name = path === '/' || (plain.test(path) && extname(path) === '') ? '/index.html' : path
    const type = types[extname(name)]
    if (!plain.test(name) || type === undefined) return null
    const body = await read(new URL(`.${name}`, folder))
    if (body !== null) return { type, body, isImmutable: name.startsWith(assets) }
    return name === '/index.html' ? notBuilt : null
  }

const notBuilt: PageFile = {
  type: 'text/plain; charset=utf-8',
  body: 'The dashboard has not been built. Run npm run build where undermind is, then load this page again. JSON-RPC is at /rpc.\n',
}

async function read(file: URL): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    return new Uint8Array(await readFile(file))
  } catch {
    return null
  }
}
