import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeDecisions, mergeRepair, noVerdicts, openProblems, readDecisions } from '../../src/models/decisions.ts'
import { change } from '../memory/material.ts'

const tasks = ['t1', 't2', 't3']
const shown = (answer: string, options?: { cutOff?: boolean }) =>
  describeDecisions(readDecisions(answer, tasks, options))
const item = (task_id: string, decision: string, more: object = {}) =>
  JSON.stringify({ task_id, decision, reason: 'r', ...more })
const skip1 = { t1: 'skip', t2: 'failed', t3: 'failed' }
const all = { t1: 'skip', t2: 'act', t3: 'escalate' }
const items = [item('t1', 'skip'), item('t2', 'act'), item('t3', 'escalate')]

describe('the cases', () => {
  const read = (name: string) =>
    readDecisions(readFileSync(new URL(`../cases/model-output/${name}.txt`, import.meta.url), 'utf8'), tasks)

  it('fenced JSON between prose with braces is read whole', () => {
    expect(describeDecisions(read('fenced-with-prose'))).toEqual(all)
    expect(read('fenced-with-prose').problems).toEqual([])
  })

  it('a bad, an unknown and a repeated item cost only themselves', () => {
    const reading = read('one-bad-item')
    expect(describeDecisions(reading)).toEqual({ t1: 'skip', t2: 'failed', t3: 'act' })
    expect(reading.problems).toEqual([
      { task: 't2', problem: 'the decision "maybe" is none of skip, act, escalate' },
      { task: 't9', problem: 'was not asked about' },
      { task: 't3', problem: 'was answered twice; the first answer counts' },
    ])
    expect(openProblems(reading)).toEqual(['t2: the decision "maybe" is none of skip, act, escalate'])
    expect(reading.unreadable).toBe(false)
  })

  it('a cut-off answer keeps its complete items, and its thinking decides nothing', () => {
    const reading = read('thinking-then-cut')
    expect(describeDecisions(reading)).toEqual(skip1)
    expect(openProblems(reading)).toEqual([
      't2: the answer on it is not complete',
      't3: the answer was cut off before it',
    ])
  })
})

