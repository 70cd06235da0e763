import { type CaseTitle, type Citation, type Explanation, explain } from '../../engine/inform/explain.ts'
import { filtered, type GapState, type GapsOptions, gapsOf, type ListOptions } from '../../engine/inform/ledger.ts'
import { counted } from '../../reports/counted.ts'
import { Screen } from '../../reports/screen.ts'
import { isGap, ledger } from '../../schemas/ledger.ts'
import type { JsonSchema } from '../../schemas/load.ts'
import type { GapAnswer } from '../../schemas/types/requirements.ts'
import { type AsJson, colorsFor, type Io, printedAsJson, screenFor } from '../terminal/io.ts'
import { table } from '../terminal/table.ts'

/** Prints all about one requirement. `cases`: those that a run has. @throws UsageError for an unknown id */
export function runExplain(id: string, options: AsJson, io: Io, cases: readonly CaseTitle[] = []): void {
  const explanation = explain(id, cases)
  if (!printedAsJson(io, options.json, explanation, 2)) io.stdout.write(explanationText(explanation, io))
}

/** Cases that are named; what all responses share has a hundred. */
const MOST_CASES = 8

function explanationText(
  { requirement, judged, constraints, cited, cases, needs, neededBy }: Explanation,
  io: Io,
): string {
  const screen = new Screen(screenFor(io))
  const { id, level, category, feature, section, text, why, operations, answer } = requirement
  screen.text(id, { style: screen.paint.bold })
  screen.text(text)
  screen.line()
  screen.field('level', level)
  screen.field('section', section)
  screen.field('category', category)
  screen.field('feature', feature)
  if (operations.length > 0) screen.field('seen in', operations.join(', '))
  screen.field('judged', judged.join(' '))
  if (why !== undefined) screen.field('why', why)
  if (answer !== undefined) {
    // JSON with blanks to break lines at.
    screen.field('answer', `a value of this form: ${JSON.stringify(answer, null, 1).replaceAll(/\n\s*/g, ' ')}`)
  } else if (isGap(requirement))
    screen.field('answer', 'no value; operations of a binding answer it where they name it')

  block(screen, 'schema', constraints.flatMap(constraintLines))
  block(
    screen,
    'operation',
    cited.map(({ operation, as }) => `${operation}: ${as}`),
  )
  block(
    screen,
    'needs',
    needs.map((gap) => `${gap.id}: ${gap.text}`),
  )
  block(screen, 'waiting', neededBy.length === 0 ? [] : [neededBy.join(', ')])
  if (!isGap(requirement)) {
    const shown = cases.slice(0, MOST_CASES).map((one) => `${one.id}: ${one.title}`)
    const rest = cases.length - shown.length
    block(screen, 'cases', cases.length === 0 ? ['none'] : rest > 0 ? [...shown, `and ${rest} more`] : shown)
  }
  return screen.toString()
}

function block(screen: Screen, label: string, lines: readonly string[]): void {
  for (const [index, line] of lines.entries()) screen.field(index === 0 ? label : '', line)
}

function constraintLines({ file, pointer, keyword, value, uses }: Citation): string[] {
  const where = new Map<string, string[]>()
  for (const { operation, part, pointer: place } of uses) {
    const key = part === 'parameter' ? `parameter ${place}` : `${place === '' ? 'the whole' : place} in the ${part}`
    where.set(key, [...(where.get(key) ?? []), operation])
  }
  return [
    `schemas/resources/${file}#${pointer}`,
    `  ${keyword}: ${JSON.stringify(value)}`,
    ...[...where].map(([place, operations]) => `  ${place} of ${operations.join(', ')}`),
    ...(where.size === 0 ? ['  at a place that a binding names'] : []),
  ]
}

/** What the command line gives. */
export interface GapsWords extends GapsOptions, AsJson {
  readonly unanswered?: boolean
}

/** Prints every gap with the answer in force. @throws UsageError for a configuration or binding that is not right */
export async function runGaps(options: GapsWords, io: Io): Promise<void> {
  const { binding, chain, gaps: all } = await gapsOf(options, io)
  const shown = options.unanswered === true ? all.filter(({ answered }) => !answered) : all
  if (!printedAsJson(io, options.json, { binding, chain, gaps: shown }, 2))
    io.stdout.write(gapsText(shown, all, chain, io))
}

/** `a string: name of the field` */
function formInWords(form: GapAnswer): string {
  const { type, description, properties, enum: words } = form as JsonSchema
  if (words)
    return `one of ${words.map((word) => JSON.stringify(word)).join(', ')}${description ? `: ${description}` : ''}`
  const fields = Object.entries(properties ?? {}).map(([name, field]) =>
    field.description === undefined ? name : `${name} (${field.description})`,
  )
  if (fields.length > 0) return `an object with ${fields.join(', ')}`
  return `a value of type ${String(type)}${description ? `: ${description}` : ''}`
}

function gapsText(shown: readonly GapState[], all: readonly GapState[], chain: readonly string[], io: Io): string {
  const screen = new Screen(screenFor(io))
  const { paint } = screen
  for (const gap of shown) {
    const state = gap.answered
      ? paint.green('answered')
      : paint.yellow(gap.answerable ? 'unanswered' : 'cannot be answered')
    screen.line(`${paint.bold(gap.id)}  ${state}`)
    screen.text(gap.text, { indent: 2 })
    if (gap.operations.length > 0) screen.field('answered', `by ${gap.operations.join(', ')}`, { indent: 2 })
    else if (gap.answered) screen.field('answer', JSON.stringify(gap.answer), { indent: 2, most: 400 })
    else if (gap.form) screen.field('takes', formInWords(gap.form), { indent: 2 })
    if (gap.answered) screen.field('from', `binding ${gap.from}`, { indent: 2 })
    if (gap.neededBy.length > 0) {
      const label = gap.answered ? 'used by' : `unlocks ${gap.neededBy.length}`
      screen.field(label, gap.neededBy.join(', '), { indent: 2 })
    }
    screen.line()
  }
  const unanswered = all.filter(({ answered }) => !answered)
  const open = unanswered.filter(({ answerable }) => answerable).length
  const under = chain.length === 0 ? 'no binding' : `binding ${chain.join(', which extends ')}`
  const words = `${all.length - unanswered.length} answered, ${open} wait for an answer, ${unanswered.length - open} cannot be answered`
  screen.text(`${all.length} gaps under ${under}: ${words}`)
  return screen.toString()
}

/** Prints the requirements that fit the filters, a line each. @throws UsageError */
export function runList(options: ListOptions & AsJson, io: Io): void {
  const entries = filtered([...ledger().values()], options)
  if (printedAsJson(io, options.json, entries, 2)) return
  const { bold, dim } = colorsFor(io)
  const rows = entries.map(({ id, level, category, text }) => [id, level, category, text])
  for (const line of table(rows, io.columns, [bold, dim, dim])) io.stdout.write(`${line}\n`)
  // beside the list, so that what reads the list gets nothing else
  io.stderr.write(`${counted(entries.length, 'requirement')}; \`assay explain <id>\` tells all about one\n`)
}
