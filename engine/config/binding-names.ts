import {
  type Binding,
  type BindingFile,
  type BoundResource,
  resolveBinding,
  shippedBinding,
  shippedBindings,
  type TargetOperation,
} from '../../schemas/binding.ts'
import { isGap, ledger } from '../../schemas/ledger.ts'
import { type JsonSchema, loadRecordSchemas } from '../../schemas/load.ts'
import { specifiedOperations } from '../../schemas/operations.ts'
import { operationRow } from '../../schemas/service.ts'
import { specificationSchemas } from '../../schemas/validator.ts'
import { UsageError } from '../errors.ts'
import { fieldsSent, LINE_FIELDS, ROW_FIELDS } from './binding-problems.ts'
import { didYouMean } from './nearest.ts'

/** A name that a binding may use of an operation. */
export interface BindingName {
  readonly name: string
  readonly description: string
  readonly example: string
  /** what the binding in force says; undefined: nothing */
  readonly value: string | undefined
}

/** What a binding can say of an operation. */
export interface OperationNames {
  readonly id: string
  readonly method: string
  readonly path: string
  /** the specification gives method and path */
  readonly specified: boolean
  /** what a good request carries, from the binding in force; undefined: nothing, or what the specification describes */
  readonly query: Readonly<Record<string, string>> | undefined
  readonly body: unknown
  readonly gaps: readonly string[]
  readonly parameters: readonly BindingName[]
  readonly fields: readonly BindingName[]
  readonly answer: readonly BindingName[]
}

type Part = 'parameters' | 'fields' | 'answer'

let records: ReadonlyMap<string, JsonSchema> | undefined

/** The form of an operation of a binding: read once, for it is asked for again for every name. */
function operationForm(): JsonSchema {
  records ??= loadRecordSchemas()
  return records.get('binding')?.$defs?.BoundOperation ?? {}
}

/** Every name that a part of an operation may have, with what it means: what editors show as well. */
export function namesOf(part: Part): ReadonlyMap<string, { readonly description: string; readonly example: string }> {
  const names: Readonly<Record<string, JsonSchema & { readonly examples?: readonly unknown[] }>> =
    operationForm().properties?.[part]?.properties ?? {}
  return new Map(
    Object.entries(names).map(([name, { description = '', examples }]) => [
      name,
      { description, example: String(examples?.[0] ?? '') },
    ]),
  )
}

/** Every entry that an operation of a binding may have. */
export function entriesOfOperation(): readonly string[] {
  return Object.keys(operationForm().properties ?? {})
}

/** What a binding can say of one operation, and what the one in force says. `all`: of every operation that ships. @throws UsageError */
export function namesOfOperation(id: string, binding: Binding, all: Binding): OperationNames {
  const known = all.operations.get(id) ?? binding.operations.get(id)
  if (!known) {
    const hint = didYouMean(id, [...all.operations.keys()], '`assay list operations` lists them')
    throw new UsageError({ where: id, what: 'there is no such operation', hint })
  }
  const own = binding.operations.get(id)
  const fixed = fixedParameters(id)
  const described = (part: Part, names: readonly string[]): BindingName[] =>
    names.map((name) => {
      const { description = meaningOf(name, known, [binding, all]), example = '' } = namesOf(part).get(name) ?? {}
      return { name, description, example, value: own?.[part][name] }
    })
  return {
    id,
    method: own?.method ?? known.method,
    path: own?.path ?? known.path,
    specified: known.specified,
    query: Object.keys(own?.query ?? {}).length === 0 ? undefined : own?.query,
    body: own?.body,
    gaps: [...ledger().values()]
      .filter((entry) => isGap(entry) && entry.operations.includes(id))
      .map((entry) => entry.id),
    parameters: described(
      'parameters',
      Object.keys({ ...known.parameters, ...own?.parameters }).filter((name) => !fixed.includes(name)),
    ),
    fields: described('fields', fieldsOf(known, [all, binding])),
    answer: described('answer', answersOf(known, own)),
  }
}

/** Names that the specification gives cannot be changed, and so are none of the binding's. */
function fixedParameters(id: string): readonly string[] {
  return (operationRow(id)?.parameters ?? []).flatMap(({ name, gap }) => (gap === undefined ? [name] : []))
}

