import { existsSync } from 'node:fs'

/** A folder of the package, by its path from the root: the nearest folder above this file that has a package.json. */
export function packageFolder(path: string): URL {
  let root = new URL('.', import.meta.url)
  for (let above = new URL('..', root); above.href !== root.href; above = new URL('..', root)) {
    if (existsSync(new URL('package.json', root))) break
    root = above
  }
  return new URL(path, root)
}
