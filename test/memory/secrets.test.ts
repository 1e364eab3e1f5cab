import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maskLines, maskSecrets } from '../../src/memory/secrets.ts'

const keyBody = [
  'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj',
  'QMzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SX6dVMvDuictGeurT8jNbvJZHtCSuYEv',
  'abcdefghijklmnopQRS12==',
]

describe('what looks like a credential', () => {
  it.each<[line: string, secret: string]>([
    ['password=hunter2', 'hunter2'],
    ['DB_PASSWORD=swordfish', 'swordfish'],
    ['export DB_PASS="two words 1"', 'two words 1'],
    ['password: hunter2', 'hunter2'],
    ['"password": "swordfish",', 'swordfish'],
    ["  api_key = 'abcd1234'", 'abcd1234'],
    ['X-Api-Key: 8f3a9c1e22', '8f3a9c1e22'],
    ['Authorization: Bearer abcdefghijklmnop', 'abcdefghijklmnop'],
    ['authorization: Basic dXNlcjpwYXNz', 'dXNlcjpwYXNz'],
    ['sends bearer abcdef0123456789abcdef with it', 'abcdef0123456789abcdef'],
    ['the id is AKIAIOSFODNN7EXAMPLE.', 'AKIAIOSFODNN7EXAMPLE'],
    ['aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'],
    [`git clone https://ghp_${'a1'.repeat(18)}@github.com/x/y`, 'a1a1'],
    ['github_pat_11ABCDEFG0abcdefghij_klmnop', 'abcdefghij_klmnop'],
    ['postgres://admin:s3cr3t@db.example.com/x', 's3cr3t'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N', 'dozjgNry'],
    ['Your password is Xy7#kQ2p.', 'Xy7#kQ2p'],
    ['The password is: correct1horse', 'correct1horse'],
    ['sk-ant-api03-abcdefghijklmnopqrst', 'qrst'],
    [`sk_live_${'4'.repeat(24)}`, '4444'],
    ['Server=x;User=sa;Password=Abc123!;Encrypt=true', 'Abc123!'],
    ['https://x.test/cb?token=abcdef123&x=1', 'abcdef123'],
    ['密码：hunter2', 'hunter2'],
    ['密码是hunter2abc', 'hunter2abc'],
    ['Passwort: Geheim1!', 'Geheim1'],
    ['machine example.com login ada password qwertyuiop', 'qwertyuiop'],
    ['curl -u ada:qwertyuiop https://x.test', 'qwertyuiop'],
    ['password="unclosed1', 'unclosed1'],
    ['password=123456', '123456'],
  ])('is masked in %j', (line, secret) => {
    const [masked] = maskLines([line])
    expect(masked?.shown).not.toContain(secret)
    expect(masked?.shown).toContain('[secret left out]')
    expect(masked?.raw).toBe(line)
  })

  it('leaves the rest of its line', () => {
    expect(maskSecrets('Server=x;Password=Abc123!;Encrypt=true')).toBe(
      'Server=x;Password=[secret left out];Encrypt=true',
    )
    expect(maskSecrets('{"password": "swordfish"}')).toBe('{"password": "[secret left out]"}')
  })

  it.each([
    'Password: see the vault',
    'The password: ask Jon',
    'Token: expired',
    'Secret: nobody knows',
    'Passwords: 3 resets',
    'Bearer certificates are back',
    'the bearer authentication-mechanism is old',
    'max_tokens=4096',
    'context_budget_tokens = 40000',
    'secretary: Anna1',
    'password = getPassword()',
    'password=self.password',
    'password=$PASSWORD',
    'token=<your token>',
    'if (password == null) return',
    'password !== other',
    'const token = await fetchToken()',
    'password: string',
    'password: z.string().min(8)',
    'The password is 12 characters long',
    'The token is base64-encoded',
    'Your password was changed yesterday.',
    'Please change your password by 2026-04-03.',
    'password: 2026-04-10 expires',
    'Forgot password: help@example.com',
    'http://localhost:8080/x@y',
    'Meeting at 10:30: bring your key',
    'API key: none yet',
    'PWD=/home/ada',
    'The secret is out!',
    'sk-learn-something-very-long-name',
    'AKIA is a prefix',
    '密码：请看保险库',
    'password=',
    'commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904',
    'integrity sha512-abc/def',
    'https://example.com/a/very/long/path/with/many/parts/in/it/and/no/secret/at/all/index.html',
  ])('is not seen in %j', (line) => {
    expect(maskSecrets(line)).toBe(line)
  })

  it('is not seen in prose about passwords, tokens and keys', () => {
    const word = fc.constantFrom(
      'the',
      'password',
      'Password',
      'token',
      'secret',
      'key',
      'API key',
      'was',
      'is',
      'changed',
      'expired',
      'for',
      'tomorrow',
      'on 3 April',
      'at 18:00',
      'by Friday',
      '2026-04-01',
      'bearer',
      'authorization',
      'login',
      'see',
      'Jon',
      'private key',
    )
    const sentence = fc.tuple(
      fc.array(fc.tuple(word, fc.constantFrom(' ', ', ', ': ', '. ', '; ')), { minLength: 1, maxLength: 12 }),
    )
    fc.assert(
      fc.property(sentence, ([words]) => {
        const prose = words.flat().join('').trim()
        expect(maskSecrets(prose)).toBe(prose)
      }),
    )
  })
})

describe('a private key', () => {
  const key = [
    '-----BEGIN RSA PRIVATE KEY-----',
    'Proc-Type: 4,ENCRYPTED',
    '',
    ...keyBody,
    '-----END RSA PRIVATE KEY-----',
  ]

  it('leaves one line of its block, and the lines around it', () => {
    const masked = maskSecrets(['before', ...key, 'after'].join('\n'))
    expect(masked).toBe('before\n[private key left out]\nafter')
  })

  it.each(['OPENSSH PRIVATE KEY', 'PRIVATE KEY', 'ENCRYPTED PRIVATE KEY', 'PGP PRIVATE KEY BLOCK'])(
    'may be of kind %s',
    (kind) => {
      expect(maskSecrets([`-----BEGIN ${kind}-----`, ...keyBody, '=abCD', `-----END ${kind}-----`].join('\n'))).toBe(
        '[private key left out]',
      )
    },
  )

  it('is recognised by its body alone, as in the difference between two keys', () => {
    expect(maskSecrets(['a', ...keyBody, 'Then some words'].join('\n'))).toBe(
      'a\n[private key left out]\nThen some words',
    )
  })

  it('is recognised quoted, indented and in one line', () => {
    expect(maskSecrets(key.map((line) => `> ${line}`).join('\n'))).toBe('> [private key left out]')
    const inJson = maskSecrets(`{"private_key": "${key.join('\\n')}\\n"}`)
    expect(inJson).toBe('{"private_key": "[private key left out]')
  })

  it('that has no end hides nothing but what can belong to it', () => {
    expect(maskSecrets('-----BEGIN PRIVATE KEY-----\nabcd\nPlease answer by Friday.\npassword=hunter2')).toBe(
      '[private key left out]\nPlease answer by Friday.\npassword=[secret left out]',
    )
  })
})

describe('masking', () => {
  it('gives a line for each line and changes none twice', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (lines) => {
        const masked = maskLines(lines)
        expect(masked.map(({ raw }) => raw)).toEqual(lines)
        const again = masked.flatMap(({ shown }) => shown ?? [])
        expect(maskLines(again).flatMap(({ shown }) => shown ?? [])).toEqual(again)
      }),
    )
  })

  it.each([
    'eyJ-',
    'sk-',
    '://a:',
    'password',
    'password is ',
    'login ',
    'Bearer ',
    '-----BEGIN ',
    'token: "\\',
    'SG.',
    ' ',
    '"',
    '密码：',
    'A1',
    '\\n',
    "',",
    'authorization:  basic',
  ])('of a line made of %j takes no time to speak of', (part) => {
    const line = part.repeat(65_536 / part.length)
    const start = performance.now()
    maskLines([line, `${line}!`])
    expect(performance.now() - start).toBeLessThan(1000)
  })
})
