import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { Fault } from '../../src/domain/errors.ts'
import { defaultSettings } from '../../src/domain/settings.ts'
import { initWorkspace } from '../../src/settings/init.ts'
import { loadSettings } from '../../src/settings/load.ts'
import { openWorkspace, workspacePaths } from '../../src/settings/workspace.ts'
import { folder } from './support/folder.ts'

const modeOf = (path: string): number => statSync(path).mode & 0o777

const faultOf = async (act: Promise<unknown>): Promise<Fault> =>
  act.then(
    () => Promise.reject(new Error('nothing was refused')),
    (error) => (error instanceof Fault ? error : Promise.reject(error)),
  )

const linux = { platform: 'linux', tmpdir: '/tmp', uid: 1000 }

describe('the paths of a workspace', () => {
  it('are the same from every name of its folder', () => {
    const place = folder({ 'mine/x': '' })
    symlinkSync(join(place, 'mine'), join(place, 'link'))
    expect(workspacePaths(join(place, 'link'))).toEqual(workspacePaths(join(place, 'mine')))
    expect(workspacePaths(join(place, 'link')).db).toBe(join(place, 'mine', '.undermind', 'state.db'))
  })

  it('have the socket in the state folder where that is short enough', () => {
    expect(workspacePaths('/srv/mine', linux).socket).toBe('/srv/mine/.undermind/socket')
  })

  it('have the socket in a folder of the user when the path is too long, another one for each workspace', () => {
    const long = `/srv/${'é'.repeat(50)}`
    const { socket } = workspacePaths(long, linux)
    expect(socket).toMatch(/^\/tmp\/undermind-1000\/[0-9a-f]{24}\.sock$/)
    expect(workspacePaths(long, linux).socket).toBe(socket)
    expect(workspacePaths(`${long}x`, linux).socket).not.toBe(socket)
  })

  it('have a socket that is short enough even when the temporary folder is not', () => {
    const { socket } = workspacePaths(`/srv/${'x'.repeat(100)}`, { ...linux, tmpdir: `/${'t'.repeat(100)}` })
    expect(socket).toMatch(/^\/tmp\/undermind-1000\//)
    expect(Buffer.byteLength(socket)).toBeLessThanOrEqual(100)
  })

  it('have a pipe on Windows', () => {
    expect(workspacePaths('/srv/mine', { ...linux, platform: 'win32' }).socket).toMatch(
      /^\\\\\.\\pipe\\undermind-[0-9a-f]{24}$/,
    )
  })
})

describe('opening a workspace', () => {
  it('finds one that was made', async () => {
    const root = folder()
    await initWorkspace(root)
    expect(await openWorkspace(root)).toEqual(workspacePaths(root))
  })

  it('says how to make one where there is none', async () => {
    const root = folder()
    const fault = await faultOf(openWorkspace(root))
    expect(fault.code).toBe('workspace/not-initialised')
    expect(fault.kind).toBe('use')
    expect(fault.message).toContain(`undermind init ${root}`)
  })

  it('refuses what is missing or no folder', async () => {
    const root = folder({ file: '', 'made/.undermind': 'a file' })
    symlinkSync('loop', join(root, 'loop'))
    expect((await faultOf(openWorkspace(join(root, 'nowhere')))).code).toBe('workspace/missing')
    expect((await faultOf(openWorkspace(join(root, 'file')))).code).toBe('workspace/not-a-folder')
    expect((await faultOf(openWorkspace(join(root, 'file', 'below')))).code).toBe('workspace/not-a-folder')
    expect((await faultOf(openWorkspace(join(root, 'loop')))).code).toBe('workspace/not-a-folder')
    expect((await faultOf(openWorkspace(join(root, 'made')))).code).toBe('workspace/not-a-folder')
  })

  it('refuses a state folder that leads out of the workspace', async () => {
    const root = folder({ 'outside/x': '', 'mine/x': '' })
    symlinkSync(join(root, 'outside'), join(root, 'mine', '.undermind'))
    expect((await faultOf(openWorkspace(join(root, 'mine')))).code).toBe('workspace/not-a-folder')
  })

  it('makes the folder of a socket that has to be elsewhere, for its user alone', async () => {
    const temporary = folder()
    const root = join(folder(), 'x'.repeat(100))
    await initWorkspace(root)
    const machine = { ...linux, tmpdir: temporary, uid: statSync(root).uid }
    await openWorkspace(root, machine)
    await openWorkspace(root, machine)
    expect(modeOf(join(temporary, `undermind-${machine.uid}`))).toBe(0o700)
  })

  it("does not use a socket's folder that somebody else made", async () => {
    const temporary = folder({ 'outside/x': '' })
    const root = join(folder(), 'x'.repeat(100))
    await initWorkspace(root)
    const uid = statSync(root).uid
    mkdirSync(join(temporary, `undermind-${uid + 1}`))
    const others = await faultOf(openWorkspace(root, { ...linux, tmpdir: temporary, uid: uid + 1 }))
    expect(others.code).toBe('workspace/socket-folder')
    symlinkSync(join(temporary, 'outside'), join(temporary, `undermind-${uid}`))
    const linked = await faultOf(openWorkspace(root, { ...linux, tmpdir: temporary, uid }))
    expect(linked.code).toBe('workspace/socket-folder')
  })
})

describe('making a workspace', () => {
  it('makes the folder, the state folder and the two files, and says so', async () => {
    const root = join(folder(), 'new', 'mine')
    const { paths, made, ours } = await initWorkspace(root)
    expect(made).toEqual(['.undermind', '.undermind/.gitignore', 'undermind.toml', 'HEARTBEAT.md'])
    expect(ours).toBe(true)
    expect(paths).toEqual(workspacePaths(root))
    expect(modeOf(paths.stateDir)).toBe(0o700)
    expect(modeOf(join(paths.stateDir, '.gitignore'))).toBe(0o600)
    expect(readFileSync(join(paths.stateDir, '.gitignore'), 'utf8')).toBe('*\n')
  })

  it('never overwrites, however often it is done', async () => {
    const root = folder({ 'HEARTBEAT.md': '- mine', 'undermind.toml': '# mine', '.undermind/.gitignore': '# mine' })
    const files = { 'HEARTBEAT.md': '- theirs', 'inbox/a.md': 'A' }
    expect((await initWorkspace(root, files)).made).toEqual(['inbox/a.md'])
    expect((await initWorkspace(root, files)).made).toEqual([])
    expect(readFileSync(join(root, 'HEARTBEAT.md'), 'utf8')).toBe('- mine')
    expect(readFileSync(join(root, 'undermind.toml'), 'utf8')).toBe('# mine')
    expect(readFileSync(join(root, '.undermind', '.gitignore'), 'utf8')).toBe('# mine')
    expect(modeOf(join(root, '.undermind'))).toBe(0o700)
  })

  it('writes nothing through a link that leads out of it', async () => {
    const outside = folder()
    const root = folder()
    symlinkSync(join(outside, 'planted'), join(root, 'HEARTBEAT.md'))
    expect((await initWorkspace(root)).made).not.toContain('HEARTBEAT.md')
    expect(readdirSync(outside)).toEqual([])
    expect(lstatSync(join(root, 'HEARTBEAT.md')).isSymbolicLink()).toBe(true)
  })

  it('by two at once makes everything once', async () => {
    const root = folder()
    const results = await Promise.all([initWorkspace(root), initWorkspace(root)])
    expect(results.flatMap(({ made }) => made).sort()).toEqual([
      '.undermind',
      '.undermind/.gitignore',
      'HEARTBEAT.md',
      'undermind.toml',
    ])
  })

  it.each(['undermind.toml', '.mcp.json', '.undermind/state.db'])(
    'does not make a folder ours that came with %s',
    async (name) => {
      expect((await initWorkspace(folder({ [name]: '' }))).ours).toBe(false)
    },
  )

  it('refuses a file in the place of a folder', async () => {
    const root = folder({ file: '', 'mine/.undermind': 'a file' })
    for (const path of ['file', 'file/below', 'mine']) {
      expect((await faultOf(initWorkspace(join(root, path)))).code).toBe('workspace/not-a-folder')
    }
    expect(existsSync(join(root, 'mine', 'HEARTBEAT.md'))).toBe(false)
  })

  it('refuses a state folder that leads out of the workspace, and leaves where it leads alone', async () => {
    const root = folder({ 'outside/x': '', 'mine/x': '' })
    const mode = modeOf(join(root, 'outside'))
    symlinkSync(join(root, 'outside'), join(root, 'mine', '.undermind'))
    expect((await faultOf(initWorkspace(join(root, 'mine')))).code).toBe('workspace/not-a-folder')
    expect(readdirSync(join(root, 'outside'))).toEqual(['x'])
    expect(modeOf(join(root, 'outside'))).toBe(mode)
  })

  it('says what the system says when it may not', async () => {
    const fault = await faultOf(initWorkspace(join('/proc', 'nowhere')))
    expect(fault.code).toBe('workspace/no-permission')
  })
})

describe('what a new workspace holds', () => {
  it('is a settings file that changes nothing, with every setting in it', async () => {
    const root = folder()
    const { paths } = await initWorkspace(root)
    const { settings, origins } = loadSettings({ workspace: root, userConfigDir: folder(), env: {}, trusted: true })
    expect(settings).toEqual(defaultSettings())
    expect(new Set(Object.values(origins))).toEqual(new Set(['default']))
    const text = readFileSync(paths.settingsFile, 'utf8')
    for (const key of Object.keys(origins)) expect(text).toMatch(new RegExp(`^# ${key.split('.').at(-1)} =`, 'm'))
  })

  it('is a settings file whose defaults can all be put in force by taking away the #', async () => {
    const { paths } = await initWorkspace(folder())
    let text = readFileSync(paths.settingsFile, 'utf8').replace(/^# (\w+ = .)/gm, '$1')
    // This one alone would ask for the rest of its table.
    text = text.replace('provider = "openai"', '')
    const root = folder({ 'undermind.toml': text })
    expect(parse(text)).not.toEqual({})
    const { settings } = loadSettings({ workspace: root, userConfigDir: folder(), env: {}, trusted: true })
    expect(settings).toEqual(defaultSettings())
  })

  it('is a HEARTBEAT.md without a task', async () => {
    const { paths } = await initWorkspace(folder())
    const { children } = fromMarkdown(readFileSync(paths.heartbeatFile, 'utf8'))
    expect(children.map(({ type }) => type)).toEqual(['heading', 'paragraph', 'html'])
  })

  it('takes the place of the template where a file of that name is given', async () => {
    const { paths } = await initWorkspace(folder(), { 'HEARTBEAT.md': '- a task of mine' })
    expect(readFileSync(paths.heartbeatFile, 'utf8')).toBe('- a task of mine')
  })
})
