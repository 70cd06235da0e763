import { type Binding, resolveBinding, shippedBinding, type TargetOperation } from '../../schemas/binding.ts'
import { fillPath } from '../../schemas/matcher.ts'
import { fillTemplate } from '../../schemas/template.ts'
import { APIKEY, ENTERPRISE, type Harness, type Seen, TOKEN } from './harness.ts'

type Values = Readonly<Record<string, unknown>>

/** The shipped bindings as the embedded target uses them. */
export function referenceBinding(): Binding {
  const files = [shippedBinding('reference'), shippedBinding('default')]
  return resolveBinding({ name: 'reference', chain: files.map(({ name }) => name), files })
}

/** Sends requests as the binding words them. */
export interface BoundClient {
  readonly binding: Binding
  /** makes a resource and all that it needs; answers with the ids, by placeholder, and its own id */
  make(type: string, known?: Values): { readonly id: string; readonly values: Values }
  send(operation: string, values?: Values): Seen
}

export function createBoundClient(harness: Harness, binding: Binding = referenceBinding()): BoundClient {
  let labels = 0

  function send(id: string, values: Values = {}): Seen {
    const operation = binding.operations.get(id)
    if (!operation?.offered) throw new Error(`the binding does not offer ${id}`)
    const query = new URLSearchParams(fillTemplate(operation.query, values) as Record<string, string>).toString()
    const path = fillPath(operation.path, values as Record<string, string>)
    const body = operation.body === undefined ? {} : { body: fillTemplate(operation.body, values) }
    return harness.send(operation.method, query === '' ? path : `${path}?${query}`, {
      ...body,
      headers: headersOf(operation),
    })
  }

  function make(type: string, known: Values = {}): { readonly id: string; readonly values: Values } {
    const resource = binding.resources.get(type)
    if (!resource?.create) throw new Error(`the binding has no way to make a ${type}`)
    let values: Values = known
    for (const needed of resource.needs ?? []) {
      if (values[binding.resources.get(needed)?.id ?? ''] === undefined) values = make(needed, values).values
    }
    labels += 1
    const label = `run-${labels}`
    values = { ...values, label, email: `${label}@example.com`, generation_id: 1 }
    const answer = send(resource.create, values)
    if (answer.status >= 300) throw new Error(`${resource.create}: ${answer.status} ${answer.text}`)
    const pointer = binding.operations.get(resource.create)?.answer.id
    const id = pointer === undefined ? findByLabel(type, values) : String(answer.at(pointer))
    return { id, values: { ...values, [resource.id]: id, id } }
  }

  function findByLabel(type: string, values: Values): string {
    const { list = '', label = '', key = '' } = binding.resources.get(type) ?? {}
    const elements = send(list, values).at(binding.operations.get(list)?.answer.list ?? '') as Record<string, unknown>[]
    const wanted = type === 'member' ? values.email : values.label
    return String(elements.find((element) => element[label] === wanted)?.[key])
  }

  return { binding, make, send }
}

function headersOf(operation: TargetOperation): Readonly<Record<string, string>> {
  if (operation.family === 'enterprise') return ENTERPRISE
  return operation.family === 'ingestion' ? APIKEY : TOKEN
}
