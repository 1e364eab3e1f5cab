import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { home } from './support/fake.ts'

const script = async (shell: string): Promise<string> => {
  const it = home()
  expect(await it.undermind('completion', shell)).toBe(0)
  return it.out()
}

/** What bash offers behind these words. */
const offered = (completion: string, ...words: string[]): string[] => {
  const typed = ['undermind', ...words].map((word) => `'${word}'`).join(' ')
  const ask = `${completion}\nCOMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _undermind; printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['-c', ask], { encoding: 'utf8' }).trim().split('\n')
}

describe('undermind completion', () => {
  it('makes bash complete commands, their commands and their options', async () => {
    const bash = await script('bash')
    expect(offered(bash, 'sta')).toEqual(['start', 'status'])
    expect(offered(bash, 'approvals', 'res')).toEqual(['respond', 'resolve'])
    expect(offered(bash, '--json', 'tasks', 'add', '--sch')).toEqual(['--schedule'])
    expect(offered(bash, 'completion', '')).toContain('zsh')
    expect(offered(bash, 'log', '--')).toEqual(expect.arrayContaining(['--follow', '--workspace', '--help']))
  })

  it('names every command to zsh and fish', async () => {
    for (const shell of ['zsh', 'fish']) {
      const text = await script(shell)
      for (const word of ['approvals', 'resolve', 'intent', 'only-if-changed', 'heartbeat'])
        expect(text).toContain(word)
    }
    expect(await script('fish')).toContain(
      "complete -c undermind -f -n '__fish_seen_subcommand_from goals; and not __fish_seen_subcommand_from list add edit remove' -a add -d 'add a goal'",
    )
    expect(await script('zsh')).toMatch(/^#compdef undermind\n/)
  })

  it('gives programs the script', async () => {
    const it = home()
    await it.undermind('completion', 'bash', '--json')
    expect(JSON.parse(it.out())).toMatchObject({ shell: 'bash' })
  })
})
