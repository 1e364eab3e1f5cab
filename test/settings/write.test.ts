import fc from 'fast-check'
import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { applyEdits } from '../../src/settings/edit-list.ts'
import { put } from '../../src/settings/table.ts'
import { settingsTemplate } from '../../src/settings/templates.ts'
import { setSetting } from '../../src/settings/write.ts'
import { faultOf } from './support/fault.ts'
import { change, document } from './support/toml.ts'

const beat = 'heartbeat.interval_minutes'

describe('setting a value that is there', () => {
  it.each([
    ['a header', '[heartbeat]\ninterval_minutes = 5 # often\n', '[heartbeat]\ninterval_minutes = 10 # often\n'],
    ['spaces', '[ heartbeat ]\n  interval_minutes   =   5', '[ heartbeat ]\n  interval_minutes   =   10'],
    ['dots', 'heartbeat.interval_minutes=5', 'heartbeat.interval_minutes=10'],
    ['quotes', '"heartbeat".\'interval_minutes\' = 5', '"heartbeat".\'interval_minutes\' = 10'],
    [
      'braces',
      'heartbeat = { interval_minutes = 5, enabled = true }',
      'heartbeat = { interval_minutes = 10, enabled = true }',
    ],
    [
      'the wrong type',
      '[heartbeat]\ninterval_minutes = """\nfive\n"""\n# end',
      '[heartbeat]\ninterval_minutes = 10\n# end',
    ],
  ])('replaces it and nothing else, written with %s', (_form, before, after) => {
    expect(setSetting(before, beat, 10)).toBe(after)
  })

  it('leaves the text as it is when the value is the same, however it is written', () => {
    const text = 'sources.own = [ \'a\', "b" ] # mine\nheartbeat.interval_minutes = 0x0A'
    expect(setSetting(text, 'sources.own', ['a', 'b'])).toBe(text)
    expect(setSetting(text, beat, 10)).toBe(text)
  })

  it('is not misled by the same words in a text or a comment', () => {
    const text = '# [heartbeat]\n# interval_minutes = 5\n[user]\nname = """\n[heartbeat]\ninterval_minutes = 5\n"""\n'
    expect(setSetting(text, beat, 10)).toBe(`${text}\n[heartbeat]\ninterval_minutes = 10\n`)
  })

  it('writes text that TOML would otherwise take for something else', () => {
    const name = 'a "b" \\ é \u007f'.replace('\u007f', '')
    expect(parse(setSetting('', 'user.name', name))).toEqual({ user: { name } })
    expect(parse(setSetting('', 'sources.own', ['"', '\\', '#', ']']))).toEqual({
      sources: { own: ['"', '\\', '#', ']'] },
    })
  })
})

