import type { Command } from 'commander'

/** What may come next behind the words of a command. */
export interface CompletionNode {
  /** The words that lead here, without the program's name; empty for the program itself. */
  path: string
  commands: { name: string; description: string }[]
  options: { flag: string; description: string }[]
  /** Words that an argument can be. */
  choices: readonly string[]
}

/** Every command of the tree, the program first. */
export const completionNodes = (program: Command): CompletionNode[] => {
  const globals = optionsOf(program)
  const nodeOf = (command: Command, path: string): CompletionNode[] => {
    const { commands: subcommands } = command
    const own = command === program ? [] : optionsOf(command)
    const node: CompletionNode = {
      path,
      commands: subcommands.map((one) => ({ name: one.name(), description: one.description() })),
      options: [...own, ...globals, { flag: '--help', description: 'show how it is used' }],
      choices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    }
    return [node, ...subcommands.flatMap((one) => nodeOf(one, path === '' ? one.name() : `${path} ${one.name()}`))]
  }
  return nodeOf(program, '')
}

const optionsOf = (command: Command): CompletionNode['options'] =>
  command.options.flatMap(({ long, description }) => (long ? [{ flag: long, description }] : []))

const wordsOf = ({ commands, options, choices }: CompletionNode): string =>
  [...commands.map(({ name }) => name), ...choices, ...options.map(({ flag }) => flag)].join(' ')

/** Shared by bash and zsh: finds out how far the words on the line lead, and what may follow. */
const shellBody = (nodes: readonly CompletionNode[], wordsBefore: string): string => {
  const paths = nodes.flatMap(({ path }) => (path === '' ? [] : [`'${path}'`]))
  return [
    `  local at='' word next=''`,
    `  for word in ${wordsBefore}; do`,
    `    case "\${at:+$at }$word" in`,
    `      ${paths.join('|')}) at="\${at:+$at }$word" ;;`,
    '    esac',
    '  done',
    '  case "$at" in',
    ...nodes.map((node) => `    '${node.path}') next='${wordsOf(node)}' ;;`),
    '  esac',
  ].join('\n')
}

export const bashCompletion = (nodes: readonly CompletionNode[]): string => `# undermind completion for bash.
# Put into ~/.bashrc: eval "$(undermind completion bash)"
_undermind() {
${shellBody(nodes, `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`)}
  COMPREPLY=($(compgen -W "$next" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _undermind undermind
`

export const zshCompletion = (nodes: readonly CompletionNode[]): string => `#compdef undermind
# undermind completion for zsh.
# Put into ~/.zshrc, below compinit: eval "$(undermind completion zsh)"
_undermind() {
${shellBody(nodes, `"\${(@)words[2,CURRENT-1]}"`)}
  compadd -- \${=next} || _files
}
compdef _undermind undermind
`

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

export const fishCompletion = (nodes: readonly CompletionNode[]): string => {
  const lines = nodes.flatMap(({ path, commands, options, choices }) => {
    const when = conditionOf(path, commands)
    return [
      ...commands.map(
        ({ name, description }) => `complete -c undermind -f ${when} -a ${name} -d ${quoted(description)}`,
      ),
      ...choices.map((choice) => `complete -c undermind -f ${when} -a ${choice}`),
      ...options.map(
        ({ flag, description }) => `complete -c undermind ${when} -l ${flag.slice(2)} -d ${quoted(description)}`,
      ),
    ]
  })
  return `# undermind completion for fish.
# Put into ~/.config/fish/config.fish: undermind completion fish | source
${lines.join('\n')}
`
}

const conditionOf = (path: string, commands: CompletionNode['commands']): string => {
  const seen = path === '' ? [] : path.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`)
  const unseen =
    commands.length === 0
      ? []
      : path === ''
        ? ['__fish_use_subcommand']
        : [`not __fish_seen_subcommand_from ${commands.map(({ name }) => name).join(' ')}`]
  return `-n ${quoted([...seen, ...unseen].join('; and '))}`
}
