import { type FileSystem, nodeFileSystem, type OpenFile, type Path } from '../../../src/sources/folder/file-system.ts'

type Call = 'stat' | 'lstat' | 'names' | 'open' | 'watch'

interface Fault {
  call: Call
  /** How the path ends. */
  at: string
  code: string
}

const failure = (call: string, code: string) => Object.assign(new Error(`${code}: ${call}`), { code, syscall: call })

/**
 * The real file system, in which chosen calls on chosen paths fail with an errno, for as long as they are in `broken`.
 * `before` is called ahead of everything that is looked at, so that a test can change the tree at that very moment.
 */
export const faultyFileSystem = () => {
  const broken: Fault[] = []
  const hooks = { before(_call: Call, _path: string) {}, opened: (file: OpenFile, _path: string): OpenFile => file }
  const check = (call: Call, path: Path) => {
    hooks.before(call, path.toString())
    const fault = broken.find((one) => one.call === call && path.toString().endsWith(one.at))
    if (fault) throw failure(call, fault.code)
  }
  const fs: FileSystem = {
    async stat(path) {
      check('stat', path)
      return nodeFileSystem.stat(path)
    },
    async lstat(path) {
      check('lstat', path)
      return nodeFileSystem.lstat(path)
    },
    async *names(path) {
      check('names', path)
      yield* nodeFileSystem.names(path)
    },
    async open(path) {
      check('open', path)
      return hooks.opened(await nodeFileSystem.open(path), path.toString())
    },
    watch(path, onEvent, onError) {
      check('watch', path)
      return nodeFileSystem.watch(path, onEvent, onError)
    },
  }
  return { fs, broken, hooks }
}

/** A file system whose clock stands still: it tells a file's size and number, and no times. */
export const timelessFileSystem = (): FileSystem => {
  const timeless = <T extends object>(stats: T): T =>
    Object.assign(Object.create(Object.getPrototypeOf(stats)), stats, { mtimeNs: 0n, ctimeNs: 0n })
  return {
    ...nodeFileSystem,
    lstat: async (path) => timeless(await nodeFileSystem.lstat(path)),
    async open(path) {
      const file = await nodeFileSystem.open(path)
      return { ...file, stat: async () => timeless(await file.stat()) }
    },
  }
}