describe('the shape of an answer', () => {
  it.each([
    ['a list under "evaluations"', `{"evaluations":[${items}]}`],
    ['a bare list', `[${items}]`],
    ['JSON Lines', items.join('\n')],
    ['single objects in prose', `First: ${items[0]}. Then (${items[1]}), and finally ${items[2]}!`],
    ['several code fences', items.map((one) => `\`\`\`json\n${one}\n\`\`\``).join('\nand\n')],
    ['JSON encoded twice', JSON.stringify(`{"evaluations":[${items}]}`)],
    ['JSON encoded twice, with white space before', JSON.stringify(` \n[ \n${items}]`)],
    ['a list encoded twice inside its object', JSON.stringify({ evaluations: `[${items}]` })],
    ['a list of encoded items', JSON.stringify({ evaluations: items })],
    ['a list with commas too many', `{"evaluations":[${items.join(',')},],}`],
    ['a list with white space everywhere', ` \r\n\t[ ${items.join(' ,\n ')} \n]\n\n`],
    ['a list that is never closed', `{"evaluations":[${items}`],
    ['a list after braces that are no JSON', `{three} [note] { "a": } [1, 2 {"x" ${items.join(' ')}`],
    ['a list behind a smaller one', `[] {} [1] {"evaluations":[]} ${items}`],
  ])('may be %s', (_, answer) => {
    expect(shown(answer)).toEqual(all)
  })

  it('may name the task as task_id, taskId or id, as text or as a number', () => {
    expect(
      shown(
        '[{"task_id":"t1","decision":"skip"},{"taskId":" t2 ","decision":"act"},{"id":"t3","decision":"escalate"}]',
      ),
    ).toEqual(all)
    expect(describeDecisions(readDecisions('{"id":7,"decision":"act"}', ['7']))).toEqual({ 7: 'act' })
    expect(shown('{"id":1,"task_id":"t1","decision":"skip"}')).toEqual(skip1)
  })

  it('keeps the optional fields, and takes null for absent', () => {
    const source = { source: 'mail', key: '1.eml', quote: 'due {net 14}', external: true }
    const reading = readDecisions(
      `[${item('t1', 'act', { text: 'Two new', needs: 'text', sources: [source], extra: 1 })},{"task_id":"t2","decision":"act","reason":null,"text":null,"needs":null}]`,
      tasks,
    )
    expect(reading.decisions.get('t1')).toEqual({
      decision: 'act',
      reason: 'r',
      text: 'Two new',
      needs: 'text',
      sources: [source],
    })
    expect(reading.decisions.get('t2')).toEqual({ decision: 'act', reason: '', sources: [] })
  })

  it('has sources that are held against the changes that were shown', () => {
    const changes = [
      change(1, { key: '1.eml', added: ['due {net 14}'] }),
      change(2, { key: 'plan.md', external: false, added: ['call Anna'] }),
    ]
    const sources = [
      { source: 'folder', key: '1.eml', quote: 'due {net 14}', external: false },
      { source: 'folder', key: 'plan.md', quote: 'call Bob', page: 3 },
      { source: 'folder', key: 'secret.md', quote: 'x' },
      'plan.md',
    ]
    const of = (options: object, given: unknown = sources) =>
      readDecisions(item('t1', 'act', { sources: given }), tasks, options).decisions.get('t1')
    expect(of({ changes })).toMatchObject({
      sources: [
        { source: 'folder', key: '1.eml', quote: 'due {net 14}', external: true },
        { source: 'folder', key: 'plan.md', external: false },
      ],
    })
    expect(of({ changes: [] })).toMatchObject({ decision: 'act', sources: [] })
    expect(of({}, [{ source: 'a', key: 'b', quote: null }])).toMatchObject({
      sources: [{ source: 'a', key: 'b', external: true }],
    })
    for (const odd of ['1.eml', 7, [[]], {}, null]) expect(of({ changes }, odd)).toMatchObject({ sources: [] })
  })

  it('takes blank texts for absent, and no text for what tools are still to do', () => {
    const blank = readDecisions(item('t1', 'act', { text: ' ', needs: '', reason: '' }), tasks).decisions.get('t1')
    expect(blank).toEqual({ decision: 'act', reason: '', sources: [] })
    const sent = readDecisions(item('t1', 'act', { text: 'Sent.', needs: 'tools' }), tasks).decisions.get('t1')
    expect(sent).toEqual({ decision: 'act', reason: 'r', needs: 'tools', sources: [] })
  })

  it('is unreadable when no complete item names a task that was asked about', () => {
    for (const answer of [
      '',
      ' \n'.repeat(100),
      'I would skip t1 and act on t2.',
      '{"evaluations":[]}',
      '{"decision":"act"}',
      item('t9', 'act'),
      '{"task_id":"t1","decision":"sk',
      `<think>${items}`,
    ]) {
      const reading = readDecisions(answer, tasks)
      expect(reading.unreadable).toBe(true)
      expect(openProblems(reading)).toHaveLength(3)
    }
    expect(readDecisions(item('t1', 'maybe'), tasks).unreadable).toBe(false)
    expect(readDecisions('nothing', []).unreadable).toBe(false)
  })
})

describe('a decision', () => {
  it('is skip for noop, none and ignore in any case, and nothing else is guessed', () => {
    for (const word of ['skip', 'noop', 'NOOP', 'None', ' ignore ', 'SKIP'])
      expect(shown(item('t1', word))).toEqual(skip1)
    for (const word of [
      'no-op',
      'pass',
      'nothing',
      'yes',
      'acted',
      'skip|act',
      'skip or act',
      '',
      'constructor',
      'toString',
    ])
      expect(shown(item('t1', word)).t1).toBe('failed')
    for (const value of ['null', 'true', '["skip"]', '{"decision":"skip"}', '0'])
      expect(shown(`{"task_id":"t1","decision":${value}}`).t1).toBe('failed')
  })

  it('is not made by an item with a wrong field, which is told', () => {
    const reading = readDecisions(
      `[${item('t1', 'act', { needs: 'magic' })},${item('t2', 'skip', { reason: 'x'.repeat(2001) })},{"task_id":"t3"}]`,
      tasks,
    )
    expect(reading.decisions.size).toBe(0)
    expect(openProblems(reading)[0]).toContain('"needs" is wrong')
    expect(openProblems(reading)[1]).toContain('"reason" is wrong')
    expect(openProblems(reading)[2]).toBe('t3: the answer on it has no decision')
  })

  it('is the first valid one for its task', () => {
    expect(shown([item('t1', 'maybe'), item('t1', 'act'), item('t1', 'skip')].join()).t1).toBe('act')
  })

  it('is not made by words in a string, however they look', () => {
    const bait = `</think> ${item('t2', 'act')} <think> "evaluations": [${item('t3', 'act')}] \\ " {[`
    expect(shown(item('t1', 'skip', { reason: bait }))).toEqual(skip1)
    expect(
      shown(
        `{"evaluations":[${item('t1', 'skip', { [bait]: [bait] })},{"task_id":"t2","decision":"act","reason":${JSON.stringify(bait.replace('</think>', '')).slice(0, -1)}`,
      ),
    ).toEqual(skip1)
  })

  it('is not made by an item that the answer breaks off or breaks, but those around it are', () => {
    expect(shown(`[${items[0]},{"task_id":"t2","decision":act},${items[2]}]`)).toEqual({ ...all, t2: 'failed' })
    expect(shown(`[${items[0]},{"task_id":"t2","decision":"act","reason":"he said "go" and"},${items[2]}]`)).toEqual({
      ...all,
      t2: 'failed',
    })
    expect(shown(`[${items[0]},{"task_id":"t2","decision":"act"`)).toEqual(skip1)
    expect(shown(`[${items[0]},{"task_id":"t2","decision":"act","reason":"C:\\xampp"},${items[2]}]`)).toEqual({
      ...all,
      t2: 'failed',
    })
    expect(shown(`[${items[0]},{"task_id":"t2","decision":"act","reason":"a raw\nline"},${items[2]}]`)).toEqual({
      ...all,
      t2: 'failed',
    })
  })

  it('cannot come from a prototype', () => {
    expect(shown('{"__proto__":{"task_id":"t1","decision":"act"}}').t1).toBe('failed')
    expect(shown('{"task_id":"t1","__proto__":{"decision":"act"}}').t1).toBe('failed')
    expect(describeDecisions(readDecisions('{"task_id":"__proto__","decision":"act"}', ['__proto__']))).toEqual(
      Object.fromEntries([['__proto__', 'act']]),
    )
  })
})

