import { type Binding, resolveBinding, shippedBinding, shippedBindings } from '../../schemas/binding.ts'
import { isGap, ledger } from '../../schemas/ledger.ts'
import type { Requirement } from '../../schemas/types/requirements.ts'
import type { Caller } from '../caller.ts'
import { NO_BINDING } from '../config/binding.ts'
import { givenBinding } from '../config/chosen-binding.ts'
import { didYouMean, listed } from '../config/nearest.ts'
import { UsageError } from '../errors.ts'

/** Which binding answers; that of the configuration where none is named. */
export interface GapsOptions {
  readonly config?: string
  readonly binding?: string
}

/** Every gap under a binding. */
export interface Gaps {
  /** name of the binding; '' without one */
  readonly binding: string
  /** that, and what it extends */
  readonly chain: readonly string[]
  readonly gaps: readonly GapState[]
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
  /** false: no binding can answer it; a run notes what it sees */
  readonly answerable: boolean
  /** requirements that cannot be judged without it */
  readonly neededBy: readonly string[]
}

/**
 * Every gap with the answer in force. First the gaps that wait for an answer, the one first that most requirements wait
 * for. Then the answered ones; last those that no binding can answer. @throws UsageError for a configuration or binding
 * that is not right
 */
export async function gapsOf(options: GapsOptions, caller: Pick<Caller, 'cwd' | 'env'>): Promise<Gaps> {
  const { data } = (await givenBinding(options, caller)) ?? { data: NO_BINDING }
  const operations = new Map<string, string[]>()
  for (const file of data.files) {
    for (const [id, { gap }] of Object.entries(file.operations ?? {})) {
      if (gap !== undefined) operations.set(gap, [...new Set([...(operations.get(gap) ?? []), id])])
    }
  }
  const gaps = inOrder(gapStates([...ledger().values()], resolveBinding(data), operations))
  return { binding: data.name, chain: data.chain, gaps }
}

/** What a binding makes of each gap of the ledger. `operations`: gap -> operations that name it. */
function gapStates(
  entries: readonly Requirement[],
  binding: Binding,
  operations: ReadonlyMap<string, readonly string[]>,
): GapState[] {
  const byOperations = answeredByOperations()
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
      answerable: form !== undefined || byOperations.has(id),
      operations: (operations.get(id) ?? []).filter((name) => binding.operations.get(name)?.offered === true),
      neededBy: entries.filter(({ needs }) => needs?.includes(id)).map((entry) => entry.id),
    }
  })
}

/** Gaps that operations of a binding answer by naming them. */
function answeredByOperations(): ReadonlySet<string> {
  const operations = shippedBindings().flatMap((name) => Object.values(shippedBinding(name).operations ?? {}))
  return new Set(operations.flatMap(({ gap }) => gap ?? []))
}

function inOrder(gaps: readonly GapState[]): GapState[] {
  const rank = ({ answered, answerable }: GapState): number => (answered ? 1 : answerable ? 0 : 2)
  return [...gaps].sort((a, b) => rank(a) - rank(b) || (rank(a) === 0 ? b.neededBy.length - a.neededBy.length : 0))
}

/** Filters take several words with commas between; an entry fits where it fits all of them. */
export interface ListOptions {
  readonly level?: string
  readonly category?: string
  readonly feature?: string
  readonly operation?: string
}

type Field = keyof ListOptions

const VALUES: Readonly<Record<Field, (entry: Requirement) => readonly string[]>> = {
  level: ({ level }) => [level],
  category: ({ category }) => [category],
  feature: ({ feature }) => [feature],
  operation: ({ operations }) => operations,
}

/** The entries that fit every filter. @throws UsageError for a word that no entry has */
export function filtered(entries: readonly Requirement[], options: ListOptions): Requirement[] {
  let left = [...entries]
  for (const field of Object.keys(VALUES) as Field[]) {
    if (options[field] === undefined) continue
    const wanted = options[field].split(',').filter((word) => word !== '')
    const known = [...new Set(entries.flatMap(VALUES[field]))].sort()
    const unknown = wanted.filter((word) => !known.includes(word))
    if (unknown.length > 0 || wanted.length === 0) throw unknownWords(field, unknown, known)
    left = left.filter((entry) => VALUES[field](entry).some((value) => wanted.includes(value)))
  }
  return left
}

function unknownWords(field: Field, unknown: readonly string[], known: readonly string[]): UsageError {
  const names = unknown.length > 0 ? unknown : ['']
  return new UsageError(
    ...names.map((word) => ({
      where: `--${field}`,
      what: `there is no ${field} ${JSON.stringify(word)}`,
      hint: didYouMean(word, known, `known are ${listed(known, 'and')}`),
    })),
  )
}
