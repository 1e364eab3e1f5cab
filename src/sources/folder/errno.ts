const denied = 'no permission to read it'
const missing = 'it is not there'

const words: Record<string, string> = {
  EACCES: denied,
  EPERM: denied,
  ENOENT: missing,
  ENOTDIR: missing,
  ENAMETOOLONG: 'its path is too long',
}

/** The code of an error that a file system call failed with; anything else is a mistake of ours and thrown on. */
export const errnoOf = (error: unknown): string => {
  if (error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string')
    return error.code
  throw error
}

/** Whether an error says that the thing is not there, or not what it was a moment ago. */
export const isGone = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(errnoOf(error))

/** Whether trying again is of no use until somebody changes the thing itself, which a watcher would tell. */
export const isLasting = (error: unknown): boolean => ['EACCES', 'EPERM', 'ENAMETOOLONG'].includes(errnoOf(error))

export const reasonOf = (error: unknown): string => words[errnoOf(error)] ?? `it cannot be read (${errnoOf(error)})`
