import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allowing, allowList } from '../../src/skills/allow-list.ts'
import { commandLine } from '../../src/skills/command-words.ts'

const isAllowed = (entry: string, ...command: string[]): boolean => allowing(allowList([entry]), command) !== null
const whyNot = (entry: string): string | undefined => allowList([entry]).problems[0]?.message

describe('an entry of the allow-list', () => {
  it('is a command with all of its arguments', () => {
    expect(isAllowed('npm test', 'npm', 'test')).toBe(true)
    for (const command of [
      ['npm'],
      ['npm', 'test', '--', 'x'],
      ['npm', 'test '],
      ['npm', 'Test'],
      ['npm test'],
      ['./npm', 'test'],
    ])
      expect([command, isAllowed('npm test', ...command)]).toEqual([command, false])
  })

  it('takes one argument for a star and any more for two at the end, none of them an option', () => {
    expect(isAllowed('git log --oneline *', 'git', 'log', '--oneline', 'main')).toBe(true)
    for (const args of [[], ['a', 'b'], ['-p'], ['--ext-diff'], ['-'], ['']])
      expect([args, isAllowed('git log --oneline *', 'git', 'log', '--oneline', ...args)]).toEqual([args, false])
    for (const args of [[], ['a'], ['a', 'b', 'c']])
      expect(isAllowed('node scripts/report.mjs **', 'node', 'scripts/report.mjs', ...args)).toBe(true)
    expect(isAllowed('node scripts/report.mjs **', 'node', 'scripts/report.mjs', 'a', '--eval')).toBe(false)
    expect(isAllowed('node scripts/report.mjs **', 'node', '--eval', 'scripts/report.mjs')).toBe(false)
  })

  it('groups words by quotes, in which a star is a star', () => {
    expect(isAllowed(`git commit -m "a  b" 'it is'`, 'git', 'commit', '-m', 'a  b', 'it is')).toBe(true)
    expect(isAllowed(`grep "*" notes.md`, 'grep', '*', 'notes.md')).toBe(true)
    expect(isAllowed(`grep "*" notes.md`, 'grep', 'x', 'notes.md')).toBe(false)
  })

  it('is held against the very characters: nothing that looks like it is taken for it', () => {
    for (const look of ['nρm', 'ｎｐｍ', 'npm\u200b', 'n\u0440m', 'NPM', 'npm.cmd'])
      expect([look, isAllowed('npm test', look, 'test')]).toEqual([look, false])
    expect(isAllowed('npm test', 'npm', 'te\u0455t')).toBe(false)
  })

  it.each([
    'bash',
    'sh -c "npm test"',
    '/bin/bash x',
    'zsh **',
    'fish',
    'cmd /c x',
    'powershell x',
    'PowerShell.exe x',
    'env npm test',
    '/usr/bin/env node x',
    'sudo npm test',
    'xargs rm',
    'nohup npm test',
    'timeout 5 npm test',
    'nice npm test',
    'busybox sh',
    'npx eslint .',
    'npm exec eslint',
    'npm x y',
    'pnpm dlx x',
    'yarn dlx x',
    'bun x y',
    'node -e "1"',
    'node --eval=1',
    'node -p 1',
    'node --import x y.mjs',
    'node -r x y.js',
    'python -c "1"',
    'python3.11 -c 1',
    'python3 -Bc 1',
    'perl -e 1',
    'perl -ne 1',
    'ruby -e 1',
    'php -r 1',
    'deno eval 1',
    'git -c core.pager=x log',
    'git --exec-path=/tmp log',
    'git fetch --upload-pack=x',
    'git fetch --upload-pack x',
    'git ls-remote --exec=x y',
    'git -C /tmp log',
    'git --git-dir=x log',
    'git config alias.x y',
    'git submodule foreach x',
    'git bisect run x',
    'git rebase -x y',
    'git rebase -i main',
    'git grep -Oless x',
    'git diff --ext-diff',
    'git log --textconv',
    'git difftool',
    'git filter-branch',
    'git clone -c x=y z',
    'find . -exec rm {} ;',
    'find . -delete',
    'find . -execdir x',
    'fd -x rm',
    'tar xf a.tar --to-command=x',
    'tar --checkpoint-action=exec=x',
    'tar -I x',
    'rsync -e x a b',
    'ssh host x',
    'eval x',
    'awk -f x y',
    'sort --compress-program=x',
    'rg --pre x y',
    'vim x',
    'less x',
    'docker run x',
    'kubectl exec x',
    'uv run x',
    'make --eval=x',
    'gdb x',
    'watch x',
    'time x',
    'setsid x',
    'ssh **',
  ])('%s: is refused, for it runs anything', (entry) => {
    expect(allowList([entry]).commands).toEqual([])
    expect(whyNot(entry)).toMatch(/^The entry “.*” of tools\.commands is not used: .*\. Correct or remove it/)
  })

  it.each([
    'git *',
    'git **',
    'npm *',
    'npm **',
    'node *',
    'node **',
    'python -m *',
    'python *',
    'perl -w *',
    'deno run *',
    'awk *',
    'make *',
    'docker *',
    'cargo **',
    'node',
    'python',
    '* x',
    '**',
    '"" x',
  ])('%s: is refused, for its star or its absence says what is run', (entry) => {
    expect(allowList([entry]).commands).toEqual([])
  })

  it.each([
    'npm test; rm -rf x',
    'npm test && x',
    'npm test | x',
    'npm test > x',
    'echo $HOME',
    'echo `x`',
    'echo $(x)',
    'npm test\nrm',
    'npm te*',
    'npm ** test',
    'echo "x',
    "echo 'x",
    'FOO=1 npm test',
    '',
    '   ',
    'nρm test',
    'npm\u200b test',
    'npm \u202etest',
  ])('%j: is refused, for it is no list of words', (entry) => {
    expect(allowList([entry]).commands).toEqual([])
    expect(whyNot(entry)).not.toMatch(/[\p{Cc}\u200b\u202e]/u)
  })

  it.each([
    'npm test',
    'npm run lint',
    'npm run *',
    'git log --oneline *',
    'git status',
    'git diff **',
    'git fetch',
    'git log -p *',
    'node scripts/report.mjs **',
    'node --test',
    'python -m pytest **',
    'python3 tools/x.py *',
    'make',
    'make test',
    'cargo test',
    'go test ./...',
    'ls **',
    'wc -l *',
    'grep -rn "a|b" **',
    './scripts/check.sh',
    '/usr/bin/true',
    "awk '{print $1}' *",
    'deno run x.ts',
  ])('%s: is taken', (entry) => {
    expect(whyNot(entry)).toBeUndefined()
  })

  it('that is bad leaves the others as they are', () => {
    const { commands, problems } = allowList(['npm test', 'bash', 'git status', 'echo "'])
    expect(commands.map(({ entry }) => entry)).toEqual(['npm test', 'git status'])
    expect(problems.map(({ code, kind }) => [code, kind])).toEqual([
      ['tool/bad-allow-list', 'use'],
      ['tool/bad-allow-list', 'use'],
    ])
  })

  it('of any text whatever is taken or refused, and allows nothing that begins with other words', () => {
    const piece = fc.oneof(
      fc.constantFrom('*', '**', '"', "'", ' ', 'npm', 'git', '-c', '\n', ';'),
      fc.string({ unit: 'binary', maxLength: 5 }),
    )
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 8 }),
        fc.array(fc.string({ maxLength: 5 }), { maxLength: 4 }),
        (pieces, command) => {
          const list = allowList([pieces.join('')])
          expect(list.commands.length + list.problems.length).toBe(1)
          const found = allowing(list, ['sh', '-c', ...command])
          expect(found).toBeNull()
        },
      ),
    )
  })
})

describe('a command on one line', () => {
  it('reads the same for no two commands', () => {
    expect(commandLine(['npm', 'test'])).toBe('npm test')
    expect(commandLine(['npm test'])).toBe("'npm test'")
    expect(commandLine(['a', '', "it's", 'b;c', '$x'])).toBe("a '' 'it'\\''s' 'b;c' '$x'")
    const words = fc.array(fc.string({ unit: fc.constantFrom('a', ' ', "'", '\\', '"', '-'), maxLength: 4 }), {
      minLength: 1,
      maxLength: 3,
    })
    fc.assert(
      fc.property(words, words, (one, other) => {
        fc.pre(JSON.stringify(one) !== JSON.stringify(other))
        expect(commandLine(one)).not.toBe(commandLine(other))
      }),
    )
  })
})
