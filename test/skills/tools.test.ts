import { describe, expect, it } from 'vitest'
import { Fault } from '../../src/domain/errors.ts'
import type { ToolEffect } from '../../src/domain/tool.ts'
import { notify } from '../../src/skills/notify.ts'
import { asChatTool, toolSurface } from '../../src/skills/tool-surface.ts'
import { builtinTools, describeCall } from '../../src/skills/tools.ts'
import { HandClock } from '../support/clock.ts'
import { toolRun, workspace } from './workspace.ts'

const toolsIn = (root: string) =>
  builtinTools({ root, notify: () => undefined, commands: ['npm test'], clock: new HandClock() })

describe('the built-in tools', () => {
  it('are found by their own names, say what they do to the world, and are repeated unasked only where that is harmless', () => {
    const tools = toolsIn(workspace().root)
    expect([...tools].map(([name, tool]) => [name, tool.name, tool.effect, tool.repeatable])).toEqual([
      ['read_file', 'read_file', 'read', true],
      ['list_files', 'list_files', 'read', true],
      ['search_files', 'search_files', 'read', true],
      ['diff_file', 'diff_file', 'read', true],
      ['append_file', 'append_file', 'write', false],
      ['write_file', 'write_file', 'write', false],
      ['notify', 'notify', 'notify', true],
      ['run_command', 'run_command', 'write', false],
      ['git_commit', 'git_commit', 'write', false],
    ])
  })

  it('can be checked after a crash, but for those that may be repeated and for commands, of which nobody can tell', () => {
    for (const tool of toolsIn(workspace().root).values())
      expect([tool.name, tool.check !== undefined]).toEqual([
        tool.name,
        !tool.repeatable && tool.name !== 'run_command',
      ])
  })

  it('show a model a schema of their arguments that is JSON, describes each and takes no other', () => {
    for (const { name, parameters, parse } of toolsIn(workspace().root).values()) {
      expect([name, parameters]).toEqual([name, JSON.parse(JSON.stringify(parameters))])
      expect([name, parameters]).toMatchObject([name, { type: 'object', additionalProperties: false }])
      for (const property of Object.values(parameters?.properties ?? {}))
        expect([name, property]).toMatchObject([name, { description: expect.any(String) }])
      expect(parameters).not.toHaveProperty('$schema')
      expect(() => parse({ unknown_argument: 1 })).toThrow(Fault)
    }
  })

  it('make their schema when it is asked for, and once', () => {
    const tool = toolsIn(workspace().root).get('write_file')!
    expect(tool.parameters).toBe(tool.parameters)
    expect(Object.getOwnPropertyDescriptor(tool, 'parameters')?.get).toBeDefined()
  })

  it('can be offered by what they do to the world, one that does not say counting as seen by others', () => {
    const { effect: _effect, parameters: _parameters, ...mail } = { ...notify(() => undefined), name: 'unsaid' }
    const tools = [...toolsIn(workspace().root).values(), mail]
    const names = (...effects: ToolEffect[]) => toolSurface(tools, effects).map(({ name }) => name)
    expect(names('read', 'notify')).toEqual(['read_file', 'list_files', 'search_files', 'diff_file', 'notify'])
    expect(names('write')).toEqual(['append_file', 'write_file', 'run_command', 'git_commit'])
    expect(names('external')).toEqual(['unsaid'])
    const [first] = toolSurface(tools, ['write'])
    expect(asChatTool(first!)).toEqual({
      name: 'append_file',
      description: first!.description,
      parameters: first!.parameters,
    })
    expect(asChatTool(mail).parameters).toEqual({ type: 'object' })
  })

  it('name to a model the commands that it may run', () => {
    const description = toolsIn(workspace().root).get('run_command')!.description
    expect(description).toContain('“npm test”')
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
