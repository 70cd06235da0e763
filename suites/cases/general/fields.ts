import { ledger } from '../../../schemas/ledger.ts'
import { bodiedOperations, type Operation, type Parameter, specifiedOperations } from '../../../schemas/operations.ts'
import { operationRow } from '../../../schemas/service.ts'
import type { CaseIntent } from '../../../schemas/types/intents.ts'
import { type Case, type CaseContext, NotRun } from '../../case.ts'
import { fieldOf, type RulePlace, rulePlaces, specificationSet } from '../../generate/fields.ts'
import { walk } from '../../generate/probes.ts'
import { lift, RawJson, serialise } from '../../generate/values/body.ts'
import { openControl, requireLook } from '../../request/control.ts'
import { openGoodRequest } from '../../request/good-request.ts'
import { canSeeDone, leftAloneBy, lookFor } from '../../request/left-alone.ts'
import type { ReadyRequest } from '../../request/other-requests.ts'
import { type Placing, probeField } from '../../request/probe-field.ts'
import { storedBy } from '../../request/read-back.ts'

/** A case for each place with rules in the body of each operation, and for each parameter that the schemas say something about. */
export function fieldCases(): Case[] {
  const set = specificationSet()
  return [
    ...bodiedOperations().flatMap(({ id, request: { schema } }) =>
      rulePlaces(set, schema).map((place) => bodyCase(id, schema, place)),
    ),
    ...specifiedOperations().flatMap((operation) =>
      operation.parameters.flatMap((parameter) =>
        rulePlaces(set, parameter.schema).map((place) => parameterCase(operation, parameter, place)),
      ),
    ),
  ]
}

function bodyCase(operation: string, ref: string, { pointer, accepting, requirements }: RulePlace): Case {
  const name = pointer === '' ? 'body' : pointer.slice(1)
  const placing: Placing = {
    operation,
    pointer,
    acceptance: true,
    place: ({ body }, value) => ({ body: lift(body, pointer, value) }),
  }
  const stored = accepting ? operationRow(operation)?.stored : undefined
  return {
    id: `${operation}/${name}`,
    title: `${name} of ${operation}: good values are accepted and bad ones refused`,
    about: requirements,
    async run(context) {
      const { good, control } = await openControl(context)
      const reading = stored === undefined || !context.observes ? undefined : storedBy(context, good, control.group)
      await probeField(context, control, fieldOf(ref, pointer), { ...placing, stored: reading })
    },
  }
}

function parameterCase(operation: Operation, parameter: Parameter, { pointer, requirements }: RulePlace): Case {
  const placing: Placing = {
    operation: operation.id,
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

/** For each operation with a body: which bodies are not carried out, and that JSON is. */
export const bodyCases: readonly Case[] = specifiedOperations().flatMap((operation): Case[] => {
  const { id, request, alike } = operation
  if (!request) return []
  return [
    {
      id: `${id}/malformed-body`,
      title: `a body of ${id} that is not JSON is refused`,
      async run(context) {
        const { control } = await openControl(context)
        for (const [edge, spoil] of SPOILED) {
          const about = { requirement: 'REQUEST-BODY-JSON', pointer: '', edge }
          const spoiled = ({ body }: ReadyRequest) => ({ body: new RawJson(spoil(serialise(body) ?? '')) })
          await control.probe({ kind: 'refuse', ...about }, spoiled)
        }
        await control.base()
      },
    },
    {
      id: `${id}/content-type`,
      title: `a body of ${id} may come as application/json`,
      async run(context) {
        const good = await openGoodRequest(context)
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
      },
    },
    // Where its effect can be read.
    ...(alike !== true && lookFor(id) !== undefined
      ? [
          {
            id: `${id}/left-alone`,
            title: `what ${id} refuses is not carried out`,
            run: (context: CaseContext) => refuseAndRead(context, operation),
          },
        ]
      : []),
  ]
})
