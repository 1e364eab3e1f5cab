import { basename } from 'node:path'
import type { PatternWord } from './command-words.ts'

const list = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter((word) => word !== ''))

/** Programs that run whatever program or text they are given; allowing one allows everything. */
const wrappers = list(`
  sh bash zsh fish dash ash ksh mksh csh tcsh rbash nu xonsh elvish cmd command powershell pwsh wsl
  env sudo doas su run0 runuser pkexec xargs parallel nohup timeout nice ionice chrt taskset setsid stdbuf time watch script
  unbuffer expect flock chroot unshare nsenter firejail bwrap proot fakeroot systemd-run start-stop-daemon
  busybox toybox npx pnpx bunx uvx pipx corepack ssh mosh rsh telnet nc ncat netcat socat at batch crontab screen tmux
  eval exec source strace ltrace gdb lldb valgrind perf entr watchexec direnv dotenv sshpass
  vi vim nvim view ex ed emacs nano less more man osascript tclsh wish`)

/** Programs that run a script: which one has to be said, and none may be given as text. */
const interpreters = list(`
  node nodejs python pypy perl ruby php lua luajit deno bun tsx ts-node rscript julia groovy java jshell elixir erl ghc
  runghc racket guile scheme sbcl awk gawk mawk nawk sed make gmake just rake`)
const scriptAsText: Record<string, RegExp> = {
  node: /^(?:-[a-z]*[epr]|--eval|--print|--require|--import|--loader|--experimental-loader|-)(?:=|$)/,
  nodejs: /^(?:-[a-z]*[epr]|--eval|--print|--require|--import|-)(?:=|$)/,
  tsx: /^(?:-[a-z]*[epr]|--eval|--print|--require|--import|-)(?:=|$)/,
  bun: /^(?:-[a-z]*[epr]|--eval|--print|--preload|-)(?:=|$)/,
  python: /^(?:-[a-zA-Z]*c|-$)/,
  pypy: /^(?:-[a-zA-Z]*c|-$)/,
  perl: /^(?:-[a-zA-Z0-9]*[eEMm]|-$)/,
  ruby: /^(?:-[a-zA-Z0-9]*[er]|-$)/,
  php: /^(?:-[rBRE]|--run|--process-)/,
  sed: /^(?:-[a-z]*[ef]|--expression|--file)/,
  awk: /^-f|^--file/,
  rscript: /^-e/,
  julia: /^(?:-[eE]|--eval|--print)/,
  lua: /^-[el]/,
  make: /^(?:--eval|-f$|SHELL=)/,
}

/** Programs of many commands: which one has to be said. */
const multiplexers = list(`
  git npm pnpm yarn cargo go docker podman kubectl helm pip pip3 poetry uv gh glab hg svn systemctl launchctl gem bundle
  composer dotnet mvn gradle apt apt-get brew terraform aws gcloud az nix conda`)

const refusedCommands: Record<string, RegExp> = {
  npm: /^(?:exec|x|explore|edit|config|init|create|innit)$/,
  pnpm: /^(?:exec|dlx|x|create|init)$/,
  yarn: /^(?:exec|dlx|node|create|init)$/,
  bun: /^(?:x|exec|create|eval)$/,
  deno: /^(?:eval|repl)$/,
  docker: /^(?:exec|run)$/,
  podman: /^(?:exec|run)$/,
  kubectl: /^(?:exec|run|debug|plugin)$/,
  poetry: /^run$/,
  uv: /^(?:run|tool|x)$/,
  bundle: /^(?:exec|config)$/,
  conda: /^run$/,
  nix: /^(?:run|shell|develop|eval)$/,
  gh: /^(?:alias|extension|config)$/,
  git: /^(?:config|filter-branch|difftool|mergetool|daemon|shell|upload-pack|receive-pack|upload-archive|send-email|instaweb|web--browse|help|credential.*|remote-.*|for-each-repo|hook|gui|gitk|svn|p4|cvs.*|archimport)$/,
}

