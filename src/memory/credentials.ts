/** What stands where a credential stood. */
const secretMark = '[secret left out]'

/**
 * A line without the credentials in it. A credential is what has a well-known form (keys of clouds, forges and payment
 * services, web tokens), a password in an address, an authorization, or what is given to a name such as password,
 * token or API key. After `=` any value counts, after a colon or "is" only one that no word or date looks like, so that
 * "Password: see the vault" stays as it is; names, calls and placeholders of code stay too.
 */
export function withoutCredentials(line: string): string {
  let text = line
  if (hasLongWord.test(text))
    text = text
      .replaceAll(wellKnown, secretMark)
      .replaceAll(webToken, secretMark)
      .replaceAll(bearer, (_all, before: string) => `${before}${secretMark}`)
  if (text.includes('://')) text = text.replaceAll(inAddress, (_all, before: string) => `${before}${secretMark}@`)
  if (!hasName.test(text)) return text
  if (hasSign.test(text))
    text = text
      .replaceAll(authorization, (_all, before: string) => `${before}${secretMark}`)
      .replaceAll(assigned, (all: string, before: string, sign: string, given: string) =>
        (sign.includes('=') ? isAssignedSecret(given) : isToldSecret(given)) ? `${before}${sign}${hidden(given)}` : all,
      )
  if (hasVerb.test(text))
    text = text
      .replaceAll(login, (_all, before: string) => `${before}${secretMark}`)
      .replaceAll(told, (all: string, before: string, given: string) =>
        isToldSecret(given) ? `${before}${secretMark}` : all,
      )
  return text
}

const hasLongWord = /(?<!\S)\S{14}/
/** A part of each name that a credential can be given to, found quickly. */
const hasName = /pass|pwd|secret|token|key|auth|login|user| -u|wort|contrase|senha|парол|密|口令|令牌|パスワード|비밀/i
const hasSign = /[=:：]/
const hasVerb = /\s(?:is|was|ist|lautet|est|es|-u|--user)[\s:：]|login\s|[是为為]/i

// Every pattern can start at few places or looks only so far, so that no line, however long, takes long.

const wellKnown = new RegExp(
  `(?<![A-Za-z0-9])(?:${[
    '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])',
    'gh[oprsu]_[A-Za-z0-9]{30,}',
    'github_pat_[A-Za-z0-9_]{22,}',
    'gl(?:pat|rt|dt)-[A-Za-z0-9_-]{20,}',
    'xox[abeoprs]-[A-Za-z0-9-]{10,}',
    'xapp-[A-Za-z0-9-]{20,}',
    'sk-(?=[A-Za-z_-]{0,80}\\d)[A-Za-z0-9_-]{20,}',
    '[rs]k_(?:live|test)_[A-Za-z0-9]{16,}',
    'whsec_[A-Za-z0-9+/=]{20,}',
    'AIza[A-Za-z0-9_-]{35}',
    'ya29\\.[A-Za-z0-9_-]{20,}',
    'npm_[A-Za-z0-9]{36}',
    'pypi-[A-Za-z0-9_-]{40,}',
    'hf_[A-Za-z0-9]{30,}',
    'dop_v1_[a-f0-9]{64}',
    'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}',
    'SG\\.[A-Za-z0-9_-]{16,80}\\.[A-Za-z0-9_-]{16,80}',
    'AGE-SECRET-KEY-1[A-Z0-9]{50,}',
    '\\d{8,10}:AA[A-Za-z0-9_-]{33}',
  ].join('|')})`,
  'g',
)

const webToken = /(?<![\w-])eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*/g

const inAddress = /(:\/\/[^\s/:@?#]{0,100}:)[^\s/@?#]{1,200}@/g

const authorization =
  /(\bauthorization["']?\s{0,4}[:=]\s{0,4}["']?(?:basic|bearer|token|digest)\s{1,4})[\w.~+/=-]{8,}/gi

const bearer = /(\bbearer\s{1,4})(?=[A-Za-z.~+/=_-]{0,400}\d)[\w.~+/=-]{16,}/gi

const login = /(\blogin\s{1,4}[^\s]{1,100}\s{1,4}password\s{1,4}|\s(?:-u|--user)\s{1,4}["']?[^\s:]{1,64}:)[^\s"']{4,}/gi

const name = [
  'passw(?:or)?d',
  'passphrase',
  'passcode',
  '(?<=_)pass',
  'pwd',
  'secret',
  'token',
  'api[_ -]?key',
  '(?:access|account|auth|client|encryption|master|private|secret|shared|signing)[_ -]?key',
  'passwort',
  'kennwort',
  'contraseña',
  'mot de passe',
  'senha',
  'пароль',
  '密[码碼]',
  '口令',
  '令牌',
  'パスワード',
  '비밀번호',
].join('|')

const value =
  '"(?:[^"\\\\]|\\\\.){1,400}"|\'(?:[^\'\\\\]|\\\\.){1,400}\'|`[^`]{1,400}`|["\'`]?[^\\s"\'`,;&，。；]{1,400}'

const assigned = new RegExp(
  `((?:${name})(?:_base|_hash)?["'\`]?\\]?)(\\s{0,8}(?::=|=(?![=>~])|[:：](?![:/]))\\s{0,8})(${value})`,
  'giu',
)

const told = new RegExp(
  `((?:${name})(?:\\s{1,4}(?:is|was|ist|lautet|est|es)|是|为|為)\\s{0,4}[:：]?\\s{0,4})(${value})`,
  'giu',
)

const quoted = /^["'`]/

const hidden = (text: string): string => (quoted.test(text) ? `${text[0]}${secretMark}${text[0]}` : secretMark)

const inside = (text: string): string => (quoted.test(text) ? text.slice(1, -1) : text.replace(/[.)\]}>!?]+$/, ''))

const placeholder =
  /^(?:[$%<{[(*.…]|x{3,}$|your\b|your[_-]|example|change.?me|redacted|(?:null|nil|none|true|false|undefined|string|text|number|boolean|bool|str|any|required|optional|await|new|this|self|yield|async|function|include|omit|password|passwd|secret|token|value|missing|expired|invalid|unknown|hidden)$)/i

const code = /^[A-Za-z_$][\w$]*(?:(?:\.|::|->|\?\.)[A-Za-z_$]+)*(?:[([]|(?:\.|::|->|\?\.)[A-Za-z_$]+$)/

/** Whether what is given by an equals sign is a credential: nearly everything is. */
function isAssignedSecret(given: string): boolean {
  const text = inside(given)
  if (text.length < 4 || placeholder.test(text) || /^[~/]|^\d{4,5}$/.test(text)) return false
  return quoted.test(given) ? /\d/.test(text) || !text.includes(' ') : !code.test(text)
}

/** Whether what follows a colon or "is" is a credential rather than a word about one. */
function isToldSecret(given: string): boolean {
  const text = inside(given)
  if (text.length < 6 || text.includes(' ') || placeholder.test(text) || code.test(text)) return false
  if (
    /^\d{1,4}[-./:]\d|^\d{1,7}$|^\d+-[a-z]+$|^(?:sha|md|base|utf|aes|rsa|oauth|v)-?\d|^[^@]+@[\w-]+\.[\w.-]+$|^https?:/i.test(
      text,
    )
  )
    return false
  return quoted.test(given) || /\d|[!@#$%^&*+=~?]/.test(text)
}
