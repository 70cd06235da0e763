import { ledger } from '../../../schemas/ledger.ts'
import type { JsonSchema } from '../../../schemas/load.ts'
import {
  type Bodied,
  bodiedOperations,
  isSpecified,
  type Operation,
  type Parameter,
  specifiedOperations,
} from '../../../schemas/operations.ts'
import { operationRow } from '../../../schemas/service.ts'
import type { CaseIntent } from '../../../schemas/types/intents.ts'
import { type Case, type CaseContext, NotRun } from '../../case.ts'
import { fieldOf, type RulePlace, rulePlaces, specificationSet } from '../../generate/fields.ts'
import { walk } from '../../generate/probes.ts'
import { lift, RawJson, serialise } from '../../generate/values/body.ts'
import { type Control, createControl, openControl, requireLook } from '../../request/control.ts'
import { type GoodRequest, openGoodRequest } from '../../request/good-request.ts'
import { canSeeDone, leftAloneBy, lookFor } from '../../request/left-alone.ts'
import type { ReadyRequest } from '../../request/other-requests.ts'
import { type Placing, probeField } from '../../request/probe-field.ts'
import { storedBy } from '../../request/read-back.ts'

/** Operations that take a schema in some place of their bodies. */
type Among = (schema: JsonSchema) => readonly string[]

/**
 * A case for the body of each operation, with its fields. One for its texts with a pattern, of which most is tried: the
 * first gives it its name. And one for each parameter that the schemas say something about.
 */
export function fieldCases(): Case[] {
  const set = specificationSet()
  const bodies = bodiedOperations().map((operation) => ({
    operation,
    places: rulePlaces(set, operation.request.schema),
  }))
  const among: Among = (wanted) =>
    bodies.flatMap(({ operation, places }) => (places.some(({ schema }) => schema === wanted) ? [operation.id] : []))
  return [
    ...bodies.flatMap(({ operation, places }) => {
      const texts = new Set(places.flatMap(({ patterned, pointer }) => (patterned ? [fieldAt(pointer)] : [])))
      const isText = ({ pointer }: RulePlace): boolean => texts.has(fieldAt(pointer))
      const others = places.filter((place) => !isText(place))
      return [
        ...(others.length > 0 || isSpecified(operation) ? [bodyCase(operation, others, among)] : []),
        ...(texts.size > 0 ? [textsCase(operation, [...texts], places.filter(isText), among)] : []),
      ]
    }),
    ...specifiedOperations().flatMap((operation) =>
      operation.parameters.flatMap((parameter) =>
        rulePlaces(set, parameter.schema).map((place) => parameterCase(operation, parameter, place)),
      ),
    ),
  ]
}

/** The name of the field that holds a place; '' of the body itself. */
function fieldAt(pointer: string): string {
  return pointer.split('/')[1] ?? ''
}

function about(places: readonly RulePlace[]): string[] {
  return [...new Set(places.flatMap(({ requirements }) => requirements))]
}

function textsCase(operation: Bodied, names: readonly string[], places: readonly RulePlace[], among: Among): Case {
  return {
    id: `${operation.id}/${names[0]}`,
    title: `${names.join(' and ')} of ${operation.id}: good values are accepted and bad ones refused`,
    about: about(places),
    async run(context) {
      const { good, control } = await openControl(context)
      await probePlaces(context, operation, places, { good, control, among })
      await control.end()
    },
  }
}

function bodyCase(operation: Bodied, places: readonly RulePlace[], among: Among): Case {
  const { id } = operation
  return {
    id: `${id}/body`,
    title: `a body of ${id} is JSON, its good values are accepted and bad ones refused`,
    about: about(places),
    async run(context) {
      const good = await openGoodRequest(context)
      if (isSpecified(operation) && context.wants('REQUEST-CONTENT-TYPE')) await sendAsJson(context, good)
      const control = createControl(context, good)
      await control.mustAccept()
      if (isSpecified(operation) && context.wants('REQUEST-BODY-JSON')) await sendSpoiled(context, control)
      await probePlaces(context, operation, places, { good, control, among })
      await control.end()
    },
  }
}

async function probePlaces(
  context: CaseContext,
  { id, request: { schema: ref } }: Bodied,
  places: readonly RulePlace[],
  { good, control, among }: { readonly good: GoodRequest; readonly control: Control; readonly among: Among },
): Promise<void> {
  if (!places.some(({ requirements }) => requirements.some(context.wants))) return
  await requireLook(id, (change) => control.changed(change))
  for (const { pointer, schema, accepting } of places) {
    const isStored = accepting && operationRow(id)?.stored !== undefined && context.observes
    await probeField(context, control, fieldOf(ref, pointer), {
      operation: id,
      among: among(schema),
      pointer,
      acceptance: true,
      place: ({ body }, value) => ({ body: lift(body, pointer, value) }),
      stored: isStored ? storedBy(context, good, control.group) : undefined,
    })
  }
}

function parameterCase(operation: Operation, parameter: Parameter, { pointer, requirements }: RulePlace): Case {
  const placing: Placing = {
    operation: operation.id,
    among: [operation.id],
    pointer: `${parameter.in}:${parameter.name}`,
    inUrl: parameter.in,
    acceptance: false,
    place(request, value) {
      const text = String(value)
      if (parameter.in === 'path') return { params: { ...request.params, [parameter.name]: text } }
      return { query: { ...request.query, [parameter.name]: text } }
    },
  }
  return {
    id: `${operation.id}/${parameter.in}:${parameter.name}`,
    title: `the ${parameter.in} parameter ${parameter.name} of ${operation.id}: bad values are refused`,
    about: requirements,
    async run(context) {
      const { control } = await openControl(context)
      await probeField(context, control, fieldOf(parameter.schema, pointer), placing)
      await control.end()
    },
  }
}

