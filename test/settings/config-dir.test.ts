import { describe, expect, it } from 'vitest'
import { userConfigDir } from '../../src/settings/config-dir.ts'

describe("the user's configuration folder", () => {
  it.each([
    ['linux', {}, '/home/ada/.config'],
    ['linux', { XDG_CONFIG_HOME: '/etc/ada' }, '/etc/ada'],
    ['linux', { XDG_CONFIG_HOME: 'relative' }, '/home/ada/.config'],
    ['linux', { XDG_CONFIG_HOME: '' }, '/home/ada/.config'],
    ['darwin', {}, '/home/ada/Library/Application Support'],
    ['win32', { APPDATA: 'D:\\Roaming' }, 'D:\\Roaming'],
  ])('on %s with %j is %s', (platform, env, path) => {
    expect(userConfigDir(env, platform, '/home/ada')).toBe(path)
  })

  it('on Windows without APPDATA is where that usually points', () => {
    expect(userConfigDir({}, 'win32', 'C:\\Users\\ada')).toBe('C:\\Users\\ada\\AppData\\Roaming')
  })
})
