import { z } from 'zod'
import { Fault } from '../../domain/errors.ts'
import { method } from '../method.ts'
import { nothing } from './common.ts'

export const doorLink = method({
  name: 'door.link',
  summary: 'Makes a link that opens the dashboard: once, within five minutes. Answered at the local socket only.',
  params: nothing,
  result: z.strictObject({ url: z.string(), link: z.string() }),
  async run(_, _services, caller) {
    if (caller.doorLink) return caller.doorLink()
    throw Fault.use(
      'door/only-local',
      'A link is given out by a running undermind through its local socket only. Run undermind dashboard on the machine where it runs.',
    )
  },
})
