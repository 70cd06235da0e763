import type { BoundOperation, BoundResource } from '../../schemas/types/binding.ts'

/**
 * How sure an entry is. proven: seen at work on the target, which shows the sent values again. recorded: seen in
 * traffic. documented: an OpenAPI document says so. likely: told from names alone.
 */
export type Sure = 'proven' | 'recorded' | 'documented' | 'likely'

/** What was found out of one operation. */
export interface FoundOperation extends Pick<BoundOperation, 'also' | 'pages' | 'query' | 'forms'> {
  readonly id: string
  readonly method: NonNullable<BoundOperation['method']>
  /** with our names of the placeholders */
  readonly path: string
  readonly body?: Readonly<Record<string, unknown>> | undefined
  readonly parameters?: Readonly<Record<string, string>>
  readonly fields?: Readonly<Record<string, string>>
  readonly answer?: Readonly<Record<string, string>>
  /** of a good response; undefined where none was seen */
  readonly status: number | undefined
  /** a response, or a sample of one that a document describes: a place that it does not have is not inherited */
  readonly shape?: unknown
  /** in words: the document and the place in it, the exchange */
  readonly from: string
  readonly sure: Sure
}

/** What was found out of a gap that takes a value. */
export interface FoundAnswer {
  readonly value: unknown
  readonly from: string
  readonly sure: Sure
}

/** What one source says of a target. */
export interface Findings {
  readonly operations: Map<string, FoundOperation>
  readonly answers: Map<string, FoundAnswer>
  /** type -> the field that carries the name, and the field of a list element that carries the id */
  readonly resources: Map<string, Pick<BoundResource, 'label' | 'key'>>
  /** operation or gap -> why it stayed open, in words */
  readonly open: Map<string, string>
  /** operations that were looked for -> whether anything of the target speaks for them */
  readonly tried: Map<string, boolean>
}

export function noFindings(): Findings {
  return { operations: new Map(), answers: new Map(), resources: new Map(), open: new Map(), tried: new Map() }
}

const ORDER: readonly Sure[] = ['proven', 'recorded', 'documented', 'likely']

/** Of several sources, the surest finding for each thing. The others fill the gaps of the surer one. */
export function combined(all: readonly Findings[]): Findings {
  const result = noFindings()
  for (const one of all) {
    for (const [id, found] of one.operations) {
      const before = result.operations.get(id)
      result.operations.set(id, before === undefined ? found : joined(before, found))
    }
    for (const [gap, found] of one.answers) {
      const before = result.answers.get(gap)
      if (!before || isSurer(found.sure, before.sure)) result.answers.set(gap, found)
    }
    for (const [type, found] of one.resources) result.resources.set(type, { ...found, ...result.resources.get(type) })
    for (const [id, why] of one.open) result.open.set(id, why)
    for (const [id, isThere] of one.tried) result.tried.set(id, isThere || result.tried.get(id) === true)
  }
  return result
}

function isSurer(one: Sure, other: Sure): boolean {
  return ORDER.indexOf(one) < ORDER.indexOf(other)
}

function joined(a: FoundOperation, b: FoundOperation): FoundOperation {
  const [better, other] = isSurer(b.sure, a.sure) ? [b, a] : [a, b]
  // If two sources name different places, only the surer is believed.
  if (better.method !== other.method || better.path !== other.path) return better
  return {
    ...other,
    ...Object.fromEntries(Object.entries(better).filter(([, value]) => value !== undefined)),
    fields: { ...other.fields, ...better.fields },
    parameters: { ...other.parameters, ...better.parameters },
    answer: { ...other.answer, ...better.answer },
  } as FoundOperation
}

/** Adds to what was found of an operation. */
export function add(
  { operations }: Findings,
  id: string,
  { answer, fields, ...more }: Partial<Pick<FoundOperation, 'answer' | 'fields' | 'body'>>,
): void {
  const found = operations.get(id)
  if (!found) return
  operations.set(id, {
    ...found,
    ...more,
    answer: { ...found.answer, ...answer },
    fields: { ...found.fields, ...fields },
  })
}
