/**
 * What goes before every git command: nothing that the settings of a repository name as a program is started. An alias
 * cannot take the place of git's own commands; one of another name is made empty, so that git refuses it.
 */
const withoutPrograms = [
  '--no-pager',
  ...[
    'core.hooksPath=/dev/null',
    'core.fsmonitor=false',
    'core.pager=cat',
    'core.askPass=',
    'commit.gpgSign=false',
    'tag.gpgSign=false',
    'push.gpgSign=false',
    'log.showSignature=false',
    'gc.auto=0',
    'maintenance.auto=false',
    'interactive.diffFilter=',
    'protocol.ext.allow=never',
  ].flatMap((setting) => ['-c', setting]),
]

/** Commands that show differences, and would ask programs of the repository's for them. */
const showsDifferences =
  /^(?:diff|diff-tree|diff-index|diff-files|format-patch|log|range-diff|reflog|show|stash|whatchanged)$/
const showsLines = /^(?:annotate|blame|grep)$/

/** The arguments of a git command with hooks, pager, aliases, signatures, external diff and textconv off. */
export const gitArguments = ([command = '', ...args]: readonly string[]): string[] => {
  const alias = /^[a-z][a-z0-9-]*$/i.test(command) ? ['-c', `alias.${command}=`] : []
  return [...withoutPrograms, ...alias, command, ...plainly(command, args)]
}

const plainly = (command: string, args: readonly string[]): readonly string[] => {
  if (showsLines.test(command)) return ['--no-textconv', ...args]
  if (!showsDifferences.test(command)) return args
  const off = ['--no-ext-diff', '--no-textconv']
  const [first = '', ...rest] = args
  if (command === 'stash') return /^(?:show|list)$/.test(first) ? [first, ...off, ...rest] : args
  if (command === 'reflog') {
    if (first === 'show') return [first, ...off, ...rest]
    return /^(?:expire|delete|exists|list|drop)$/.test(first) ? args : [...off, ...args]
  }
  return [...off, ...args]
}
