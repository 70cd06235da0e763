import { loadBinding, NO_BINDING } from '../../engine/config/binding.ts'
import { chosenBinding } from '../../engine/config/chosen-binding.ts'
import { createPage } from '../../reports/page.ts'
import { type Binding, resolveBinding } from '../../schemas/binding.ts'
import { isGap, ledger, type Requirement } from '../../schemas/ledger.ts'
import type { JsonSchema } from '../../schemas/load.ts'
import type { GapAnswer } from '../../schemas/types/requirements.ts'
import { EXIT } from '../exit-codes.ts'
import { colorsFor, exitWith, type Io } from '../io.ts'

/** What the command line gives. */
export interface GapsOptions {
  readonly config?: string
  readonly binding?: string
  readonly unanswered?: boolean
  readonly json?: boolean
}

/** A gap and what a binding makes of it. */
export interface GapState {
  readonly id: string
  readonly text: string
  readonly section: string
  readonly answered: boolean
  /** the value; `true` where operations answer it */
  readonly answer: unknown
  /** JSON Schema of the value that answers it; null where operations do */
  readonly form: Requirement['answer'] | null
  /** the binding that the answer came from */
  readonly from: string
  /** operations of the binding that answer it */
  readonly operations: readonly string[]
  /** requirements that cannot be judged without it */
  readonly neededBy: readonly string[]
}

/** Prints every gap with the answer in force. @throws UsageError for a configuration or binding that is not right */
export async function runGaps(options: GapsOptions, io: Io): Promise<void> {
  const chosen = await chosenBinding(options, io)
  const data = chosen === undefined ? NO_BINDING : loadBinding(chosen.name, chosen.dir)
  const operations = new Map<string, string[]>()
  for (const file of data.files) {
    for (const [id, { gap }] of Object.entries(file.operations ?? {})) {
      if (gap !== undefined) operations.set(gap, [...new Set([...(operations.get(gap) ?? []), id])])
    }
  }
  const all = gapStates([...ledger().values()], resolveBinding(data), operations)
  const shown = options.unanswered === true ? all.filter(({ answered }) => !answered) : all
  if (options.json === true) {
    io.stdout.write(`${JSON.stringify({ binding: data.name, chain: data.chain, gaps: shown }, null, 2)}\n`)
  } else io.stdout.write(rendered(shown, all, data.chain, io))
  exitWith(io, EXIT.ok)
}

/** What a binding makes of each gap of the ledger. `operations`: gap -> operations that name it. */
function gapStates(
  entries: readonly Requirement[],
  binding: Binding,
  operations: ReadonlyMap<string, readonly string[]>,
): GapState[] {
  return entries.filter(isGap).map(({ id, text, section, answer: form }) => {
    const answer = binding.answers.get(id)
    return {
      id,
      text,
      section,
      answered: answer !== undefined,
      answer: answer?.value ?? null,
      form: form ?? null,
      from: answer?.from ?? '',
      operations: (operations.get(id) ?? []).filter((name) => binding.operations.get(name)?.offered === true),
      neededBy: entries.filter(({ needs }) => needs?.includes(id)).map((entry) => entry.id),
    }
  })
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
