import type { Command, CommanderError } from 'commander'
import { Fault } from '../domain/errors.ts'

/** The words with which a command is called, from the program on. */
const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`

const sentenceOf = (message: string): string => {
  const text = message.replace(/^error: /, '').trim()
  const [what = '', ...more] = text.split('\n').map((line) => line.replace(/^\((.*)\)$/, '$1'))
  const first = `${what.charAt(0).toUpperCase()}${what.slice(1)}`
  return [first.replace(/\.?$/, '.'), ...more].join(' ')
}

/** What commander says of a wrong call, as a sentence that also says where to look. */
export const wrongUse = (error: CommanderError, command: Command): Fault => {
  const path = pathOf(command)
  const sentence = error.code === 'commander.help' ? `${path} needs to be told what to do.` : sentenceOf(error.message)
  return Fault.use('cli/wrong-use', `${sentence} ${path} --help shows how it is used.`, { command: path })
}

const isHelp = (error: CommanderError): boolean => error.exitCode === 0

/** Makes every command of the tree throw its wrong use as a Fault; asked-for help and the version are no errors. */
export const throwWrongUse = (command: Command): void => {
  command.exitOverride((error) => {
    throw isHelp(error) ? error : wrongUse(error, command)
  })
  command.commands.forEach(throwWrongUse)
}
