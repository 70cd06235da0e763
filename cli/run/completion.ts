import type { Command } from 'commander'
import { UsageError } from '../../engine/errors.ts'
import { FORMATS } from '../../reports/formats/formats.ts'
import { knownOperationIds, shippedBindings } from '../../schemas/binding.ts'
import { features, GENERAL } from '../../schemas/features.ts'
import { ledger } from '../../schemas/ledger.ts'
import { selectable } from '../../suites/run/select.ts'
import { type AsJson, type Io, printedAsJson } from '../terminal/io.ts'

type Shell = 'bash' | 'zsh' | 'fish'

const SHELLS: readonly Shell[] = ['bash', 'zsh', 'fish']

/** A script that teaches a shell to complete verbs, options and their values; where none fits it offers files. */
export function completionScript(shell: Shell, places: readonly Place[]): string {
  return { bash, zsh, fish }[shell](places)
}

// Verbs differ from values by their place: only words that continue a known path count.
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
  local place='' word next choices='' option='' last=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
${wordBranches(places, branches)}
${valueBranches(places, (words) => `choices=${quoted(words.join(' '))}`, `"\${COMP_WORDS[COMP_CWORD]}"`)}
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
  local place='' word next option='' last=''
  local -a choices
  for word in \${words[2,CURRENT-1]}; do
${wordBranches(places, branches)}
${valueBranches(places, (words) => `choices=(${words.map(quoted).join(' ')})`, `"\${words[CURRENT]}"`)}
  _describe 'assay' choices || _files
}
compdef _assay assay
`
}

/** Goes through the words before the one that is typed, and offers what may follow the verb. The loop is begun. */
function wordBranches(places: readonly Place[], branches: readonly string[]): string {
  return `    next="\${place:+$place }$word"
    case "$next" in ${pathPattern(places)}) place=$next ;; esac
    case "$word" in --*) option=$word ;; esac
    last=$word
  done
  case "$place" in
${branches.join('\n')}
  esac`
}

/** Where a value is being typed: behind its option, of those that take several behind all words up to the next option. */
function valueBranches(
  places: readonly Place[],
  choose: (words: readonly string[]) => string,
  current: string,
): string {
  const branches = places.flatMap(({ path, values }) =>
    values.map(({ option, several, words }) => {
      const place = quoted([path, option, several ? '' : option].join('|'))
      return `      ${several ? `${place}*` : place}) ${choose(words)} ;;`
    }),
  )
  return `  case ${current} in -*) ;; *)
    case "$place|$option|$last" in
${branches.join('\n')}
    esac ;;
  esac`
}

function fish(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, words, values }) => {
    const seen = path.split(' ').filter((verb) => verb !== '')
    const verbs = words.flatMap(({ word }) => (word.startsWith('--') ? [] : [word]))
    const below = verbs.length === 0 ? [] : [`not __fish_seen_subcommand_from ${verbs.join(' ')}`]
    const where = [...seen.map((verb) => `__fish_seen_subcommand_from ${verb}`), ...below].join('; and ')
    const condition = where === '' ? '' : ` -n ${quoted(where)}`
    const taken = (option: string): string => {
      const known = values.find((one) => one.option === option)
      return known === undefined ? '' : ` -x -a ${quoted(known.words.join(' '))}`
    }
    const own = values.filter(({ option }) => option === '')
    return [
      ...words.map(({ word, about }) =>
        word.startsWith('--')
          ? `complete -c assay${condition} -l ${word.slice(2)}${taken(word)} -d ${quoted(about)}`
          : `complete -c assay${condition} -f -a ${word} -d ${quoted(about)}`,
      ),
      ...own.map((one) => `complete -c assay${condition} -f -a ${quoted(one.words.join(' '))}`),
    ]
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
  readonly values: readonly Values[]
}

/** What an option takes, or the argument of a verb: then the option is ''. */
interface Values {
  readonly option: string
  /** one behind the other */
  readonly several: boolean
  readonly words: readonly string[]
}

interface Word {
  readonly word: string
  readonly about: string
}

/** Every place of a program's command lines, a verb before the verbs below it. */
export function placesOf(command: Command, path: readonly string[] = []): Place[] {
  const verbs = command.commands.map((child) => ({ word: child.name(), about: line(child.summary()) }))
  const options = command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long, description }) => (long ? [{ word: long, about: line(description) }] : []))
  return [
    { path: path.join(' '), words: [...verbs, ...options], values: valuesOf(command, path.join(' ')) },
    ...command.commands.flatMap((child) => placesOf(child, [...path, child.name()])),
  ]
}

/** What options of these names take, whichever verb they belong to. */
const TAKEN: Readonly<Record<string, () => readonly string[]>> = {
  '--profile': () => ['quick', 'standard', 'thorough'],
  '--only': selectable,
  '--binding': shippedBindings,
  '--features': claimable,
  '--feature': claimable,
  '--format': () => FORMATS.map(({ name }) => name),
  '--reporter': () => FORMATS.map(({ name }) => name),
  '--fail-on': () => ['server-error'],
  '--annotations': () => ['github', 'none'],
}

/** Verb -> what its argument may be. */
const ARGUMENTS: Readonly<Record<string, () => readonly string[]>> = {
  explain: () => [...ledger().keys()],
  'binding explain': () => [...knownOperationIds()],
  completion: () => SHELLS,
}

/** Options that have the name of another one and take something else. */
const OTHERS: ReadonlySet<string> = new Set(['prove --only'])

function claimable(): readonly string[] {
  return features().flatMap(({ id }) => (id === GENERAL ? [] : [id]))
}

function valuesOf(command: Command, path: string): Values[] {
  const own = ARGUMENTS[path]
  const options = command.options.flatMap(({ long, variadic }) => {
    const taken = TAKEN[long ?? '']
    return !long || !taken || OTHERS.has(`${path} ${long}`) ? [] : [{ option: long, several: variadic, words: taken() }]
  })
  return own === undefined ? options : [...options, { option: '', several: true, words: own() }]
}

function line(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

/** Prints the script of one shell. Throws UsageError for a shell that is not known. */
export function runCompletion(program: Command, name: string, options: AsJson, io: Io): void {
  const shell = SHELLS.find((known) => known === name)
  if (shell === undefined) {
    throw new UsageError({
      where: 'completion',
      what: `there is no script for "${name}"`,
      hint: `choose one of ${SHELLS.join(', ')}`,
    })
  }
  const places = placesOf(program)
  if (!printedAsJson(io, options.json, places)) io.stdout.write(completionScript(shell, places))
}
