import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type EvaluationId, id, type OutboxKey } from '../../src/domain/ids.ts'
import type { JSONType } from '../../src/domain/json.ts'
import type { BeforeImage } from '../../src/domain/tool.ts'
import { maskSecrets } from '../../src/memory/secrets.ts'
import { contentHash } from '../../src/skills/content-hash.ts'
import { type Disk, realDisk } from '../../src/skills/disk.ts'
import { builtinTools } from '../../src/skills/tools.ts'
import { HandClock } from '../support/clock.ts'
import { codeOf, diskWith, toolRun, workspace } from './workspace.ts'

interface Options {
  commands?: string[]
  images?: BeforeImage[]
  disk?: Disk
  author?: boolean
}

/** A workspace that is a git repository with one commit of its files. */
const repository = (files: Record<string, string> = {}, options: Options = {}) => {
  const home = workspace(files)
  const config = join(home.root, '..', 'home')
  mkdirSync(config)
  if (options.author ?? true)
    writeFileSync(join(config, '.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.org\n')
  const env = { PATH: process.env.PATH ?? '', HOME: config, GIT_CONFIG_NOSYSTEM: '1' }
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=Eve', '-c', 'user.email=eve@example.org', ...args], {
      cwd: home.root,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trimEnd()
  git('init', '--quiet', '--initial-branch=main')
  git('add', '--all', '--force')
  git('commit', '--quiet', '--allow-empty', '--message=First')
  const use = (tool: string, args: Record<string, JSONType>, run = toolRun().run, disk = options.disk) =>
    (async () => {
      const tools = builtinTools({
        root: home.root,
        notify: () => undefined,
        commands: options.commands ?? [],
        clock: new HandClock(),
        mask: maskSecrets,
        images: () => options.images ?? [],
        env,
        ...(disk && { disk }),
      })
      const found = tools.get(tool)!
      return found.run(found.parse(args), run)
    })()
  const check = async (run = toolRun().run) => {
    const tool = builtinTools({
      root: home.root,
      notify: () => undefined,
      commands: [],
      clock: new HandClock(),
      env,
    }).get('git_commit')!
    return tool.check?.({ message: 'x', paths: ['a.md'] }, run)
  }
  return { ...home, git, use, check, env }
}

const runOf = (key: string) => toolRun({ key: id<OutboxKey>(key) }).run

describe('a commit', () => {
  it('holds the named files as they stand, and nothing else that is changed or staged', async () => {
    const { git, use, put, read } = repository({ 'a.md': 'one\n', 'b.md': 'one\n', 'c.md': 'one\n', 'gone.md': 'x\n' })
    put('a.md', 'two\n')
    put('b.md', 'staged\n')
    git('add', 'b.md')
    put('c.md', 'changed\n')
    put('new/d.md', 'new\n')
    rmSync(join(git('rev-parse', '--show-toplevel'), 'gone.md'))
    const said = await use('git_commit', {
      message: 'Note what came\n\nBecause it did.',
      paths: ['a.md', './new/d.md', 'gone.md'],
    })
    expect(said).toBe(`Committed 3 files as ${git('rev-parse', 'HEAD').slice(0, 12)}: Note what came`)
    expect(git('show', '--name-status', '--format=%an %ae%n%B', 'HEAD').split('\n')).toEqual([
      'Ada ada@example.org',
      'Note what came',
      '',
      'Because it did.',
      '',
      'Undermind-Key: ev_1/carryOut/1',
      '',
      '',
      'M\ta.md',
      'D\tgone.md',
      'A\tnew/d.md',
    ])
    expect(git('status', '--porcelain').split('\n')).toEqual(['M  b.md', ' M c.md'])
    expect(git('symbolic-ref', 'HEAD')).toBe('refs/heads/main')
    expect(read('a.md')).toBe('two\n')
  })

  it('may be the first, keeps the mode of programs, and beside trailers puts its own', async () => {
    const { git, use, put, at, root } = repository({ 'a.sh': 'x\n' })
    rmSync(at('.git'), { recursive: true })
    git('init', '--quiet', '--initial-branch=main')
    chmodSync(at('a.sh'), 0o755)
    put('b c/ü.md', 'x\n')
    await use('git_commit', { message: 'Begin\n\nSigned-off-by: Ada <a@example.org>', paths: ['a.sh', 'b c/ü.md'] })
    const tree = git('ls-tree', '-r', '-z', 'HEAD').split('\0')
    expect(tree.map((line) => line.replace(/ blob \w+\t/, ' '))).toEqual(['100755 a.sh', '100644 b c/ü.md', ''])
    expect(git('log', '--format=%(trailers)').trim().split('\n')).toEqual([
      'Signed-off-by: Ada <a@example.org>',
      'Undermind-Key: ev_1/carryOut/1',
    ])
    expect(existsSync(join(root, '.git/index.lock'))).toBe(false)
  })

  it('of nothing new is none, and says so', async () => {
    const { git, use } = repository({ 'a.md': 'one\n' })
    expect(await use('git_commit', { message: 'Again', paths: ['a.md'] })).toContain('Nothing to commit: a.md is as in')
    expect(git('rev-list', '--count', 'HEAD')).toBe('1')
  })

  it('can be told to have happened or not, by its key alone', async () => {
    const { git, use, check, put } = repository({ 'a.md': 'one\n' })
    const run = runOf('ev_1/carryOut/1')
    expect(await check(run)).toBe('notHappened')
    put('a.md', 'two\n')
    await use('git_commit', { message: 'Two', paths: ['a.md'] }, run)
    expect(await check(run)).toBe('happened')
    for (const other of ['ev_1/carryOut/11', 'ev_1/carryOut/', 'ev_1.carryOut/1', 'EV_1/carryOut/1', '.*'])
      expect([other, await check(runOf(other))]).toEqual([other, 'notHappened'])
    git('checkout', '--quiet', '-b', 'other', 'HEAD~1')
    expect(await check(run)).toBe('happened')
  })

  it('of a key that has one already is not made again', async () => {
    const { git, use, put } = repository({ 'a.md': 'one\n' })
    put('a.md', 'two\n')
    await use('git_commit', { message: 'Two', paths: ['a.md'] })
    put('a.md', 'three\n')
    expect(await use('git_commit', { message: 'Two', paths: ['a.md'] })).toContain('was made already')
    expect(git('rev-list', '--count', 'HEAD')).toBe('2')
  })

  it('is asked about where the repository cannot be looked at', async () => {
    const { check, at } = repository({ 'a.md': 'one\n' })
    renameSync(at('.git'), at('away'))
    expect(await check()).toBe('unknown')
  })

  it('starts none of the programs that the repository names', async () => {
    const { git, use, put, at, root, check } = repository(
      { 'a.md': 'one\n', 'b.md': 'one\n' },
      {
        commands: [
          'git status',
          'git diff **',
          'git log -p *',
          'git show *',
          'git stash show -p',
          'git blame *',
          'git mark',
          'git reflog -p',
          'git grep -n *',
        ],
      },
    )
    const marker = join(root, '..', 'marker')
    const plant = join(root, '..', 'plant.sh')
    writeFileSync(plant, `#!/bin/sh\necho "$0 $*" >> '${marker}'\ncat\n`)
    chmodSync(plant, 0o755)
    const hooks =
      'pre-commit prepare-commit-msg commit-msg post-commit post-rewrite reference-transaction post-index-change fsmonitor-watchman pre-auto-gc post-checkout'
    for (const hook of hooks.split(' ')) {
      writeFileSync(at(`.git/hooks/${hook}`), `#!/bin/sh\necho ${hook} >> '${marker}'\n`)
      chmodSync(at(`.git/hooks/${hook}`), 0o755)
    }
    mkdirSync(at('hooks'))
    put('b.md', 'stashed\n')
    execFileSync(
      'git',
      ['-c', 'core.hooksPath=/dev/null', '-c', 'user.name=E', '-c', 'user.email=e@example.org', 'stash', '--quiet'],
      { cwd: root },
    )
    put('.git/info/attributes', '*.md diff=planted\n')
    for (const [name, value] of [
      ['core.hooksPath', at('.git/hooks')],
      ['core.fsmonitor', plant],
      ['core.pager', plant],
      ['core.editor', plant],
      ['core.sshCommand', plant],
      ['core.askPass', plant],
      ['diff.external', plant],
      ['diff.planted.command', plant],
      ['diff.planted.textconv', plant],
      ['alias.mark', `!${plant}`],
      ['alias.commit-tree', `!${plant}`],
      ['alias.status', `!${plant}`],
      ['pager.log', plant],
      ['pager.show', plant],
      ['commit.gpgSign', 'true'],
      ['gpg.program', plant],
      ['log.showSignature', 'true'],
      ['trailer.undermind-key.command', plant],
      ['trailer.undermind-key.cmd', plant],
      ['gc.auto', '1'],
      ['gc.autoDetach', 'false'],
      ['interactive.diffFilter', plant],
      ['sequence.editor', plant],
      ['credential.helper', plant],
      ['filter.none.clean', plant],
    ] as const)
      git('config', name, value)
    rmSync(marker, { force: true })
    put('a.md', 'two\n')
    await use('git_commit', { message: 'Two', paths: ['a.md'] })
    expect(await check()).toBe('happened')
    put('a.md', 'three\n')
    expect(await use('diff_file', { path: 'a.md' })).toContain('+three')
    expect(await use('run_command', { command: ['git', 'status'] })).toContain('modified:   a.md')
    for (const command of [
      'diff',
      'diff HEAD~1',
      'log -p main',
      'show HEAD',
      'stash show -p',
      'blame a.md',
      'reflog -p',
      'grep -n three',
    ])
      expect([command, await codeOf(use('run_command', { command: ['git', ...command.split(' ')] }))]).toEqual([
        command,
        'none',
      ])
    expect(await codeOf(use('run_command', { command: ['git', 'mark'] }))).toBe('tool/command-failed')
    expect(existsSync(marker)).toBe(false)
    // The plant works: git itself, asked without care, starts it.
    execFileSync('git', ['--paginate', 'diff'], { cwd: root, stdio: 'ignore' })
    expect(existsSync(marker)).toBe(true)
  })

  it('is refused for a file that goes through a filter, and starts none', async () => {
    const { git, use, put, root } = repository({ 'a.bin': 'one\n' })
    const marker = join(root, '..', 'marker')
    put('.gitattributes', '*.bin filter=lfs\n')
    git('config', 'filter.lfs.clean', `touch '${marker}'; cat`)
    git('config', 'filter.lfs.required', 'true')
    put('a.bin', 'two\n')
    expect(await codeOf(use('git_commit', { message: 'x', paths: ['a.bin'] }))).toBe('tool/git-filter')
    // The attributes change between the look and the commit.
    put('.gitattributes', '')
    const disk = diskWith({
      open: async (path, flags, mode) => {
        if (String(path).endsWith('a.bin')) put('.gitattributes', '*.bin filter=lfs\n')
        return realDisk.open(path, flags, mode)
      },
    })
    await use('git_commit', { message: 'x', paths: ['a.bin'] }, toolRun().run, disk)
    expect(existsSync(marker)).toBe(false)
  })

  it('never holds what a link leads to, whenever it is put there', async () => {
    const { git, use, put, at, outside } = repository({ 'a.md': 'one\n', 'sub/b.md': 'one\n' })
    mkdirSync(outside)
    writeFileSync(join(outside, 'b.md'), 'SECRET')
    put('.env', 'SECRET')
    for (const path of ['.env', '.git/config', '../x', 'undermind.toml', '.undermind/state.db', 'id_rsa', 'sub'])
      expect([path, await codeOf(use('git_commit', { message: 'x', paths: [path] }))]).toEqual([
        path,
        'tool/path-refused',
      ])
    put('sub/b.md', 'two\n')
    const disk = diskWith({
      open: async (path, flags, mode) => {
        if (String(path).endsWith('sub') && existsSync(at('sub/b.md'))) {
          renameSync(at('sub'), at('moved'))
          symlinkSync(outside, at('sub'))
        }
        return realDisk.open(path, flags, mode)
      },
    })
    expect(await codeOf(use('git_commit', { message: 'x', paths: ['sub/b.md'] }, toolRun().run, disk))).toBe(
      'tool/path-refused',
    )
    expect(git('rev-list', '--count', 'HEAD')).toBe('1')
  })

  it('is refused with a sentence where it cannot be made', async () => {
    const { git, use, put, at, root } = repository({ 'a.md': 'one\n', 'sub/x.md': 'x', '.gitignore': '*.log\n' })
    put('a.md', 'two\n')
    put('b.log', 'x')
    const commit = (paths: string[], message = 'x') => codeOf(use('git_commit', { message, paths }))
    expect(await commit(['b.log'])).toBe('tool/git-ignored')
    expect(await commit(['none.md'])).toBe('tool/file-missing')
    expect(await commit([])).toBe('tool/bad-arguments')
    expect(await commit(['a.md'], '  ')).toBe('tool/bad-arguments')
    expect(await commit(['a.md'], 'x'.repeat(2001))).toBe('tool/bad-arguments')
    expect(await commit(['a.md'], 'x\nUndermind-Key: ev_9/carryOut/1')).toBe('tool/bad-arguments')
    expect(await commit(['a.md'], 'x\u001b[2J')).toBe('tool/bad-arguments')
    writeFileSync(at('.git/MERGE_HEAD'), `${git('rev-parse', 'HEAD')}\n`)
    expect(await commit(['a.md'])).toBe('tool/git-busy')
    rmSync(at('.git/MERGE_HEAD'))
    writeFileSync(at('.git/index.lock'), '')
    expect(await commit(['a.md'])).toBe('tool/git-busy')
    rmSync(at('.git/index.lock'))
    const clock = new HandClock()
    const tools = builtinTools({ root: join(root, 'sub'), notify: () => undefined, commands: [], clock })
    const tool = tools.get('git_commit')!
    expect(await codeOf(tool.run({ message: 'x', paths: ['x.md'] }, toolRun().run))).toBe('tool/git-elsewhere')
    expect(
      await codeOf(use('git_commit', { message: 'x', paths: ['a.md'] }, toolRun({ signal: AbortSignal.abort() }).run)),
    ).toBe('tool/aborted')
    rmSync(at('.git'), { recursive: true })
    expect(await commit(['a.md'])).toBe('tool/no-repository')
  })

  it('takes no file out of a repository within, and does not put files in the place of one', async () => {
    const { git, use, put } = repository({ 'a.md': 'one\n' })
    put('own/.git/HEAD', 'ref: refs/heads/main\n')
    put('own/deep/x.md', 'x')
    expect(await codeOf(use('git_commit', { message: 'x', paths: ['own/deep/x.md'] }))).toBe('tool/git-elsewhere')
    git('update-index', '--add', '--cacheinfo', `160000,${git('rev-parse', 'HEAD')},module`)
    git('commit', '--quiet', '--message=Module')
    put('module/x.md', 'x')
    expect(await codeOf(use('git_commit', { message: 'x', paths: ['module/x.md'] }))).toBe('tool/git-failed')
    expect(git('ls-tree', 'HEAD', 'module')).toContain('160000 commit')
  })

  it('is refused while git does not know who makes it', async () => {
    const { use, put, git } = repository({ 'a.md': 'one\n' }, { author: false })
    put('a.md', 'two\n')
    expect(await codeOf(use('git_commit', { message: 'x', paths: ['a.md'] }))).toBe('tool/git-no-author')
    expect(git('rev-list', '--count', 'HEAD')).toBe('1')
  })

  it('goes into no repository that does not know of the workspace, and into a further working tree of one that does', async () => {
    const theirs = repository({ 'a.md': 'theirs\n' })
    const mine = repository({ 'a.md': 'one\n' })
    mine.put('a.md', 'two\n')
    mine.git('worktree', 'add', '--quiet', join(mine.root, '..', 'tree'))
    rmSync(mine.at('.git'), { recursive: true })
    writeFileSync(mine.at('.git'), `gitdir: ${theirs.at('.git')}\n`)
    expect(await codeOf(mine.use('git_commit', { message: 'x', paths: ['a.md'] }))).toBe('tool/git-elsewhere')
    expect(await codeOf(mine.use('diff_file', { path: 'a.md' }))).toBe('tool/git-elsewhere')
    const other = join(theirs.root, '..', 'tree')
    theirs.git('worktree', 'add', '--quiet', '-b', 'tree', other)
    writeFileSync(join(other, 'a.md'), 'more\n')
    const tool = builtinTools({
      root: other,
      notify: () => undefined,
      commands: [],
      clock: new HandClock(),
      env: theirs.env,
    }).get('git_commit')!
    expect(await tool.run({ message: 'x', paths: ['a.md'] }, toolRun().run)).toContain('Committed 1 file')
    expect(theirs.git('show', 'tree:a.md')).toBe('more')
  })
})

describe('what changed in a file', () => {
  it('is told against the last commit, with the lines around it', async () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}\n`)
    const { use, put } = repository({ 'a.md': lines.join(''), 'b.md': 'x\n' })
    lines[9] = 'password = "hunter22!"\n'
    lines.splice(20, 1)
    put('a.md', lines.join(''))
    const said = (await use('diff_file', { path: 'a.md' })).split('\n')
    expect(said[0]).toBe('a.md, compared with the last commit: 1 line came, 2 went.')
    expect(said.slice(1, 5)).toEqual(['@@ line 7 @@', ' line 7', ' line 8', ' line 9'])
    expect(said.join()).not.toContain('hunter22')
    expect(said.slice(-4)).toEqual(['-line 21', ' line 22', ' line 23', ' line 24'])
    expect(await use('diff_file', { path: 'b.md' })).toBe('b.md is the same as in the last commit.')
  })

  it('is told against what undermind kept before an evaluation wrote it', async () => {
    const image = (before: string | null, after: string): BeforeImage => ({
      path: 'new.md',
      before: before === null ? null : Buffer.from(before),
      beforeHash: before === null ? null : contentHash(before),
      afterHash: contentHash(after),
    })
    const { use, put } = repository({}, { images: [image('one\ntwo\n', 'three\n'), image('one\n', 'one\ntwo\n')] })
    put('new.md', 'one\ntwo\nthree\n')
    expect(await use('diff_file', { path: 'new.md' })).toBe(
      'new.md, compared with before ev_1: 2 lines came, 0 went.\n@@ line 1 @@\n one\n+two\n+three',
    )
    expect(await use('diff_file', { path: 'new.md', evaluation: id<EvaluationId>('ev_7') })).toContain('before ev_7')
    const made = repository({}, { images: [image(null, 'one\n')] })
    made.put('new.md', 'one\n')
    expect(await made.use('diff_file', { path: 'new.md', evaluation: 'ev_1' })).toContain(
      'new.md is new, compared with before ev_1:\n@@ line 1 @@\n+one',
    )
  })

  it('is nothing where there is nothing to compare with, and refused where there is no text', async () => {
    const { use, put, at } = repository({ 'a.md': 'one\n', 'b.md': 'one\n' })
    put('new.md', 'x')
    expect(await use('diff_file', { path: 'new.md' })).toContain('There is nothing to compare new.md with')
    rmSync(at('b.md'))
    expect(await use('diff_file', { path: 'b.md' })).toContain(
      'b.md is gone, compared with the last commit:\n@@ line 1 @@\n-one',
    )
    expect(await codeOf(use('diff_file', { path: 'none.md' }))).toBe('tool/file-missing')
    put('a.md', 'a\u0000b')
    expect(await codeOf(use('diff_file', { path: 'a.md' }))).toBe('tool/not-text')
    expect(await codeOf(use('diff_file', { path: '.git/config' }))).toBe('tool/path-refused')
    const bare = workspace({ 'a.md': 'x' })
    const tool = builtinTools({
      root: bare.root,
      notify: () => undefined,
      commands: [],
      clock: new HandClock(),
      env: { PATH: '' },
    }).get('diff_file')!
    expect(await tool.run({ path: 'a.md' }, toolRun().run)).toContain('nothing to compare')
  })
})
