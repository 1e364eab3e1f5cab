import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMachine } from 'xstate'
import { chartOf } from '../../src/diagrams/chart.ts'
import { toMermaid } from '../../src/diagrams/mermaid.ts'
import { anyChart } from './any-chart.ts'
import { awkward, leaf, sample } from './sample.ts'

const id = '[A-Za-z][A-Za-z0-9_]*'
/** Text that Mermaid's lexer takes for text wherever it stands: other characters only as `#58;`. */
const text = '(?:[\\p{L}\\p{N} _.,/()\\[\\]→⟳-]|#\\d+;)+'
const statements = [
  '',
  `%% Drawn from the chart "${text}"; do not edit\\.`,
  `\\[\\*\\] --> ${id}`,
  `${id} --> \\[\\*\\]`,
  `${id} --> ${id}: ${text}(?:<br>${text})*`,
  `${id}: ${text}`,
  `state "${text}" as ${id} \\{`,
  '\\}',
  '--',
].map((pattern) => new RegExp(`^ *${pattern}$`, 'u'))

/** What a reader of the state diagram grammar would complain of. */
const complaints = (mermaid: string): string[] => {
  const [first, ...lines] = mermaid.split('\n')
  const found = first === 'stateDiagram-v2' ? [] : [`starts with ${first}`]
  let depth = 0
  let isNote = false
  for (const line of lines) {
    if (/direction\s+(TB|BT|LR|RL)/i.test(line)) found.push(`reads as a statement: ${line}`)
    if (isNote) {
      isNote = !/^ *end note$/.test(line)
      if (isNote && !new RegExp(`^ +${text}$`, 'u').test(line)) found.push(`no note text: ${line}`)
      if (isNote && /end note/i.test(line)) found.push(`ends the note early: ${line}`)
    } else if (new RegExp(`^ *note right of ${id}$`).test(line)) isNote = true
    else if (!statements.some((statement) => statement.test(line))) found.push(`no statement: ${line}`)
    depth += line.endsWith('{') ? 1 : line.trim() === '}' ? -1 : 0
  }
  return depth === 0 && !isNote ? found : [...found, 'something is left open']
}

const declared = (mermaid: string): string[] => [
  ...new Set(
    [...mermaid.matchAll(/^ *([A-Za-z]\w*): |^ *state ".*" as (\w+) \{/gm)].map((match) => match[1] ?? match[2] ?? ''),
  ),
]

describe('a chart in Mermaid', () => {
  const mermaid = toMermaid(chartOf(sample))
  const lines = mermaid.split('\n').map((line) => line.trim())

  it('nests states, starts each composite at its initial state and ends it at its final ones', () => {
    expect(mermaid).toContain(`
[*] --> evaluation_inProgress
state "inProgress" as evaluation_inProgress {
  [*] --> evaluation_inProgress_judging
  evaluation_inProgress_judging: judging
  evaluation_inProgress_judging: ⟳ judge
`)
    expect(mermaid).toContain('\n  evaluation_inProgress_carriedOut --> [*]\n}\n')
    expect(lines).toContain('evaluation_acted --> [*]')
  })

  it('shows guards, deeds and delays, puts what shares two ends on one arrow, and leaves notes out', () => {
    expect(lines).toContain('evaluation_inProgress_judging --> evaluation_inProgress_executing: judge done [isAct]')
    expect(lines).toContain('evaluation_inProgress_judging --> evaluation_failed: judge failed<br>after 90 s')
    expect(lines).toContain(
      'evaluation_awaitingApproval --> evaluation_inProgress_executing: approve [digestMatches and not isExpired] / tell',
    )
    expect(lines).toContain('evaluation_awaitingApproval --> evaluation_dismissed: after patience')
    expect(lines).toContain('evaluation_awaitingApproval: entry / showCard')
  })

  it('draws arrows to and from a composite, and of a state to itself', () => {
    expect(lines).toContain('evaluation_awaitingApproval --> evaluation_inProgress: respond')
    expect(lines).toContain('evaluation_inProgress --> evaluation_acted: finished')
    expect(lines).toContain('evaluation_inProgress_analysing --> evaluation_inProgress_analysing: again')
  })

  it('draws no arrow between a state and one that contains it, which Mermaid cannot lay out, but writes it down', () => {
    expect(lines).toContain('evaluation_inProgress_executing: retry → inProgress')
    expect(lines).not.toContain('evaluation_inProgress_executing --> evaluation_inProgress: retry')
  })

  it('lists what holds in any state of the machine or of a composite in one note, at its first state', () => {
    expect(mermaid).toContain(`
  evaluation_inProgress_judging: ⟳ judge
  note right of evaluation_inProgress_judging
    from any state#58; cancel [mayStop] / tell → cancelled
    from any state#58; note / noteTry
    in inProgress#58; again → judging
  end note
`)
    expect(mermaid.match(/^ *note /gm)).toHaveLength(1)
  })

  it('puts every arrow between states outside all of them, where Mermaid can draw it', () => {
    const indented = mermaid.split('\n').filter((line) => /^ .*-->/.test(line))
    expect(indented).toEqual(['  [*] --> evaluation_inProgress_judging', '  evaluation_inProgress_carriedOut --> [*]'])
  })

  it('keeps regions apart, and shows a machine that is one state', () => {
    expect(
      toMermaid(chartOf(awkward))
        .split('\n')
        .filter((line) => line.trim() === '--'),
    ).toHaveLength(1)
    expect(toMermaid(chartOf(leaf)).split('\n').slice(2)).toEqual(['leaf: leaf', 'leaf: go / run', ''])
  })

  it('draws regions as one where something leads from one to another, which Mermaid cannot draw', () => {
    const crossing = createMachine({
      id: 'crossing',
      initial: 'on',
      states: { on: { type: 'parallel', states: { a: { on: { over: '#crossing.on.b' } }, b: {} } } },
    })
    expect(toMermaid(chartOf(crossing))).not.toMatch(/^ *--$/m)
  })

  it('gives no state a name that Mermaid gives to the dots of a composite, nor one name to two states', () => {
    const names = declared(toMermaid(chartOf(awkward)))
    expect(names).toHaveLength(chartOf(awkward).nodes.length - 1)
    expect(names.filter((name) => /_(start|end)$/.test(name))).toEqual([])
  })

  it.each([
    ['the sample', sample],
    ['awkward names', awkward],
    ['a single state', leaf],
  ])('keeps to the grammar with %s', (_, machine) => {
    expect(complaints(toMermaid(chartOf(machine)))).toEqual([])
  })

  it('keeps to the grammar and names every state once, whatever the chart', () => {
    fc.assert(
      fc.property(anyChart, (chart) => {
        const drawn = toMermaid(chart)
        expect(complaints(drawn)).toEqual([])
        expect(declared(drawn)).toHaveLength(Math.max(1, chart.nodes.length - 1))
        expect(toMermaid(chart)).toBe(drawn)
      }),
    )
  })

  it('is judged by a reader that does complain', () => {
    const bad = [
      'a --> b: x: y',
      'state "a"b" as c {',
      'note right of x\n  a\n',
      'a-b: c',
      'x: direction TB',
      'x: %% y',
    ]
    for (const line of bad) expect(complaints(`stateDiagram-v2\n${line}\n`)).not.toEqual([])
  })
})
