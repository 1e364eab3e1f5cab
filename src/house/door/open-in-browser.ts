import { spawn } from 'node:child_process'

/** What opens an address, by platform. None of them is a shell: the address is handed over as it is. */
const openers: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens an address in the user's browser; false when there is nothing that would. */
export function openInBrowser(address: string): Promise<boolean> {
  const [program = 'xdg-open', ...words] = openers[process.platform] ?? ['xdg-open']
  return new Promise((resolve) => {
    const opener = spawn(program, [...words, address], { stdio: 'ignore', detached: true })
    opener.once('error', () => resolve(false))
    opener.once('spawn', () => {
      opener.unref()
      resolve(true)
    })
  })
}
