/** The system's name for what went wrong, such as ENOENT; `unknown` for an error that is not the system's. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
