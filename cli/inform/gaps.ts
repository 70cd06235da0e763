import { type GapState, type GapsOptions, gapsOf } from '../../engine/inform/gaps.ts'
import { createPage } from '../../reports/page.ts'
import type { JsonSchema } from '../../schemas/load.ts'
import type { GapAnswer } from '../../schemas/types/requirements.ts'
import { EXIT } from '../exit-codes.ts'
import { colorsFor, exitWith, type Io } from '../io.ts'

/** What the command line gives. */
export interface GapsWords extends GapsOptions {
  readonly unanswered?: boolean
  readonly json?: boolean
}

/** Prints every gap with the answer in force. @throws UsageError for a configuration or binding that is not right */
export async function runGaps(options: GapsWords, io: Io): Promise<void> {
  const { binding, chain, gaps: all } = await gapsOf(options, io)
  const shown = options.unanswered === true ? all.filter(({ answered }) => !answered) : all
  if (options.json === true) io.stdout.write(`${JSON.stringify({ binding, chain, gaps: shown }, null, 2)}\n`)
  else io.stdout.write(rendered(shown, all, chain, io))
  exitWith(io, EXIT.ok)
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

function rendered(shown: readonly GapState[], all: readonly GapState[], chain: readonly string[], io: Io): string {
  const page = createPage({ columns: io.columns, color: colorsFor(io).isColorSupported })
  const { paint } = page
  for (const gap of shown) {
    page.line(`${paint.bold(gap.id)}  ${gap.answered ? paint.green('answered') : paint.yellow('unanswered')}`)
    page.text(gap.text, { indent: 2 })
    if (gap.operations.length > 0) page.field('answered', `by ${gap.operations.join(', ')}`, { indent: 2 })
    else if (gap.answered) page.field('answer', JSON.stringify(gap.answer), { indent: 2, most: 400 })
    else if (gap.form) page.field('takes', formInWords(gap.form), { indent: 2 })
    if (gap.answered) page.field('from', `binding ${gap.from}`, { indent: 2 })
    if (gap.neededBy.length > 0) page.field('waiting', gap.neededBy.join(', '), { indent: 2 })
    page.line()
  }
  const unanswered = all.filter(({ answered }) => !answered).length
  const under = chain.length === 0 ? 'no binding' : `binding ${chain.join(', which extends ')}`
  page.text(`${all.length} gaps under ${under}: ${all.length - unanswered} answered, ${unanswered} not`)
  return page.toString()
}
