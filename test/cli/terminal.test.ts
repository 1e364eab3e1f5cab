import { PassThrough, Writable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { terminal } from '../../src/cli/terminal.ts'

const stream = () => {
  let text = ''
  const output = Object.assign(
    new Writable({
      write(chunk, _, done) {
        text += String(chunk)
        done()
      },
    }),
    { isTTY: true, columns: 120 },
  )
  return { output, text: () => text }
}

describe('a terminal', () => {
  it('is one when results go to one, and is as wide as it is just now', () => {
    const { output } = stream()
    const io = terminal({ stdin: new PassThrough(), stdout: output, stderr: new PassThrough() })
    expect(io.isTTY).toBe(true)
    expect(io.columns).toBe(120)
    output.columns = 60
    expect(io.columns).toBe(60)
    const pipe = terminal({ stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() })
    expect(pipe.isTTY).toBe(false)
    expect(pipe.columns).toBe(80)
  })

  it('is made from a process as it is', () => {
    expect(terminal(process).isTTY).toBe(process.stdout.isTTY === true)
  })

  it('keeps results and errors apart, and reads all that comes in', async () => {
    const out = stream()
    const err = stream()
    const stdin = new PassThrough()
    const io = terminal({ stdin, stdout: out.output, stderr: err.output })
    io.out('result')
    io.err('error')
    stdin.end('one\ntwo')
    expect(await io.stdin()).toBe('one\ntwo')
    expect([out.text(), err.text()]).toEqual(['result', 'error'])
  })

  it('survives a reader that goes away', () => {
    const { output } = stream()
    terminal({ stdin: new PassThrough(), stdout: output, stderr: new PassThrough() })
    expect(() => output.emit('error', Object.assign(new Error('EPIPE'), { code: 'EPIPE' }))).not.toThrow()
  })

  const asked = async (key: string): Promise<boolean | null> => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} })
    const err = stream()
    const io = terminal({ stdin, stdout: stream().output, stderr: err.output })
    const answer = io.confirm('Do you trust it?')
    while (!err.text().includes('Do you trust it?')) await setImmediate()
    stdin.write(key)
    return answer
  }

  it('asks on standard error and takes y, n, and Enter for no', async () => {
    expect(await asked('y')).toBe(true)
    expect(await asked('n')).toBe(false)
    expect(await asked('\r')).toBe(false)
  })

  it('takes Ctrl-C for neither', async () => {
    await expect(asked('\u0003')).rejects.toMatchObject({ code: 'cli/called-off' })
  })

  it('asks nobody where nobody is', async () => {
    const { output } = stream()
    const io = terminal({ stdin: new PassThrough(), stdout: output, stderr: output })
    expect(await io.confirm('?')).toBe(null)
  })
})