describe('setting a value that is not there', () => {
  it.each([
    ['adds a table at the end', '# mine\n', '# mine\n\n[heartbeat]\ninterval_minutes = 10\n'],
    ['adds a table to an empty file', '', '[heartbeat]\ninterval_minutes = 10\n'],
    ['ends the last line first', '[user]', '[user]\n\n[heartbeat]\ninterval_minutes = 10\n'],
    [
      'goes right below its header',
      '[heartbeat] # beat\n\n[user]\n',
      '[heartbeat] # beat\ninterval_minutes = 10\n\n[user]\n',
    ],
    [
      'goes below the last setting of its table, as far in',
      '[heartbeat]\n\tenabled = true # yes\n\n# about me\n[user]\n',
      '[heartbeat]\n\tenabled = true # yes\n\tinterval_minutes = 10\n\n# about me\n[user]\n',
    ],
    [
      'goes below a last line without an end',
      '[heartbeat]\nenabled = true',
      '[heartbeat]\nenabled = true\ninterval_minutes = 10\n',
    ],
    [
      'goes into braces',
      'heartbeat = { enabled = true } # x',
      'heartbeat = { enabled = true, interval_minutes = 10 } # x',
    ],
    ['goes into empty braces', 'heartbeat = {}', 'heartbeat = { interval_minutes = 10 }'],
    ['goes into braces with a blank', 'heartbeat = { }', 'heartbeat = { interval_minutes = 10 }'],
    [
      'goes beside its dotted neighbours',
      'heartbeat.enabled = true\nuser.name = "x"\n',
      'heartbeat.enabled = true\nheartbeat.interval_minutes = 10\nuser.name = "x"\n',
    ],
    [
      'goes below the comment that holds its default',
      '[heartbeat]\n# Minutes.\n# interval_minutes = 5\n\n# Tokens.\n# context_budget_tokens = 1\n',
      '[heartbeat]\n# Minutes.\n# interval_minutes = 5\ninterval_minutes = 10\n\n# Tokens.\n# context_budget_tokens = 1\n',
    ],
    [
      'keeps Windows line ends',
      '[heartbeat]\r\nenabled = true\r\n',
      '[heartbeat]\r\nenabled = true\r\ninterval_minutes = 10\r\n',
    ],
    [
      'is not indented by a byte order mark',
      '\uFEFFheartbeat.enabled = true',
      '\uFEFFheartbeat.enabled = true\nheartbeat.interval_minutes = 10\n',
    ],
    ['keeps a byte order mark', '\uFEFF', '\uFEFF[heartbeat]\ninterval_minutes = 10\n'],
  ])('%s', (_what, before, after) => {
    expect(setSetting(before, beat, 10)).toBe(after)
  })

  it.each([
    ['models = { local = { provider = "auto" } }', 'models = { local = { provider = "auto" }, cloud.model = "m" }'],
    ['[models]\nlocal.provider = "auto"\n', '[models]\nlocal.provider = "auto"\n\n[models.cloud]\nmodel = "m"\n'],
    ['[models]\ncloud.provider = "openai"\n', '[models]\ncloud.provider = "openai"\ncloud.model = "m"\n'],
    ['models.cloud = { }\n', 'models.cloud = { model = "m" }\n'],
    ['[models.local]\n', '[models.local]\n\n[models.cloud]\nmodel = "m"\n'],
  ])('finds its place in tables of tables: %j', (before, after) => {
    expect(setSetting(before, 'models.cloud.model', 'm')).toBe(after)
  })

  it('does not look for a commented default inside of a text', () => {
    const text = '[user]\nname = """\n# timezone = 1\n"""\n'
    expect(setSetting(text, 'user.timezone', 'UTC')).toBe(`${text}timezone = "UTC"\n`)
  })

  it('fits into the template of a new workspace', () => {
    const edited = setSetting(setSetting(settingsTemplate(), beat, 10), 'models.cloud.model', 'm')
    expect(edited).toContain('# interval_minutes = 5\ninterval_minutes = 10\n# Whether beats')
    expect(edited).toMatch(/\[models\.cloud\]\n(?:#.*\n)+# model =\nmodel = "m"\n#/)
  })
})

describe('setting a list of several lines', () => {
  const set = (text: string, own: string[]): string =>
    setSetting(`sources.own = ${text}\n`, 'sources.own', own).slice(14, -1)
  const lines = '[\n  "a", # first\n  "b", # second\n]'

  it.each([
    ['adds a line', lines, ['a', 'b', 'c'], '[\n  "a", # first\n  "b", # second\n  "c",\n]'],
    ['adds a line in front', lines, ['x', 'a', 'b'], '[\n  "x",\n  "a", # first\n  "b", # second\n]'],
    ['adds a line between', lines, ['a', 'x', 'b'], '[\n  "a", # first\n  "x",\n  "b", # second\n]'],
    ['changes one and keeps its comment', lines, ['a', 'c'], '[\n  "a", # first\n  "c", # second\n]'],
    ['removes one and keeps its comment', lines, ['b'], '[\n  # first\n  "b", # second\n]'],
    ['removes the line of one without a comment', '[\n  "a",\n  "b",\n]', ['b'], '[\n  "b",\n]'],
    ['removes all', lines, [], '[\n  # first\n  # second\n]'],
    ['adds the comma that was missing', '[\n  "a" # last\n]', ['a', 'b'], '[\n  "a", # last\n  "b",\n]'],
    ['fills an empty one', '[\n  # none yet\n]', ['a', 'b'], '[\n  # none yet\n  "a",\n  "b",\n]'],
    ['stays on one line where several are', '[\n  "a", "b"\n]', ['a', 'b', 'c'], '[\n  "a", "b", "c"\n]'],
    ['copes with commas in front', '[ "a" # x\n, "b"\n]', ['b'], '[  # x\n "b"\n]'],
  ])('%s', (_what, before, own, after) => {
    expect(set(before, own)).toBe(after)
  })
})

describe('what cannot be set', () => {
  it.each([
    [
      'heartbeat.interval_minutes',
      2,
      'the new value: heartbeat.interval_minutes is 2; allowed is a whole number from 5',
    ],
    ['heartbeat.interval', 9, 'heartbeat.interval is not a setting. Did you mean heartbeat.interval_minutes?'],
    ['heartbeat', { enabled: true }, 'It is a table of settings: name one setting of it.'],
    ['heartbeat.enabled', null, 'heartbeat.enabled is null; allowed is true or false'],
    ['sources.own', [1], 'sources.own[0] is 1; allowed is a list of globs'],
    ['', 1, 'is not a setting'],
    ['__proto__', 1, '__proto__ is not a setting'],
  ])('%s to %j is refused', (key, value, sentence) => {
    const fault = faultOf(() => setSetting('', key, value))
    expect(fault.code).toBe('settings/invalid')
    expect(fault.message).toContain(sentence)
  })

  it('is anything in a text that is not TOML', () => {
    expect(faultOf(() => setSetting('[heartbeat', beat, 10)).code).toBe('settings/syntax')
  })

  it.each(['heartbeat = 3', '[[heartbeat]]\nenabled = true', 'heartbeat = [{ }]', "heartbeat = 'x'"])(
    'is a setting whose table is something else: %j',
    (text) => {
      const fault = faultOf(() => setSetting(text, beat, 10))
      expect(fault.code).toBe('settings/cannot-edit')
      expect(fault.kind).toBe('use')
    },
  )

  it('is half of a character, which no TOML can hold', () => {
    expect(faultOf(() => setSetting('', 'user.name', 'a\ud800')).code).toBe('settings/cannot-edit')
  })
})

describe('setting any value in any file', () => {
  const comments = (text: string): string[] => text.match(/#[^\r\n]*/g) ?? []
  const isWithin = (few: readonly string[], many: readonly string[]): boolean => {
    let at = 0
    for (const one of many) if (one === few[at]) at++
    return at === few.length
  }

  it('changes that setting, no other, no comment, no line end, and no line but its own', () => {
    fc.assert(
      fc.property(document, change, (before, { key, path, value }) => {
        const after = setSetting(before, key, value)
        const expected = parse(before)
        put(expected, path, value)
        expect(parse(after)).toEqual(expected)
        expect(setSetting(after, key, value)).toBe(after)
        expect(after.startsWith('\uFEFF')).toBe(before.startsWith('\uFEFF'))
        if (before.includes('\r\n')) expect(after.replaceAll('\r\n', '')).not.toContain('\n')
        // Texts of these files hold no hash, so that every hash begins a comment.
        if (!JSON.stringify(value).includes('#')) expect(isWithin(comments(before), comments(after))).toBe(true)
        if (Array.isArray(value)) return
        const now = after.split(/\r?\n/)
        const changed = before.split(/\r?\n/).filter((line) => !now.includes(line))
        // The generated texts of several lines have two.
        expect(changed.length).toBeLessThanOrEqual(2)
      }),
      { numRuns: 300 },
    )
  })

  it('keeps every comment in and around a list', () => {
    const item = fc.constantFrom('a', 'b', 'c', 'd')
    const gap = fc.constantFrom('', ' ', '\n', '\n  # one\n', ' # two\n', '\n\n  ')
    const list = fc.array(fc.tuple(gap, item, gap), { maxLength: 5 })
    fc.assert(
      fc.property(list, gap, fc.boolean(), fc.array(item, { maxLength: 5 }), (items, end, comma, own) => {
        const inside = items.map(([above, name, below]) => `${above}"${name}"${below}`).join(',')
        const before = `[sources]\nown = [${inside}${comma && items.length > 0 ? ',' : ''}${end}] # three\nignore = []\n`
        const after = setSetting(before, 'sources.own', own)
        expect(parse(after)).toEqual({ sources: { own, ignore: [] } })
        expect(comments(after)).toEqual(comments(before))
      }),
      { numRuns: 500 },
    )
  })
})

describe('edits', () => {
  it('at the same spot come in the order they were given in', () => {
    const at = { start: 1, end: 1 }
    expect(
      applyEdits('ab', [
        { ...at, text: '1' },
        { ...at, text: '2' },
      ]),
    ).toBe('a12b')
  })
})
