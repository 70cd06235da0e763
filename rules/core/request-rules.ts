import type { Binding } from '../../schemas/binding.ts'
import { type OperationRow, service } from '../../schemas/service.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import type { Validator, Violation } from '../../schemas/validator.ts'
import { askedFor, type ExchangeView } from './view.ts'

/** The fields whose names only a binding knows: operation -> field -> schema. */
export interface FieldBinding {
  readonly kinds: ReadonlyMap<string, { readonly field: string; readonly schema: string }>
  /** the target's words for a kind -> the specification's */
  readonly words: ReadonlyMap<string, string>
}

export function fieldBindings(binding: Binding): FieldBinding {
  const kinds = new Map<string, { field: string; schema: string }>()
  for (const { id, kind } of service().operations) {
    const field = kind && binding.answers.get(kind.gap)?.value
    if (kind && typeof field === 'string') kinds.set(id, { field, schema: kind.schema })
  }
  const vendors = binding.answers.get('GAP-VENDOR-KINDS')?.value
  const words = new Map(
    Object.entries(isRecord(vendors) ? vendors : {}).map(([ours, theirs]) => [String(theirs), ours]),
  )
  return { kinds, words }
}

const NOT_JSON = {
  pointer: '',
  keyword: 'json',
  requirement: 'REQUEST-BODY-JSON',
  message: 'must be JSON',
}

/** The constraints of the specification that a request breaks, as it was serialised. */
export function requestViolations(
  operation: OperationRow | undefined,
  view: Pick<ExchangeView, 'params' | 'request' | 'exchange'>,
  bound: FieldBinding,
  validator: Validator,
): Violation[] {
  const found: Violation[] = []
  for (const parameter of operation?.parameters ?? []) {
    const value = parameter.in === 'path' ? view.params[parameter.name] : askedFor(view, parameter.name)
    if (value === undefined) continue
    for (const violation of validator.violations(parameter.schema, value)) {
      found.push({ ...violation, pointer: `${parameter.in}:${parameter.name}` })
    }
  }
  if (!operation?.request) return found
  if (view.request.kind === 'other') {
    // Which other forms a target takes is open, where a client says that it sends one.
    return saysOtherForm(view.exchange) ? found : [...found, { ...NOT_JSON, value: view.request.text }]
  }
  if (view.request.kind === 'none' || view.request.kind === 'cut') return found
  const body = view.request.value
  found.push(...validator.violations(operation.request.schema, body))
  const kind = bound.kinds.get(operation.id)
  if (kind && isRecord(body) && Object.hasOwn(body, kind.field)) {
    const value = body[kind.field]
    const word = typeof value === 'string' ? (bound.words.get(value) ?? value) : value
    for (const violation of validator.violations(kind.schema, word))
      found.push({ ...violation, pointer: `/${kind.field}` })
  }
  return found
}

/** Whether traffic says that its body is something else than JSON. */
function saysOtherForm({ _case, request }: Exchange): boolean {
  if (_case !== undefined) return false
  const type = request.headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? ''
  return type !== '' && !/json|text\/plain|octet-stream/i.test(type)
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