function fieldsOf(operation: TargetOperation, bindings: readonly Binding[]): readonly string[] {
  if (/^(ingest-lines|export-v[12])$/.test(operation.id)) return LINE_FIELDS
  if (/usage/.test(operation.id)) return ROW_FIELDS
  const resources = bindings.flatMap((one) => [...one.resources])
  const operations = bindings.flatMap((one) => [...one.operations.values()])
  const ofKind = resources.filter(([, resource]) => isOf(operation, resource))
  const named = ofKind.flatMap(([, resource]) => [
    ...(resource.key === undefined ? [] : [resource.key]),
    ...(resource.label === undefined ? [] : [resource.label]),
    ...operations.filter((one) => isOf(one, resource)).flatMap(namesSent),
  ])
  return [...new Set([...namesSent(operation), ...(ofKind.length > 0 ? ['id'] : []), ...named])]
}

/** Whether an operation is about a kind of resource: it makes, reads, lists or removes one, or changes the one in its path. */
function isOf(
  { id, path }: TargetOperation,
  { id: placeholder, create, read, list, delete: removes }: BoundResource,
): boolean {
  return [create, read, list, removes].includes(id) || path.split('/').at(-1) === `{${placeholder}}`
}

/** What a name is of which the format of bindings says nothing: it comes from a resource, a query or a body. */
function meaningOf(name: string, operation: TargetOperation, bindings: readonly Binding[]): string {
  const ofKind = bindings.flatMap(({ resources }) => [...resources].filter(([, resource]) => isOf(operation, resource)))
  const keyed = ofKind.find(([, { key }]) => key === name)
  if (keyed) return `the id in an element of a list (\`key\` of the resource ${keyed[0]})`
  const labelled = ofKind.find(([, { label }]) => label === name)
  if (labelled) return `the name that a run gives (\`label\` of the resource ${labelled[0]})`
  const isAsked = bindings.some(({ operations }) => operations.get(operation.id)?.query[name] !== undefined)
  return isAsked ? 'what its query chooses, where a record shows it' : 'a field of a sample body'
}

/** The fields of what an operation sends: of its sample body and its query, or of the schema that the specification gives. */
function namesSent({ id, body, query }: TargetOperation): readonly string[] {
  const schema = specifiedOperations().find((one) => one.id === id)?.request?.schema
  const fields = Object.keys(specificationSchemas().schemas.get(schema ?? '')?.properties ?? {})
  return [...new Set([...fieldsSent(body), ...Object.keys(query), ...fields])]
}

/** `suspended` may stand in place of `ingesting`. */
function answersOf(known: TargetOperation, own: TargetOperation | undefined): readonly string[] {
  const names = Object.keys({ ...known.answer, ...own?.answer })
  return names.includes('ingesting') ? [...new Set([...names, 'suspended'])] : names
}

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
        properties: Object.fromEntries([...all.operations.keys()].map((id) => [id, operationSchema(id, all)])),
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

function operationSchema(id: string, all: Binding): JsonSchema {
  const names = namesOfOperation(id, all, all)
  const form = operationForm()
  const { method: _method, path: _path, ...rest } = form.properties ?? {}
  const part = (name: Part, more: Record<string, JsonSchema> = {}): JsonSchema => {
    const { properties: _all, ...given } = form.properties?.[name] ?? {}
    const properties = { ...Object.fromEntries(names[name].map(nameSchema)), ...more }
    // A record may have the fields of a sample body of one's own.
    const isOpen = name === 'fields' && names.fields.some(({ name: field }) => !CLOSED.has(field))
    return { ...given, properties, ...(isOpen ? {} : { additionalProperties: false }) }
  }
  const fixed = Object.fromEntries(fixedParameters(id).map((name) => [name, { const: name }]))
  const place = `${names.method} ${names.path}, as the specification says`
  return {
    ...form,
    description: names.specified ? place : 'the binding says method and path',
    properties: {
      ...(names.specified ? rest : form.properties),
      parameters: part('parameters', fixed),
      fields: part('fields'),
      answer: part('answer'),
    },
  }
}

function nameSchema({ name, description, example }: BindingName): readonly [string, JsonSchema] {
  const examples = example === '' ? {} : { examples: [example] }
  return [name, { type: ['string', 'null'], description, ...examples }]
}
