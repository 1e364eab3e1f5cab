import { Fault } from '../../domain/errors.ts'

export const disabled = (): Fault =>
  Fault.use(
    'orchestration/disabled',
    'Sessions are switched off here. Set enabled = true under [orchestration] in undermind.toml to have them.',
  )
