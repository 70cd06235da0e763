import { type CaseTitle, type Citation, type Explanation, explain } from '../../engine/inform/explain.ts'
import { createPage, type Page } from '../../reports/page.ts'
import { isGap } from '../../schemas/ledger.ts'
import { EXIT } from '../exit-codes.ts'
import { colorsFor, exitWith, type Io } from '../io.ts'

/** What the command line gives. */
export interface ExplainOptions {
  readonly json?: boolean
}

/** Prints all about one requirement. `cases`: those that a run has. @throws UsageError for an unknown id */
export function runExplain(id: string, options: ExplainOptions, io: Io, cases: readonly CaseTitle[] = []): void {
  const explanation = explain(id, cases)
  if (options.json === true) io.stdout.write(`${JSON.stringify(explanation, null, 2)}\n`)
  else io.stdout.write(rendered(explanation, io))
  exitWith(io, EXIT.ok)
}

function rendered({ requirement, judged, constraints, cited, cases, needs, neededBy }: Explanation, io: Io): string {
  const page = createPage({ columns: io.columns, color: colorsFor(io).isColorSupported })
  const { id, level, category, feature, section, text, why, operations, answer } = requirement
  page.text(id, { style: page.paint.bold })
  page.text(text)
  page.line()
  page.field('level', level)
  page.field('section', section)
  page.field('category', category)
  page.field('feature', feature)
  if (operations.length > 0) page.field('seen in', operations.join(', '))
  page.field('judged', judged.join(' '))
  if (why !== undefined) page.field('why', why)
  if (answer !== undefined) page.field('answer', `a value of this form: ${spaced(answer)}`)
  else if (isGap(requirement)) page.field('answer', 'no value; operations of a binding answer it where they name it')

  block(page, 'schema', constraints.flatMap(constraintLines))
  block(
    page,
    'operation',
    cited.map(({ operation, as }) => `${operation}: ${as}`),
  )
  block(
    page,
    'needs',
    needs.map((gap) => `${gap.id}: ${gap.text}`),
  )
  block(page, 'waiting', neededBy.length === 0 ? [] : [neededBy.join(', ')])
  if (!isGap(requirement)) {
    block(page, 'cases', cases.length === 0 ? ['none'] : cases.map((one) => `${one.id}: ${one.title}`))
  }
  return page.toString()
}

/** JSON with blanks to break lines at. */
function spaced(value: unknown): string {
  return JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ')
}

function block(page: Page, label: string, lines: readonly string[]): void {
  for (const [index, line] of lines.entries()) page.field(index === 0 ? label : '', line)
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
