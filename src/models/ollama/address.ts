const usualPort = '11434'

/** Addresses a server can listen at, to be reached from everywhere, but nobody can call. */
const everywhere: Record<string, string> = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]' }

/**
 * Where Ollama is to be found, from OLLAMA_HOST as Ollama itself reads it: a host, an IPv6 address with or without
 * brackets, a port, a scheme (whose own port then is the usual one) and a path may each be left out. What is no address
 * at all comes back as it is, so that talking to it fails and names it.
 */
export const ollamaAddress = (env: Readonly<Record<string, string | undefined>>): string => {
  const given = (env.OLLAMA_HOST ?? '')
    .trim()
    .replace(/^["']+|["']+$/g, '')
    .trim()
  const [, scheme, rest = ''] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/is.exec(given) ?? []
  const [, authority = '', path = ''] = /^([^/]*)(.*)$/s.exec(rest) ?? []
  const { login, host, port } = partsOf(authority)
  const isPort = /^\d{1,5}$/.test(port) && Number(port) <= 65535
  const called = host === '' ? '127.0.0.1' : (everywhere[host] ?? host)
  const usual = scheme === undefined ? `:${usualPort}` : ''
  return `${scheme?.toLowerCase() ?? 'http'}://${login}${called}${isPort ? `:${port}` : usual}${path.replace(/\/+$/, '')}`
}

const partsOf = (authority: string): { login: string; host: string; port: string } => {
  const at = authority.lastIndexOf('@') + 1
  const login = authority.slice(0, at)
  const place = authority.slice(at)
  const bare = /^[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*$/i.test(place)
  if (bare) return { login, host: `[${place}]`, port: '' }
  const [, host = place, port = ''] = /^(\[[^\]]*\]|[^:]*):?(.*)$/s.exec(place) ?? []
  return { login, host, port }
}

/** The address for people to read: without user name and password. */
export const shownAddress = (address: string): string => address.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, '$1')
