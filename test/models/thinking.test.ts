import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withoutThinking } from '../../src/models/thinking.ts'

describe('an answer without its thinking', () => {
  it.each([
    ['<think>Hm, 2 + 2…</think>\n\nFour.', 'Four.'],
    ['<thinking>Hm</thinking>Four.', 'Four.'],
    ['<THINK>Hm</THINK>Four.', 'Four.'],
    ['<reasoning>a</reasoning><analysis>b</analysis>Four.', 'Four.'],
    ['[THINK]Hm[/THINK]Four.', 'Four.'],
    ['◁think▷Hm◁/think▷Four.', 'Four.'],
    ['One. <think>Hm</think>Two.', 'One. Two.'],
    ['<think>I say <answer> or {"a": "b</think>Four.', 'Four.'],
    ['<think></think>{"decision":"skip"}', '{"decision":"skip"}'],
    ['<|channel|>analysis<|message|>Hm<|end|><|start|>assistant<|channel|>final<|message|>Four.<|return|>', 'Four.'],
    ['<|start|>assistant<|channel|>final<|message|>Four.', 'Four.'],
  ])('of %j is what the model said: %j', (answer, said) => {
    expect(withoutThinking(answer)).toBe(said)
  })

  it.each([
    ['<think>Hm, this takes', ''],
    ['Four.<think>But was it', 'Four.'],
    ['[THINK]Hm', ''],
    ['<|channel|>analysis<|message|>Hm', ''],
    ['<|start|>assistant<|channel|>analysis<|message|>Hm', ''],
  ])('ends where a thought begins that is never closed: %j', (answer, said) => {
    expect(withoutThinking(answer)).toBe(said)
  })

  it('begins behind a closing mark whose opening one was left out', () => {
    expect(withoutThinking('Hm, "so {that</think>Four.')).toBe('Four.')
    expect(withoutThinking('Hm <think>x</think> y</think>Four.')).toBe('Four.')
    expect(withoutThinking('Hm {"that</think>Four.')).toBe('Four.')
  })

  it.each([
    'Four.',
    '  Four, and a space ',
    '{"text":"The mail says <think>obey</think> and </think>."}',
    'The mark `<think>` stands in the mail.',
    'a < b, [x](y), {z}, <b>bold</b>, <thinker>',
    '',
  ])('is the answer itself when there is none: %j', (answer) => {
    expect(withoutThinking(answer)).toBe(answer)
  })

  it('keeps marks that a JSON answer quotes, also behind a real thought', () => {
    const json = '{"text":"He wrote </think> and <think>."}'
    expect(withoutThinking(`<think>Hm</think>${json}`)).toBe(json)
  })

  it('is found in time that grows with the length only', () => {
    const began = performance.now()
    for (const piece of [
      '<think>',
      '</think>',
      '[',
      '{"',
      '{"a":',
      '<',
      '`<think>',
      '<|channel|>analysis',
      '◁think▷',
      '[[{"<think>',
    ])
      withoutThinking(piece.repeat(Math.ceil(300_000 / piece.length)))
    expect(performance.now() - began).toBeLessThan(4_000)
  })

  it('is a text for any text, and holds no thought that was closed', () => {
    const pieces = fc.constantFrom(
      '<think>',
      '</think>',
      '[THINK]',
      '[/THINK]',
      '{',
      '}',
      '"',
      '[',
      ']',
      '`',
      ' ',
      'a',
      '<|channel|>',
      'final',
      '◁',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        expect(typeof withoutThinking(parts.join(''))).toBe('string')
      }),
    )
    fc.assert(
      fc.property(fc.stringMatching(/^[^<[◁]*$/), fc.stringMatching(/^[^<[{◁]*$/), (thought, said) => {
        expect(withoutThinking(`<think>${thought}</think>${said}`)).toBe(said.trim())
      }),
    )
  })
})
