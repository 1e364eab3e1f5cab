import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, mkdirSync, openSync, rmSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A disk of a few megabytes, to be filled and locked. Only the superuser of Linux may mount one. Elsewhere it is a plain
 * folder that never fills (`fills` is false), and is locked by its permissions.
 */
export class SmallDisk implements Disposable {
  readonly path: string
  readonly fills: boolean
  readonly #ballast: string

  constructor(path: string) {
    mkdirSync(path)
    this.path = path
    this.fills = attempt('mount', '-t', 'tmpfs', '-o', 'size=6m,mode=0755', 'tmpfs', path)
    this.#ballast = join(path, 'ballast')
  }

  /** Takes all room but so many bytes. */
  fill(left = 0): void {
    if (!this.fills) return
    const file = openSync(this.#ballast, 'w')
    let size = 0
    try {
      for (;;) size += writeSync(file, Buffer.alloc(4096))
    } catch {
      truncateSync(this.#ballast, Math.max(0, size - left))
    } finally {
      closeSync(file)
    }
  }

  free(): void {
    rmSync(this.#ballast, { force: true })
  }

  lock(folder: string): void {
    if (this.fills) execFileSync('mount', ['-o', 'remount,ro', this.path])
    else chmodSync(folder, 0o500)
  }

  unlock(folder: string): void {
    if (this.fills) execFileSync('mount', ['-o', 'remount,rw', this.path])
    else chmodSync(folder, 0o700)
  }

  [Symbol.dispose](): void {
    if (this.fills) execFileSync('umount', ['-l', this.path])
  }
}

function attempt(program: string, ...words: string[]): boolean {
  try {
    execFileSync(program, words, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