/** Options through which a program runs another one, by program. */
const refusedOptions: Record<string, RegExp> = {
  git: /^(?:--config-env|--exec-path|--git-dir|--work-tree|--upload-pack|--receive-pack|--exec|--ext-diff|--textconv|--open-files-in-pager|--filters|--template)(?:=|$)/,
  find: /^-(?:exec|execdir|ok|okdir|delete|fprint|fprintf|fls|fprint0)$/,
  fd: /^(?:-[xX]|--exec|--exec-batch)/,
  tar: /^(?:--to-command|--checkpoint-action|--use-compress-program|--rsh-command|--info-script|--new-volume-script|-[a-zA-Z]*[IF])(?:=|$)/,
  rsync: /^(?:-[a-zA-Z]*e|--rsh|--rsync-path)/,
  scp: /^-[a-zA-Z]*[So]/,
  sftp: /^-[a-zA-Z]*[SDo]/,
  sort: /^--compress-program/,
  rg: /^(?:--pre|--hostname-bin)/,
  zip: /^(?:-TT|--unzip-command)/,
  curl: /^(?:-K|--config)/,
  wget: /^--use-askpass/,
  npm: /^(?:--script-shell|--shell|--node-options|--prefix|-C)/,
}

/** What is wrong with a program and its fixed arguments as an entry of the allow-list, or null. */
export const wrapperProblem = (words: readonly PatternWord[]): string | null => {
  const [first, ...rest] = words
  if (first?.kind !== 'word') return 'its first word must be the name of a program'
  if (!/^[!-~]+$/.test(first.text)) return 'the name of its program is not plain ASCII, and may look like another'
  if (/^\w+=/.test(first.text)) return 'it begins with a variable; name the program'
  const program = plainProgram(first.text)
  if (wrappers.has(program)) return `${first.text} runs any program that it is given`
  const options = rest.flatMap((word) => (word.kind === 'word' ? [word.text] : []))
  const asText = scriptAsText[program] ?? (program.endsWith('awk') ? scriptAsText.awk : undefined)
  const bad = options.find((option) => asText?.test(option) || refusedOptions[program]?.test(option))
  if (bad !== undefined) return `${first.text} ${bad} runs any program or text that it is given`
  const named = rest.find(isNoOption)
  if (interpreters.has(program)) {
    const problem = scriptProblem(first.text, program, rest, named)
    if (problem !== null) return problem
  }
  if (multiplexers.has(program) && named !== undefined && named.kind !== 'word')
    return `${first.text} has commands that run any program; name the one that is meant`
  if (named?.kind === 'word' && refusedCommands[program]?.test(named.text))
    return `${first.text} ${named.text} runs any program, or changes what ${first.text} runs`
  return program === 'git' ? gitProblem(rest) : null
}

/** Interpreters that find by themselves what to do. */
const selfSufficient = list('make gmake just rake')

const scriptProblem = (
  shown: string,
  program: string,
  rest: readonly PatternWord[],
  named: PatternWord | undefined,
): string | null => {
  const isRun = (program === 'deno' || program === 'bun') && named?.kind === 'word' && /^(?:run|test)$/.test(named.text)
  const script = isRun ? rest.slice(rest.indexOf(named) + 1).find(isNoOption) : named
  if (script !== undefined && script.kind !== 'word') return `${shown} would run any file; name the script`
  const asksNothing = rest.some((word) => word.kind === 'word' && /^--?(?:v|version|help|h|test)$/i.test(word.text))
  return script !== undefined || isRun || asksNothing || selfSufficient.has(program)
    ? null
    : `${shown} reads its script from whoever calls it; name the script`
}

const isNoOption = (word: PatternWord): boolean => word.kind !== 'word' || !word.text.startsWith('-')

const gitProblem = ([first, ...rest]: readonly PatternWord[]): string | null => {
  if (first?.kind !== 'word') return 'git has commands that run any program; name the one that is meant'
  const command = first.text
  if (!/^(?:[a-z][a-z0-9-]*|--version)$/.test(command)) return 'the first word behind git must be the command'
  const words = rest.flatMap((word) => (word.kind === 'word' ? [word.text] : ['*']))
  const [next = ''] = words
  const runs: Record<string, boolean> = {
    rebase: words.some((word) => /^-[a-z]*[xi]|^--(?:exec|interactive|edit-todo)/.test(word)),
    submodule: next === 'foreach' || next === '*',
    bisect: next === 'run' || next === '*',
    clone: words.some((word) => /^-[a-z]*[cu]|^--config/.test(word)),
    grep: words.some((word) => /^-[a-zA-Z]*O/.test(word)),
  }
  return runs[command] === true ? `git ${command} so used runs any program that it is given` : null
}

/** `/usr/bin/Python3.11.exe` is python. */
const plainProgram = (program: string): string =>
  basename(program.replaceAll('\\', '/'))
    .toLowerCase()
    .replace(/\.(?:exe|cmd|bat|com|ps1)$/, '')
    .replace(/(?<=[a-z])-?[\d.]+$/, '')
