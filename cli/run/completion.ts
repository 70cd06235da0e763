import type { Command } from 'commander'
import { UsageError } from '../../engine/errors.ts'
import type { Io } from '../terminal/io.ts'

type Shell = 'bash' | 'zsh' | 'fish'

const SHELLS: readonly Shell[] = ['bash', 'zsh', 'fish']

/** A script that teaches a shell to complete verbs and options; where neither fits it offers files. */
export function completionScript(shell: Shell, places: readonly Place[]): string {
  return { bash, zsh, fish }[shell](places)
}

// Verbs are told from values by their place: only what continues a known path counts.
function pathPattern(places: readonly Place[]): string {
  return places
    .filter(({ path }) => path !== '')
    .map(({ path }) => quoted(path))
    .join('|')
}

function bash(places: readonly Place[]): string {
  const branches = places.map(
    ({ path, words }) => `    ${quoted(path)}) choices=${quoted(words.map(({ word }) => word).join(' '))} ;;`,
  )
  return `# completion of assay for bash: eval "$(assay completion bash)"
_assay() {
  local place='' word next choices=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    next="\${place:+$place }$word"
    case "$next" in ${pathPattern(places)}) place=$next ;; esac
  done
  case "$place" in
${branches.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$choices" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -o bashdefault -F _assay assay
`
}

function zsh(places: readonly Place[]): string {
  const branches = places.map(({ path, words }) => {
    const choices = words.map(({ word, about }) => quoted(`${word.replaceAll(':', '\\:')}:${about}`))
    return `    ${quoted(path)}) choices=(${choices.join(' ')}) ;;`
  })
  return `#compdef assay
# completion of assay for zsh: source <(assay completion zsh), after compinit
_assay() {
  local place='' word next
  local -a choices
  for word in \${words[2,CURRENT-1]}; do
    next="\${place:+$place }$word"
    case "$next" in ${pathPattern(places)}) place=$next ;; esac
  done
  case "$place" in
${branches.join('\n')}
  esac
  _describe 'assay' choices || _files
}
compdef _assay assay
`
}

function fish(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, words }) => {
    const seen = path.split(' ').filter((verb) => verb !== '')
    const verbs = words.flatMap(({ word }) => (word.startsWith('--') ? [] : [word]))
    const below = verbs.length === 0 ? [] : [`not __fish_seen_subcommand_from ${verbs.join(' ')}`]
    const where = [...seen.map((verb) => `__fish_seen_subcommand_from ${verb}`), ...below].join('; and ')
    const condition = where === '' ? '' : ` -n ${quoted(where)}`
    return words.map(({ word, about }) =>
      word.startsWith('--')
        ? `complete -c assay${condition} -l ${word.slice(2)} -d ${quoted(about)}`
        : `complete -c assay${condition} -f -a ${word} -d ${quoted(about)}`,
    )
  })
  return `# completion of assay for fish: assay completion fish | source\n${lines.join('\n')}\n`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** What may follow at one place of a command line. */
export interface Place {
  /** the verbs before it, such as `report compare`; '' where none stands yet */
  readonly path: string
  readonly words: readonly Word[]
}

interface Word {
  readonly word: string
  readonly about: string
}

/** Every place of a program's command lines, a verb before the verbs below it. */
export function placesOf(program: Command): Place[] {
  return walk(program, [])
}

function walk(command: Command, path: readonly string[]): Place[] {
  const verbs = command.commands.map((child) => ({ word: child.name(), about: line(child.summary()) }))
  const options = command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long, description }) => (long ? [{ word: long, about: line(description) }] : []))
  return [
    { path: path.join(' '), words: [...verbs, ...options] },
    ...command.commands.flatMap((child) => walk(child, [...path, child.name()])),
  ]
}

function line(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

/** Prints the script of one shell. Throws UsageError for a shell that is not known. */
export function runCompletion(program: Command, name: string, options: { readonly json?: boolean }, io: Io): void {
  const shell = SHELLS.find((known) => known === name)
  if (shell === undefined) {
    throw new UsageError({
      where: 'completion',
      what: `there is no script for "${name}"`,
      hint: `choose one of ${SHELLS.join(', ')}`,
    })
  }
  const places = placesOf(program)
  io.stdout.write(options.json === true ? `${JSON.stringify(places)}\n` : completionScript(shell, places))
}