describe('thinking', () => {
  const wrong = item('t1', 'act')
  const right = item('t1', 'skip')

  it.each([
    ['marked as think', `<think>${wrong}</think>${right}`],
    ['marked as thinking, in capitals', `<THINKING>${wrong}</Thinking>\n${right}`],
    ['marked with brackets', `[THINK]${wrong}[/THINK]${right}`],
    ['marked with triangles', `◁think▷${wrong}◁/think▷${right}`],
    ['whose beginning was left out', `Let me see. ${wrong} No.</think>${right}`],
    ['whose beginning was left out, with odd quotes and braces', `It's {"a: ${wrong}</think>${right}`],
    ['that holds JSON of its own before its end', `{"draft":[${wrong},"</think>${right}`],
    ['within thinking', `<think>a<think>${wrong}</think>${wrong}</think>${right}`],
    ['twice', `<think>${wrong}</think><think>${wrong}</think>${right}`],
    ['behind the answer, never closed', `${right}<think>${wrong}`],
    [
      'in a channel',
      `<|channel|>analysis<|message|>${wrong}<|end|><|start|>assistant<|channel|>final<|message|>${right}<|return|>`,
    ],
    [
      'in two channels',
      `<|channel|>analysis<|message|>${wrong}<|channel|>commentary<|message|>${wrong}<|end|>${right}`,
    ],
    ['in a channel whose beginning was left out', `${wrong}<|channel|>final<|message|>${right}`],
  ])('%s never decides', (_, answer) => {
    expect(shown(answer)).toEqual(skip1)
  })

  it('that is never closed leaves nothing to read, and counts as cut off', () => {
    for (const open of ['<think>', '<thinking>', '[think]', '<|channel|>analysis<|message|>']) {
      const reading = readDecisions(`${open} so {t1} is quiet: ${items}`, tasks)
      expect(reading).toMatchObject({ unreadable: true, decisions: new Map() })
      expect(openProblems(reading)).toContain('t1: the answer was cut off before it')
    }
  })
})

describe('a cut-off', () => {
  it('is told by the provider, or seen', () => {
    expect(openProblems(readDecisions(`[${items[0]},${items[1]}]`, tasks))).toEqual([
      't3: the answer does not contain it',
    ])
    expect(openProblems(readDecisions(`[${items[0]},${items[1]}]`, tasks, { cutOff: true }))).toEqual([
      't3: the answer was cut off before it',
    ])
    expect(openProblems(readDecisions(`[${items[0]},${items[1]}, \n`, tasks))).toEqual([
      't3: the answer was cut off before it',
    ])
  })

  it('anywhere keeps the items before it and adds none', () => {
    const answer = `{"evaluations":[${items.join(', ')}]}`
    for (let length = 0; length <= answer.length; length++) {
      const reading = readDecisions(answer.slice(0, length), tasks)
      const complete = items.filter((one) => answer.slice(0, length).includes(one)).length
      expect([...reading.decisions.keys()]).toEqual(tasks.slice(0, complete))
    }
  })
})

