import { describe, expect, it } from 'vitest'
import { chromiumPath } from './support/chromium.ts'

describe('the browser to try the page in', () => {
  it('is the one that was named, or else the first that is installed', () => {
    expect(chromiumPath({ CHROMIUM_PATH: '/opt/mine', PATH: '/bin' }, () => true)).toBe('/opt/mine')
    expect(chromiumPath({ PATH: '/bin:/usr/bin' }, (file) => file === '/usr/bin/google-chrome')).toBe(
      '/usr/bin/google-chrome',
    )
  })

  it('is asked for with a sentence on what to do where there is none', () => {
    expect(() => chromiumPath({ PATH: '/bin' }, () => false)).toThrow('node scripts/chromium.mjs')
    expect(() => chromiumPath({ CHROMIUM_PATH: '/opt/mine' }, () => false)).toThrow('/opt/mine, which is not there')
  })
})
