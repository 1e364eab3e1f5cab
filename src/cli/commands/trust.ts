import { type Command, Option } from 'commander'
import { Fault } from '../../domain/errors.ts'
import { examples } from '../examples.ts'
import { grantTrust } from '../grant-trust.ts'
import type { Shell } from '../shell.ts'
import { trustQuestion } from '../trust-question.ts'

interface Options {
  yes?: boolean
  revoke?: boolean
}

export const addTrust = (program: Command, shell: Shell): void => {
  const command = program
    .command('trust')
    .description('say that a workspace is yours: let tools write in it, and let it name models and addresses')
    .addOption(new Option('--yes', 'without asking').conflicts('revoke'))
    .option('--revoke', 'take it back')
  examples(command, 'undermind trust', 'undermind trust --yes -w ~/notes', 'undermind trust --revoke')
  shell.act(command, (options: Options) => trust(shell, options))
}

const trust = async (shell: Shell, { yes, revoke }: Options): Promise<void> => {
  const { parts, workspace } = shell
  const tell = (trusted: boolean, sentence: string): void =>
    shell.json ? shell.print({ workspace, trusted }) : shell.tell(sentence)
  if (revoke) {
    await parts.trust.revoke(workspace)
    return tell(false, `${workspace} is not trusted any more.`)
  }
  const state = await parts.trust.state(workspace)
  if (state.trusted) return tell(true, `${workspace} is trusted already.`)
  const answer = yes ? true : shell.json ? null : await parts.io.confirm(trustQuestion(workspace, state))
  if (answer === null) {
    const sentence = `Nobody can be asked here whether ${workspace} is yours. Run ${shell.command('trust --yes')} to say so.`
    throw Fault.use('cli/nobody-to-ask', sentence, { workspace })
  }
  if (!answer) return tell(false, `${workspace} stays untrusted. Nothing was changed.`)
  await grantTrust(shell, workspace)
  tell(true, `${workspace} is trusted now.`)
}
