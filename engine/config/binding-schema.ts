import {
  type Binding,
  type BindingFile,
  resolveBinding,
  shippedBinding,
  shippedBindings,
} from '../../schemas/binding.ts'
import { isGap, ledger } from '../../schemas/ledger.ts'
import { type JsonSchema, loadRecordSchemas } from '../../schemas/load.ts'
import { specifiedOperations } from '../../schemas/operations.ts'
import { type BindingName, namesOfOperation } from './binding-names.ts'
import { LINE_FIELDS, ROW_FIELDS } from './binding-problems.ts'

/** The JSON Schema of a binding for editors: it names every gap, operation, kind of resource and name, and says what each is. */
export function bindingSchema(): JsonSchema {
  const whole = loadRecordSchemas().get('binding')
  const { answers, operations, resources } = whole?.properties ?? {}
  if (!whole || !answers || !operations || !resources) throw new Error('no schema named binding')
  const all = shippedWhole()
  return {
    ...whole,
    properties: {
      ...whole.properties,
      answers: { ...answers, properties: answersByGap(), additionalProperties: false },
      operations: {
        ...operations,
        properties: Object.fromEntries([...all.operations.keys()].map((id) => [id, operationSchema(id, all, whole)])),
      },
      resources: {
        ...resources,
        properties: Object.fromEntries(
          [...all.resources].map(([kind, { id }]) => [
            kind,
            { $ref: '#/$defs/BoundResource', description: `${kind.replaceAll('-', ' ')}: its id fills {${id}}` },
          ]),
        ),
      },
    },
  }
}

/** All that ships, as one binding: every operation and every kind of resource that assay knows. */
export function shippedWhole(): Binding {
  const files = shippedBindings().map(shippedBinding)
  const depth = ({ extends: parent }: BindingFile): number =>
    parent === undefined ? 0 : 1 + depth(files.find(({ name }) => name === parent) as BindingFile)
  files.sort((a, b) => depth(b) - depth(a))
  return resolveBinding({ name: files[0]?.name ?? '', chain: files.map(({ name }) => name), files })
}

function answersByGap(): Record<string, JsonSchema> {
  const gaps = [...ledger().values()].filter(isGap)
  return Object.fromEntries(
    gaps.flatMap(({ id, text, answer }) =>
      answer === undefined ? [] : [[id, { description: text, anyOf: [answer, { type: 'null' }] }]],
    ),
  )
}

/** Fields of lines and of rows: of these there are no others. */
const CLOSED: ReadonlySet<string> = new Set([...LINE_FIELDS, ...ROW_FIELDS])

function operationSchema(id: string, all: Binding, { $defs = {} }: JsonSchema): JsonSchema {
  const names = namesOfOperation(id, all, all)
  const { BoundOperation: form = {} } = $defs
  const { method: _method, path: _path, ...rest } = form.properties ?? {}
  const part = (name: 'parameters' | 'fields' | 'answer', more: Record<string, JsonSchema> = {}): JsonSchema => {
    const { properties: _all, ...given } = form.properties?.[name] ?? {}
    const properties = { ...Object.fromEntries(names[name].map(nameSchema)), ...more }
    // A record may have the fields of a sample body of one's own.
    const isOpen = name === 'fields' && names.fields.some(({ name: field }) => !CLOSED.has(field))
    return { ...given, properties, ...(isOpen ? {} : { additionalProperties: false }) }
  }
  const specified = specifiedOperations().find((operation) => operation.id === id)
  const fixed = specified?.parameters.flatMap(({ name, gap }) => (gap === undefined ? [[name, { const: name }]] : []))
  const [method, path] = names.specified ? [names.method, names.path] : ['', '']
  return {
    ...form,
    description: names.specified ? `${method} ${path}, as the specification says` : 'the binding says method and path',
    properties: {
      ...(names.specified ? rest : form.properties),
      parameters: part('parameters', Object.fromEntries(fixed ?? [])),
      fields: part('fields'),
      answer: part('answer'),
    },
  }
}

function nameSchema({ name, description, example }: BindingName): readonly [string, JsonSchema] {
  const examples = example === '' ? {} : { examples: [example] }
  return [name, { type: ['string', 'null'], description, ...examples }]
}
