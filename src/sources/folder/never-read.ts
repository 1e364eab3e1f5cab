// Held against names in lower case: a file system may not tell `.ENV` from `.env`.
// A state folder that was put aside keeps its name, with something behind it.
const state = /^\.git$|^\.undermind/

const secrets: RegExp[] = [
  /^\.env/,
  /^\.mcp\.json$/,
  /^undermind\.toml$/,
  /\.(pem|key|p12|pfx|ppk|kdbx|keystore)$/,
  /^id_(rsa|dsa|ecdsa|ed25519)/,
  /^\.(netrc|npmrc|pypirc|pgpass|git-credentials|htpasswd)$/,
  /^\.(ssh|gnupg|aws)$/,
]

/** Names of files and folders that no setting makes readable: undermind's and git's own state, and where secrets live. */
export const isNeverRead = (name: string): boolean => {
  const lower = name.toLowerCase()
  return state.test(lower) || secrets.some((secret) => secret.test(lower))
}

const privateKey = /^\s*-----BEGIN [A-Z0-9 ]*PRIVATE KEY/

/** A private key under an innocent name. */
export const isPrivateKey = (head: Buffer): boolean => privateKey.test(head.toString('latin1'))
