import { type BindingFile, shippedBinding } from '../../../schemas/binding.ts'
import { invalid, Refusal } from '../../core/refusal.ts'
import type { Call, Handler } from '../../core/route.ts'
import type { Changes } from '../../faults/core/fault.ts'
import { routes } from '../../routes.ts'

/** Wraps every operation. */
export function all(wrap: (inner: Handler, operation: string) => Handler): Changes {
  return {
    handlers: Object.fromEntries(
      routes.map(({ operation }) => [operation, (inner: Handler) => wrap(inner, operation)]),
    ),
  }
}

/** Looks at calls of an operation before they are carried out; `check` throws the refusal. */
export function demands(operation: string, check: (call: Call) => void): Changes {
  return {
    handlers: {
      [operation]: (inner) => (call) => {
        check(call)
        return inner(call)
      },
    },
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
export function shownBy(operations: readonly string[], change: (value: unknown) => unknown): () => Changes {
  return () => ({
    answer: (answer, _request, operation) =>
      operations.includes(operation ?? '') && answer.status < 300 && answer.json !== undefined
        ? { ...answer, json: change(answer.json) }
        : answer,
  })
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Refuses calls of some operations with 409 before they are carried out. */
export function conflict(operations: readonly string[], stands: (call: Call) => boolean): Changes {
  const wrap =
    (inner: Handler): Handler =>
    (call) => {
      if (stands(call)) throw new Refusal('Conflict', 'it is so already')
      return inner(call)
    }
  return { handlers: Object.fromEntries(operations.map((operation) => [operation, wrap])) }
}

/** Refuses what `bad` says of a body. */
export function refusing(
  operations: readonly string[],
  bad: (body: Readonly<Record<string, unknown>>) => boolean,
): Changes {
  const check = (inner: Handler) => (call: Call) => {
    if (bad(call.body as Readonly<Record<string, unknown>>)) throw invalid('', 'is not taken here')
    return inner(call)
  }
  return { handlers: Object.fromEntries(operations.map((operation) => [operation, check])) }
}

/** Several changes of different operations as one. */
export function together(...all: readonly Changes[]): Changes {
  return { handlers: Object.assign({}, ...all.map(({ handlers }) => handlers)) }
}

/** The binding of the reference without what the variant does not promise: `normalised`, by kind of resource. */
export function without(
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
