import { type BindingFile, shippedBinding } from '../../../schemas/binding.ts'
import type { Overlay } from '../../core/overlay.ts'
import type { Handler } from '../../core/route.ts'
import { success } from '../../faults/core/changes.ts'
import type { Changes } from '../../faults/core/fault.ts'
import { type ChangeRow, type Coded, changesOf, type Row, rowsOf } from '../../faults/core/rows.ts'
import { routes } from '../../routes.ts'

/** Another behaviour of the reference, which the specification allows or leaves open: no finding may come of it. */
export interface Variant {
  readonly name: string
  /** the behaviour, as a statement */
  readonly about: string
  /** made anew for each start: some variants count or remember */
  readonly changes: () => Changes
  /** makes the ids of everything that is created */
  readonly newId?: () => () => string
  /** what the target would have to say of itself, laid over the binding of the reference */
  readonly binding?: () => BindingFile
  /** milliseconds within which reads may be old */
  readonly settleTimeout?: number
  /** enterprise operations need an access token beside their key */
  readonly enterprise?: 'both'
}

export function overlayOfVariant(variant: Variant): Overlay {
  return { name: variant.name, ...variant.changes() }
}

/** Wraps every operation. */
export function all(wrap: (inner: Handler, operation: string) => Handler): Changes {
  return {
    handlers: Object.fromEntries(
      routes.map(({ operation }) => [operation, (inner: Handler) => wrap(inner, operation)]),
    ),
  }
}

type Fields = Readonly<Record<string, unknown>>

/** Changes every object of a value, the inner ones first. */
export function everywhere(value: unknown, change: (object: Fields) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => everywhere(one, change))
  if (value === null || typeof value !== 'object') return value
  return change(Object.fromEntries(Object.entries(value).map(([name, one]) => [name, everywhere(one, change)])))
}

/** Changes what reads of some operations show. */
export function shownBy(operations: string, change: (value: unknown) => unknown): () => Changes {
  return () =>
    success(operations, (answer) => (answer.json === undefined ? answer : { ...answer, json: change(answer.json) }))
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Several changes of different operations as one. */
export function together(...all: readonly Changes[]): Changes {
  return { handlers: Object.assign({}, ...all.map(({ handlers }) => handlers)) }
}

/** The binding of the reference without what the variant does not promise: `normalised`, by kind of resource. */
function without(
  name: string,
  normalised: Readonly<Record<string, readonly string[]>>,
  answers: NonNullable<BindingFile['answers']> = {},
): () => BindingFile {
  return () => {
    const files = [shippedBinding('default'), shippedBinding('reference')]
    const shipped = Object.assign({}, ...files.map(({ resources }) => resources)) as NonNullable<
      BindingFile['resources']
    >
    const resources: NonNullable<BindingFile['resources']> = {}
    for (const [type, fields] of Object.entries(normalised)) {
      const known = shipped[type]
      if (!known) throw new Error(`the reference has no ${type}`)
      resources[type] = { ...known, normalises: [...fields] }
    }
    return { formatVersion: 1, name, resources, answers }
  }
}

interface VariantRow extends Row, Pick<Variant, 'settleTimeout' | 'enterprise'> {
  /** what the variant does not promise: fields of things that it keeps in a form of its own, and answers to gaps */
  readonly normalises?: Readonly<Record<string, readonly string[]>>
  readonly answers?: NonNullable<BindingFile['answers']>
}

/** Changes of a variant that are more than data, and what else of it is. */
export type CodedVariants = Coded<Variant['changes'] | Pick<Variant, 'changes' | 'newId' | 'binding'>>

/** The variants of a file. */
export function variantsIn(file: URL, coded: CodedVariants): readonly Variant[] {
  return rowsOf<VariantRow>(file, coded).map((row): Variant => {
    const { name, about, settleTimeout, enterprise, normalises, answers } = row
    const code = coded[name] ?? (() => changesOf(row as ChangeRow))
    return {
      ...{ name, about },
      ...(settleTimeout !== undefined && { settleTimeout }),
      ...(enterprise && { enterprise }),
      ...((normalises || answers) && { binding: without(name, normalises ?? {}, answers) }),
      ...(typeof code === 'function' ? { changes: code } : code),
    }
  })
}

/** Numbers from 0 to 1 that are the same for one seed (mulberry32). */
export function generator(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
