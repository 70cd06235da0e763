import { constraintsOf } from '../../../schemas/constraints.ts'
import { type JsonSchema, loadResourceSchemas } from '../../../schemas/load.ts'
import { type Operation, type StatedError, specifiedOperations } from '../../../schemas/operations.ts'
import { at, without, withValue } from '../../../schemas/pointer.ts'
import { operationRow } from '../../../schemas/service.ts'
import { createResolver } from '../../../schemas/walk.ts'
import type { Answer } from '../../core/route.ts'
import { body, refusal, success } from '../core/changes.ts'
import { type Changes, type Fault, fault } from '../core/fault.ts'

/** Lays a change of the JSON body over answers of one kind. */
type Lay = (change: (json: unknown) => unknown) => Changes

/** Every rule about answers, broken by the answers in every way that the keyword allows. */
export function derivedFromResponses(): readonly Fault[] {
  const page = (change: (json: unknown) => unknown): Changes => body('export-v2', change)
  return [...broken('export-v2', 'export-page', page), ...specifiedOperations().flatMap(ofOperation)]
}

function ofOperation(operation: Operation): Fault[] {
  return [
    ...statuses(operation),
    ...emptiness(operation),
    ...goodBodies(operation),
    ...operation.errors.flatMap((stated) => errors(operation, stated)),
    ...denied(operation),
  ]
}

/** A removal that is carried out, and said not to be. */
function denied({ id }: Operation): Fault[] {
  const requirement = operationRow(id)?.deleted
  const changes = body(id, (json) => ({ ...json, deleted: false }))
  return requirement === undefined
    ? []
    : [fault(`${id}/deleted-false`, requirement, `${id} says that it is not`, changes)]
}

function statuses({ id, response }: Operation): Fault[] {
  if (response.status !== 200) return []
  return [201, 202, 204].map((status) => {
    const changes = success(id, (answer) => ({ ...(status === 204 ? bare(answer) : answer), status }))
    return fault(`${id}/status-${status}`, response.statusRequirement, `${id} is answered with ${status}`, changes)
  })
}

function emptiness({ id, response }: Operation): Fault[] {
  const requirement = response.bodyRequirement
  if (requirement === undefined) return []
  const answered = (suffix: string, about: string, change: (answer: Answer) => Answer): Fault =>
    fault(`${id}/body-${suffix}`, requirement, `${id} is answered with ${about}`, success(id, change))
  const text = (piece: string) => (answer: Answer) => ({ ...bare(answer), status: 200, text: [piece] })
  if (response.body === 'none') {
    return [
      answered('object', 'an empty object', (answer) => ({ ...answer, status: 200, json: {} })),
      answered('text', 'the text OK', text('OK')),
      answered('blank', 'a blank', text(' ')),
    ]
  }
  return [answered('missing', 'no body', bare), answered('text', 'a text', text('done'))]
}

function bare({ json: _, ...answer }: Answer): Answer {
  return answer
}

function goodBodies({ id, response }: Operation): Fault[] {
  if (response.body !== 'schema' || response.schema === undefined) return []
  return broken(id, response.schema, (change) => success(id, (answer) => ({ ...answer, json: change(answer.json) })))
}

function errors({ id }: Operation, stated: StatedError): Fault[] {
  const { condition, schema, code, codeRequirement, refusedRequirement, status, statusRequirement } = stated
  // Two conditions of one operation differ in their codes.
  const mine = (answer: Answer): boolean => code === undefined || at(answer.json, '/code') === code
  const lay = (change: (answer: Answer) => Answer): Changes =>
    refusal(id, (answer) => (mine(answer) ? change(answer) : answer))
  const name = `${id}/${condition}`
  const found: Fault[] = []
  const addField = (
    suffix: string,
    about: string,
    requirement: string | undefined,
    pointer: string,
    value?: unknown,
  ): void =>
    add(suffix, about, requirement, ({ json, ...answer }) => ({
      ...answer,
      json: value === undefined ? without(json, pointer) : withValue(json, pointer, value),
    }))
  const add = (
    suffix: string,
    about: string,
    requirement: string | undefined,
    change: (answer: Answer) => Answer,
  ): void => {
    if (requirement !== undefined) found.push(fault(`${name}/${suffix}`, requirement, `${name}: ${about}`, lay(change)))
  }
  for (const other of [200, 204, 500]) {
    const change = (answer: Answer): Answer => ({ ...(other === 204 ? bare(answer) : answer), status: other })
    add(`status-${other}`, `answered with ${other}`, refusedRequirement, change)
  }
  if (status !== undefined) {
    add('status-other', 'answered with another error', statusRequirement, (answer) => ({
      ...answer,
      status: status + 9,
    }))
  }
  for (const other of spellings(code)) {
    addField(`code-${other}`, `the code is ${other}`, codeRequirement, '/code', other)
  }
  addField('no-status', 'the body has no status', stated.bodyStatusRequirement, '/status')
  addField('status-fail', 'the status in the body is fail', stated.bodyStatusRequirement, '/status', 'fail')
  add('empty', 'no body', stated.bodyRequirement, bare)
  add('page', 'a page of HTML', stated.bodyRequirement, ({ status: code }) => ({
    status: code,
    headers: { 'content-type': 'text/html' },
    text: ['<!doctype html><title>Not found</title>'],
  }))
  return [...found, ...broken(name, schema, (change) => lay((answer) => ({ ...answer, json: change(answer.json) })))]
}