describe('the repair call', () => {
  it('decides what was open, changes nothing that was decided, and leaves the rest failed', () => {
    const first = readDecisions(`[${item('t1', 'skip')},${item('t2', 'maybe')}]`, tasks)
    const repair = readDecisions(`[${item('t1', 'act')},${item('t2', 'act')},${item('t9', 'act')}]`, ['t2', 't3'], {
      cutOff: true,
    })
    const merged = mergeRepair(first, repair)
    expect(describeDecisions(merged)).toEqual({ t1: 'skip', t2: 'act', t3: 'failed' })
    expect(merged.problems).toEqual([{ task: 't3', problem: 'the answer was cut off before it' }])
    expect([...noVerdicts(merged)]).toEqual([
      ['t3', { code: 'model/no-verdict', message: expect.stringContaining('cut off before it') }],
    ])
    expect(merged.unreadable).toBe(false)
    expect(noVerdicts(readDecisions(`[${items}]`, tasks)).size).toBe(0)
  })

  it('makes a batch readable unless it could not be read either', () => {
    const nothing = readDecisions('?', tasks)
    expect(mergeRepair(nothing, nothing).unreadable).toBe(true)
    expect(noVerdicts(mergeRepair(nothing, nothing)).size).toBe(3)
    expect(mergeRepair(nothing, readDecisions(`[${items}]`, tasks))).toMatchObject({ unreadable: false, problems: [] })
  })
})

describe('any answer', () => {
  it('is read without an error, and decides only what was asked', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      ',',
      ':',
      '\\',
      '\n',
      ' ',
      '<think>',
      '</think>',
      '<|channel|>',
      'final',
      '"task_id"',
      '"t1"',
      '"decision"',
      '"act"',
      '"skip"',
      'null',
      '1',
      'e',
      '-',
      '"evaluations":[',
      '```json\n',
      items[0] ?? '',
    )
    const answer = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc.array(piece, { maxLength: 60 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(answer, (any) => {
        const reading = readDecisions(any, tasks)
        for (const task of reading.decisions.keys()) expect(tasks).toContain(task)
        for (const task of tasks)
          expect(reading.decisions.has(task) || reading.problems.some((problem) => problem.task === task)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  it('that is valid is read back, whatever its texts hold', () => {
    const decision = fc.record({
      decision: fc.constantFrom('skip', 'act', 'escalate'),
      reason: fc.string({ unit: 'binary', maxLength: 100 }),
    })
    fc.assert(
      fc.property(fc.tuple(decision, decision, decision), fc.constantFrom('', 'Sure! {x} '), (three, prose) => {
        const answer =
          prose + JSON.stringify({ evaluations: three.map((one, index) => ({ task_id: tasks[index], ...one })) })
        const reading = readDecisions(answer, tasks)
        expect(tasks.map((task) => reading.decisions.get(task))).toMatchObject(three)
        expect(reading.problems).toEqual([])
      }),
    )
  })

  it.each([
    '[',
    '{',
    '{"a":',
    '[{',
    '"{\\"',
    '{"</think>',
    '<think></think>',
    '</think>',
    ' ',
    '["</think>",',
    '[["<think>",',
    '{"task_id":"x","decision":"a"},',
    '<|channel|>',
    '"[\\"',
    '{"a":"\n',
    item('t1', 'skip'),
    '\\',
    '\u0000',
  ])('of 200,000 characters of %j is read in a time that grows with its length', (piece) => {
    const long = piece.repeat(Math.ceil(2e5 / piece.length))
    const before = process.cpuUsage().user
    readDecisions(long, tasks)
    expect((process.cpuUsage().user - before) / 1000).toBeLessThan(2000)
  })

  it('tells of strange items in few and short words', () => {
    const many = Array.from({ length: 5000 }, (_, index) => item(`${index}${'x'.repeat(500)}`, 'act')).join()
    const { problems } = readDecisions(`[${many},{"decision":"act"},${item('t1', 'y'.repeat(9000))}]`, tasks)
    expect(problems.length).toBeLessThan(30)
    for (const { task, problem } of problems) expect(task.length + problem.length).toBeLessThan(300)
  })

  it('may hold very many items', () => {
    const many = Array.from({ length: 130_000 }, () => '{"id":"t1","decision":"skip"}')
    expect(shown(`[${many}]`)).toEqual(skip1)
    expect(shown(JSON.stringify(many.join('\n')))).toEqual(skip1)
  })
})
