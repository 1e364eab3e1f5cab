import { describe, expect, it } from 'vitest'
import { builtinTools, describeCall } from '../../src/skills/tools.ts'
import { toolRun, workspace } from './workspace.ts'

const toolsIn = (root: string) => builtinTools({ root, notify: () => undefined })

describe('the built-in tools', () => {
  it('are found by their own names, and none but notify may be repeated unasked', () => {
    const tools = toolsIn(workspace().root)
    expect([...tools].map(([name, tool]) => [name, tool.name, tool.repeatable])).toEqual([
      ['append_file', 'append_file', false],
      ['write_file', 'write_file', false],
      ['notify', 'notify', true],
    ])
  })

  it('can all be checked after a crash, unless they may be repeated', () => {
    for (const tool of toolsIn(workspace().root).values()) expect(tool.check !== undefined).toBe(!tool.repeatable)
  })

  it('work on the workspace that they were made for', async () => {
    const { root, read } = workspace({ 'a.md': 'one\n' })
    const tool = toolsIn(root).get('append_file')!
    const { run } = toolRun()
    await tool.run(tool.parse({ path: 'a.md', text: 'two' }), run)
    expect(read('a.md')).toBe('one\ntwo\n')
    expect(await tool.check?.({ path: 'a.md', text: 'two' }, run)).toBe('happened')
  })
})

describe('what a card shows of a call', () => {
  const tools = toolsIn('/nowhere')

  it('is tool, target and arguments as they are, with what hides in them made visible', () => {
    const shown = describeCall(tools.get('append_file')!, { path: './AGENDA.md', text: 'pay\u202e 003\nnow\u001b[2K' })
    expect(shown).toEqual({
      tool: 'append_file',
      target: 'AGENDA.md',
      arguments: [
        { name: 'path', value: './AGENDA.md' },
        { name: 'text', value: 'pay⟨U+202E⟩ 003\nnow⟨U+001B⟩[2K' },
      ],
    })
  })

  it('is readable for a call that no longer fits its tool, and says so', () => {
    const shown = describeCall(tools.get('write_file')!, {
      path: '../x',
      content: 'a',
      'odd\u200b': { b: ['\u202e', 1, null] },
    })
    expect(shown.target).toContain('Cannot use write_file')
    expect(shown.arguments.at(-1)).toEqual({ name: 'odd⟨U+200B⟩', value: '{"b":["⟨U+202E⟩",1,null]}' })
    expect(describeCall(tools.get('write_file')!, { path: '../x', content: 'a' }).target).toContain('Refused the path')
  })
})
