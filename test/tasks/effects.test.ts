import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { effectsOf, intentByRule } from '../../src/tasks/intent.ts'

const commit = { tool: 'git_commit', target: 'git commit' }
const run = (target: string) => ({ tool: 'run_command', target })
const both = (target: string) => [
  { tool: 'write_file', target },
  { tool: 'append_file', target },
]
const append = (target: string) => ({ tool: 'append_file', target })
const write = (target: string) => ({ tool: 'write_file', target })
const notify = { tool: 'notify', target: 'user' }

describe('what is kept in a file', () => {
  it.each([
    ['Keep a summary of the decisions in DECISIONS.md', both('DECISIONS.md')],
    ['Every Friday, keep an overview of open tasks in `docs/open.md`', both('docs/open.md')],
    ['Keep the list of books in books.md', both('books.md')],
    ['Maintain an index of the notes in index.md', both('index.md')],
    ['Führe eine Übersicht der Fristen in fristen.md', both('fristen.md')],
  ])('%s: may be written anew as well as added to', (title, effects) => {
    expect(effectsOf(title)).toEqual(effects)
  })

  it.each([
    ['Keep a log of the builds in builds.log.md', append('builds.log.md')],
    ['Keep a journal of the week in JOURNAL.md', append('JOURNAL.md')],
    ['Keep notes on the launch in launch.md', undefined],
    ['Append new words to NOTES.md', append('NOTES.md')],
    ['Write a summary to WEEK.md', write('WEEK.md')],
  ])('%s: only as the words say', (title, effect) => {
    expect(effectsOf(title)).toEqual(effect === undefined ? [] : [effect])
  })
})

describe('a commit', () => {
  it.each([
    ['Keep a summary of the decisions in DECISIONS.md and commit it', [...both('DECISIONS.md'), commit]],
    ['Every evening, commit the changes', [commit]],
    ['Commit all my changes with a short message', [commit]],
    ['Update STATUS.md, then commit it', [write('STATUS.md'), commit]],
    ['Update STATUS.md and commit the changes to git', [write('STATUS.md'), commit]],
    ['Append the numbers to data.csv, commit the file and tell me', [append('data.csv'), commit, notify]],
    ['Commit STATUS.md', [commit]],
    ['Please commit everything every night', [commit]],
    ['把摘要写入 SUMMARY.md，并提交更改', [write('SUMMARY.md'), commit]],
    ['每天晚上提交所有更改', [commit]],
  ])('%s: is asked for', (title, effects) => {
    expect(effectsOf(title)).toEqual(effects)
    expect(intentByRule(title)).toBe('write')
  })

  it.each([
    'Commit history of the last week',
    'Commit to a decision on the launch',
    'Commit the team to the deadline',
    'Commit it to memory',
    'Commit 3 hours to the project',
    'Commit the crime',
    'Commit messages of the week: summarize them',
    'Do not commit the changes',
    'Summarize what people commit and push',
    'Tell me which commit broke the build',
    'Check who can commit the changes',
    'Show me how to commit the changes',
    'Should I commit the changes?',
    '提交报告',
    '提交更改的记录有哪些？',
    '不要提交更改',
    '总结提交更改的人',
  ])('%s: is not asked for', (title) => {
    expect(effectsOf(title).filter(({ tool }) => tool === 'git_commit')).toEqual([])
  })
})

describe('a command', () => {
  it.each([
    ['Run `npm test` and tell me what fails', [run('npm test'), notify]],
    ['Every night, run `node scripts/report.mjs --week  main`.', [run('node scripts/report.mjs --week main')]],
    [
      'When a dependency changes, run the command `npm run check:all` and commit the changes',
      [run('npm run check:all'), commit],
    ],
    ['Check the mail and run `./sync.sh`', [run('./sync.sh')]],
    ['Please execute `make`', [run('make')]],
    ['Führe `npm test` aus', [run('npm test')]],
    ['每天运行 `npm test`', [run('npm test')]],
  ])('%s: is asked for, word for word', (title, effects) => {
    expect(effectsOf(title)).toEqual(effects)
    expect(intentByRule(title)).toBe('write')
  })

  it.each([
    'Run npm test',
    'Run "npm test"',
    'Run ‘npm test’',
    'Check whether `npm test` passes',
    'Tell me how to run `npm test`',
    'Never run `rm -rf x`',
    'Do not run `npm test`',
    'Run through the list in `todo.md`',
    'Run `npm test; rm -rf x`',
    'Run `npm test && rm x`',
    'Run `npm test | tee x`',
    'Run `npm test > x`',
    'Run `echo $HOME`',
    'Run `echo "a b"`',
    'Run `echo *`',
    'Run `FOO=1 npm test`',
    'Run `nρm test`',
    'Run `npm\u00a0test`',
    'Run `npm\u200b test`',
    'Run `-x`',
    'Run ``',
    'Run `npm test`x',
    'Who can run `npm test`?',
    'Summarize mails that say “run `npm test`”',
    '不要运行 `npm test`',
    `Run \`${'a '.repeat(200)}\``,
  ])('%s: is not asked for', (title) => {
    expect(effectsOf(title).filter(({ tool }) => tool === 'run_command')).toEqual([])
  })

  it('is never read from any text but one that stands in backticks', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        for (const { tool, target } of effectsOf(`Run \`${text}\``))
          if (tool === 'run_command') expect(text.replace(/ +/g, ' ').trim()).toBe(target)
      }),
    )
  })
})
