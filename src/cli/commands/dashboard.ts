import type { Command } from 'commander'
import { z } from 'zod'
import { ask } from '../ask.ts'
import { examples } from '../examples.ts'
import { nothingRuns } from '../nothing-runs.ts'
import type { Shell } from '../shell.ts'

const Link = z.object({ url: z.string(), link: z.string() })

export const addDashboard = (program: Command, shell: Shell): void => {
  const command = program
    .command('dashboard')
    .description('print a link that opens the dashboard: once, within five minutes')
    .option('--open', 'open it in the browser')
  examples(command, 'undermind dashboard', 'undermind dashboard --open')
  shell.act(command, (options: { open?: boolean }) =>
    shell.withDoor(async (door) => {
      if (!door.daemon) throw nothingRuns(shell, 'yet', 'there is no dashboard')
      const { url, link } = await ask(door, 'door.link', {}, Link)
      const isOpened = options.open === true && (await shell.parts.openInBrowser(link))
      if (shell.json) shell.print({ url, link, opened: isOpened })
      else if (isOpened) shell.tell(`Opened ${url} in the browser.`)
      else {
        shell.say(link)
        if (options.open) shell.remark('Nothing here opens a browser: open the link yourself.')
      }
    }),
  )
}