function spellings(code: string | undefined): string[] {
  if (code === undefined) return []
  return [
    code.toLowerCase(),
    code.toUpperCase(),
    `${code}Error`,
    code.slice(0, 1).toLowerCase() + code.slice(1),
  ].filter((other, index, all) => other !== code && all.indexOf(other) === index)
}

const SAMPLES: Readonly<Record<string, unknown>> = {
  string: 'assay',
  number: 0.5,
  boolean: true,
  array: [],
  object: {},
  null: null,
}

/** Breaks each constraint of a schema by itself; of a list in its first element. */
function broken(prefix: string, name: string, lay: Lay): Fault[] {
  const schemas = loadResourceSchemas()
  const schema = schemas.get(name)
  if (!schema) throw new Error(`there is no schema ${name}`)
  return constraintsOf(schema, createResolver(schemas)).flatMap((constraint) => {
    const { keyword, requirement, property } = constraint
    if (requirement === undefined) return []
    const pointer = constraint.pointer.replaceAll('*', '0')
    return ways(keyword, constraint.schema, property).map(([suffix, what, change]) => {
      const about = `${prefix}: ${constraint.pointer || 'the body'} ${what}`
      const changes = lay((json) =>
        at(json, pointer) === undefined ? json : withValue(json, pointer, change(at(json, pointer))),
      )
      return fault(`${prefix}${pointer}/${suffix}`, requirement, about, changes)
    })
  })
}

type Way = readonly [suffix: string, about: string, change: (value: unknown) => unknown]

function ways(keyword: string, schema: JsonSchema, property: string | undefined): Way[] {
  switch (keyword) {
    case 'type': {
      const own = [schema.type].flat()
      const others = Object.keys(SAMPLES).filter((type) => !own.some((one) => one === type))
      return others.map((type) => [`type-${type}`, `is of type ${type}`, () => SAMPLES[type]])
    }
    case 'required':
      return [[`no-${property}`, `has no ${property}`, (value) => without(value, `/${property}`)]]
    case 'maxLength':
      return [[`length-${(schema.maxLength ?? 0) + 1}`, 'is too long', () => 'a'.repeat((schema.maxLength ?? 0) + 1)]]
    case 'enum':
    case 'const':
      return [
        ['other', 'is another word', () => 'assay'],
        ['upper-case', 'is written in upper case', (value) => String(value).toUpperCase()],
        ['blank', 'has a blank at its end', (value) => `${String(value)} `],
      ]
    case 'additionalProperties':
      return [['more', 'has one more field', (value) => ({ ...(value as object), more: true })]]
    // A page with too many lines is made by hand: it has to be one of several.
    case 'maxItems':
      return []
    default:
      throw new Error(`no way is known to break ${keyword} in an answer`)
  }
}

const SAYS = { missing: 'is not there', 'not-allowed': 'is not offered', broken: 'always breaks down' }

/** Faults of operations as a whole, one of each kind for every operation that the specification gives a path for. */
export const absentFaults: readonly Fault[] = specifiedOperations().flatMap((operation, index) => [
  absent(operation, 404, 'missing'),
  absent(operation, index % 2 === 0 ? 405 : 501, 'not-allowed'),
  absent(operation, 500, 'broken'),
])

/** Nothing of the request is looked at, its credentials included. */
function absent({ id, title, response }: Operation, status: number, how: keyof typeof SAYS): Fault {
  const json = { error: `${title}: ${status}`, code: String(status), status: 'error' }
  return fault(`${id}-${how}`, response.statusRequirement, `${id} ${SAYS[how]} (${status})`, {
    handlers: { [id]: () => () => ({ status, json }) },
    routes: { [id]: ({ schema: _schema, ...route }) => ({ ...route, access: 'open' }) },
  })
}