/** Changes of the text of a good body that make it invalid JSON. */
const SPOILED: readonly (readonly [string, (text: string) => string])[] = [
  ['cut off before its last brace', (text) => text.slice(0, -1)],
  ['a brace too many', (text) => `${text}}`],
  ['single quotes', (text) => text.replaceAll('"', "'")],
  ['a comma before the last brace', (text) => `${text.slice(0, -1)},}`],
  ['no JSON at all', () => 'assay'],
]

/** Other content types of a body that is JSON all the same; null: none. */
const OTHERS = ['application/json; charset=utf-8', 'text/plain', null] as const

/** Places of the body itself and of its own fields, not of what is within those. */
const SHALLOW = /^(\/[^/]+)?$/

interface Tried {
  readonly pointer: string
  readonly requirements: readonly string[]
}

/**
 * For each place the stated refusal; if there is none, the first implied one. A new thing is known by its name, which
 * has to be a good one.
 */
function placesOf({ id, request }: Operation): Tried[] {
  const ref = request?.schema ?? ''
  return rulePlaces(specificationSet(), ref)
    .filter(({ pointer }) => SHALLOW.test(pointer) && !(id.startsWith('create-') && /^\/(name|title)?$/.test(pointer)))
    .map(({ pointer, requirements }) => {
      const stated = requirements.filter((id) => ledger().get(id)?.level === 'stated')
      return { pointer, requirements: stated.length > 0 ? stated : requirements.slice(0, 1) }
    })
}

async function refuseAndRead(context: CaseContext, operation: Operation): Promise<void> {
  const { id, request, feature } = operation
  if (!canSeeDone(context, id)) {
    const gap = feature === 'pipelines' ? 'GAP-PATHS-PIPELINES' : 'GAP-PATHS-CONFIGURATION'
    throw new NotRun('gap-unanswered', `the binding has no way to see what ${id} does (${gap})`, gap)
  }
  const wanted = placesOf(operation).flatMap(({ pointer, requirements }) => {
    const probes = walk(fieldOf(request?.schema ?? '', pointer))
    return requirements.flatMap((requirement) =>
      // The first bad value that breaks a requirement, and no other where there is such a one.
      context.wants(requirement)
        ? (probes.find((probe) => probe.kind === 'refuse' && probe.requirement === requirement) ?? [])
        : [],
    )
  })
  const { good, control } = await openControl(context, id)
  await requireLook(id, (change) => control.changed(change))
  const leftAlone = leftAloneBy(context, id, control.group)
  await leftAlone.before(await good.request())
  if (wanted.length === 0) return
  const sent: ReadyRequest[] = []
  for (const { pointer, requirement, label, value, also } of wanted) {
    const named = also.filter((other) => other !== undefined)
    const data = named.length === 0 ? {} : { data: { also: named } }
    const about = { pointer, edge: label, ...(requirement === undefined ? {} : { requirement }) }
    await control.probe({ kind: 'refuse', ...about, ...data }, (good) => {
      sent.push(good)
      return { body: lift(good.body, pointer, value) }
    })
    if (leftAlone.each) await leftAlone.after(sent.splice(0))
  }
  await leftAlone.after(sent)
}

async function sendSpoiled(context: CaseContext, control: Control): Promise<void> {
  for (const [edge, spoil] of some(context, SPOILED, 1)) {
    const about = { requirement: 'REQUEST-BODY-JSON', pointer: '', edge }
    const spoiled = ({ body }: ReadyRequest) => ({ body: new RawJson(spoil(serialise(body) ?? '')) })
    await control.probe({ kind: 'refuse', ...about }, spoiled)
  }
}

/** A body may come as application/json. Where it does not, other content types are tried. */
async function sendAsJson(context: CaseContext, good: GoodRequest): Promise<void> {
  const about = { requirement: 'REQUEST-CONTENT-TYPE', group: context.group() }
  const send = async (contentType: string | null, intent: CaseIntent): Promise<boolean> => {
    const sent = await context.send({ ...(await good.request()), contentType, intent })
    good.learn(sent)
    return sent.view.accepted
  }
  const base: CaseIntent = { kind: 'base', ...about, edge: 'application/json', data: { form: true } }
  // The first refusal may pass, or the switch may be on that side already.
  if ((await send('application/json', base)) || (await send('application/json', base))) return
  for (const other of OTHERS)
    await send(other, { kind: 'observe', ...about, probe: 'other-form', edge: other ?? 'none' })
  await send('application/json', base)
}

/** So many of them in a quick run, from a place on that the seed says; else all. */
function some<T>({ observes, seed }: CaseContext, all: readonly T[], most: number): readonly T[] {
  const start = seed % Math.max(1, all.length)
  return observes ? all : [...all.slice(start), ...all.slice(0, start)].slice(0, most)
}

/** For each operation with a body whose effect can be read. */
export const bodyCases: readonly Case[] = specifiedOperations().flatMap((operation): Case[] => {
  const { id, request, alike } = operation
  if (!request || alike === true || lookFor(id) === undefined) return []
  return [
    {
      id: `${id}/left-alone`,
      title: `what ${id} refuses is not carried out`,
      run: (context: CaseContext) => refuseAndRead(context, operation),
    },
  ]
})
