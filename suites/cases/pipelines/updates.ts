import fc from 'fast-check'
import { isRecord } from '../../../rules/core/request-rules.ts'
import { at } from '../../../schemas/pointer.ts'
import { probes } from '../../../schemas/records/intents.ts'
import { type Case, type CaseContext, NotRun } from '../../case.ts'
import { draw, subSeed } from '../../generate/drawing.ts'
import { fieldOf } from '../../generate/fields.ts'
import { lift } from '../../generate/values/body.ts'
import { ALLOWED, HARD, longText } from '../../generate/values/text.ts'
import { createControl, isBroken, openControl } from '../../request/control.ts'
import { type GoodRequest, openGoodRequest } from '../../request/good-request.ts'
import { probeField } from '../../request/probe-field.ts'
import { readBack, reader, storedBy } from '../../request/read-back.ts'
import { otherConfigs, otherKinds } from './other-configs.ts'

/** Plain texts of any characters that the pattern of titles allows. */
const words = fc
  .string({ minLength: 1, maxLength: 40, unit: fc.constantFrom(...ALLOWED) })
  .map((text) => text.trim() || 'a')
const changes = fc.record({
  title: words,
  description: words,
  deploy_type: fc.constantFrom('saas', 'local'),
})

/** Good values that are often stored otherwise than they were sent: long ones, marks, other scripts, blanks at the ends. */
const HARD_CHANGES: readonly Readonly<Record<string, unknown>>[] = [
  { title: longText(512), description: HARD, deploy_type: 'local' },
  { title: HARD, description: longText(1_500), deploy_type: 'saas' },
  { title: ' A ', description: ' Ab c ', deploy_type: 'local' },
]

/** Updates with other good values each time, each read back. */
async function replaceAndRead(context: CaseContext, operation: string, type: string): Promise<void> {
  const { good, control } = await openControl(context, operation)
  const { params } = await good.request()
  // What a read shows before is what it has to show afterwards.
  await readBack(context, reader(context, type, 'read'), params, control.group)
  await control.mustAccept()
  await readBack(context, reader(context, type, 'read'), params, control.group)
  const rounds = Math.max(2, Math.ceil(context.runs / 4))
  const drawn = draw(changes, subSeed(context.seed, 'changes'), rounds)
  const configs = otherConfigs(context, (await good.request()).body, type)
  for (const change of [...drawn, ...HARD_CHANGES, ...configs, ...(await otherInputs(context, good, type))]) {
    await control.probe({ kind: 'base' }, ({ body }) => ({ body: { ...(body as object), ...change } }))
    await readBack(context, reader(context, type, 'read'), params, control.group)
  }
}

/** Two transforms upstream, the newer one first, then none; nothing where they cannot be had. */
async function otherInputs(context: CaseContext, good: GoodRequest, type: string): Promise<{ inputs: string[] }[]> {
  const { params, body } = await good.request()
  if (type !== 'transform' || !Array.isArray(at(body, '/inputs'))) return []
  const { [context.binding.resources.get(type)?.id ?? '']: _own, ...parents } = params
  try {
    const [older, newer] = [await context.make(type, parents), await context.make(type, parents)]
    return older.id === newer.id ? [] : [{ inputs: [newer.id, older.id] }, { inputs: [] }]
  } catch (thrown) {
    if (thrown instanceof NotRun) return []
    throw thrown
  }
}

export const updateCases: readonly Case[] = [
  {
    id: 'update-transform/replaces',
    title: 'what an update of a transform sends is what a later read shows',
    run: (context) => replaceAndRead(context, 'update-transform', 'transform'),
  },
  {
    id: 'update-source/replaces',
    title: 'what an update of a source sends is what a later read shows',
    run: (context) => replaceAndRead(context, 'update-source', 'source'),
  },
]

type Change = Readonly<Record<string, unknown>>

/**
 * Sends a configuration, another one, and the first one again, each read back. The other one has a further field that
 * only this run can have made. A target may refuse it or leave it out; then it is the one of another kind.
 */
async function sendBetween(context: CaseContext, operation: string, type: string): Promise<void> {
  const { good, control } = await openControl(context, operation)
  await control.mustAccept()
  const { params, body } = await good.request()
  const usual = isRecord(body) ? body.user_config : undefined
  if (!isRecord(usual)) {
    throw new NotRun(
      'gap-unanswered',
      'the binding has no configuration to change (GAP-USER-CONFIG)',
      'GAP-USER-CONFIG',
    )
  }
  const about = { group: control.group, probe: probes.leftovers }
  /** Whether something was found. */
  const send = async (change: Change): Promise<boolean> => {
    const { view } = await control.probe({ kind: 'observe', probe: probes.leftovers }, (request) => ({
      body: { ...(request.body as object), ...change },
    }))
    if (!view.accepted) return false
    const { judgements } = await readBack(context, reader(context, type, 'read'), params, about)
    return isBroken(judgements)
  }
  const own = context.label()
  await send({ user_config: usual })
  for (const change of [{ user_config: { ...usual, [own]: own } }, ...otherKinds(context, body, type)]) {
    await send(change)
    // After a refusal as well: what came of it may not be known.
    if (await send({ user_config: usual })) return
  }
}

export const leftoverCases: readonly Case[] = [
  {
    id: 'update-transform/leftovers',
    title: 'an update of a transform leaves nothing of the configuration that was there before',
    run: (context) => sendBetween(context, 'update-transform', 'transform'),
  },
  {
    id: 'update-source/leftovers',
    title: 'an update of a source leaves nothing of the configuration that was there before',
    run: (context) => sendBetween(context, 'update-source', 'source'),
  },
]

const text = fc.string({
  minLength: 1,
  maxLength: 30,
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'),
})

/** Parts of a gateway route: each field alone first, then random subsets. */
const routeParts = fc.oneof(
  fc.record({ title: text }),
  fc.record({ description: text }),
  fc.record({ legacy_routing: fc.boolean() }),
  fc.record({ title: text, description: text, legacy_routing: fc.boolean() }, { requiredKeys: [] }),
)

const variables = fc.dictionary(
  fc.constantFrom('assay_a', 'assay_b', 'assay_c', 'assay_d'),
  fc.oneof(text, fc.integer(), fc.boolean()),
  {
    minKeys: 1,
    maxKeys: 3,
  },
)

export const partialUpdateCases: readonly Case[] = [
  {
    id: 'update-gateway-route/partial',
    title: 'a patch of a gateway route changes the fields that it sends and leaves the others',
    async run(context) {
      const { good, control } = await openControl(context)
      const { params } = await good.request()
      const read = (): Promise<unknown> =>
        readBack(context, reader(context, 'gateway-route', 'read'), params, control.group)
      // What a read shows before is what it has to show afterwards.
      await read()
      await control.mustAccept()
      await read()
      const walk = [
        { title: 'one' },
        { description: 'two' },
        { legacy_routing: true },
        { title: 'three', description: 'four' },
        { legacy_routing: false },
        { title: HARD },
        { title: longText(512), description: HARD },
      ]
      const random = draw(routeParts, subSeed(context.seed, 'parts'), Math.ceil(context.runs / 2))
      for (const body of [...walk, ...random]) {
        await control.probe({ kind: 'base' }, () => ({ body }))
        await read()
      }
    },
  },
  {
    id: 'update-state-variables/partial',
    title: 'a patch of state variables changes those that it names and leaves the others',
    async run(context) {
      const { good, control } = await openControl(context)
      const { params } = await good.request()
      const patch = (state: Record<string, unknown>): Promise<unknown> =>
        control.probe({ kind: 'base' }, ({ body }) => ({ body: { ...(body as object), state } }))
      const walk = [
        { assay_a: 'one', assay_b: 'two', assay_c: 3 },
        { assay_a: 'other' },
        { assay_b: 'new', assay_c: 4 },
        { assay_c: 0, assay_d: false },
        { assay_a: HARD, assay_c: longText(1_500) },
      ]
      const random = draw(variables, subSeed(context.seed, 'variables'), Math.ceil(context.runs / 2))
      for (const state of [...walk, ...random]) {
        await patch(state)
        await readBack(context, 'get-state-variables', params, control.group)
      }
    },
  },
]

const keys = fc.string({
  minLength: 1,
  maxLength: 64,
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'),
})

export const signingKeyCases: readonly Case[] = [
  {
    id: 'add-signing-key/adds',
    title: 'signing keys are added to a gateway route, one after the other',
    async run(context) {
      const { good, control } = await openControl(context)
      const reads = reader(context, 'gateway-route', 'read')
      const shows = (id = ''): boolean => context.binding.operations.get(id)?.answer.signing_keys !== undefined
      const look = async (): Promise<void> => {
        if (!shows(reads)) return
        const { params } = await good.request()
        await readBack(context, reads, params, control.group, 'until-new')
      }
      await control.mustAccept()
      await look()
      // Where only the answers to additions show the keys, the third tells of the first two.
      const least = shows(good.operation.id) && !shows(reads) ? 2 : 1
      const more = draw(keys, subSeed(context.seed, 'keys'), Math.max(least, Math.ceil(context.runs / 8)))
      for (const key of more) await control.probe({ kind: 'base' }, () => ({ body: { key } }))
      await look()
      // Keys are no part of what a patch may change.
      const { params } = await good.request()
      const body = { title: context.label() }
      await context.send({
        operation: 'update-gateway-route',
        params,
        body,
        intent: { kind: 'base', group: context.group() },
      })
      await look()
    },
  },
]

interface Kind {
  readonly operation: string
  readonly node: 'transform' | 'source'
  readonly schema: string
  readonly gap: string
  readonly unknown: string
  readonly accepted: string
  readonly stored: string
}

const KINDS: readonly Kind[] = [
  {
    operation: 'update-transform',
    node: 'transform',
    schema: 'node#transform_kind',
    gap: 'GAP-TRANSFORM-KIND-FIELD',
    unknown: 'NODE-TRANSFORM-KIND',
    accepted: 'NODE-TRANSFORM-KIND-ACCEPTED',
    stored: 'TRANSFORM-UPDATE-REPLACES',
  },
  {
    operation: 'update-source',
    node: 'source',
    schema: 'node#source_kind',
    gap: 'GAP-SOURCE-KIND-FIELD',
    unknown: 'NODE-SOURCE-KIND',
    accepted: 'NODE-SOURCE-KIND-ACCEPTED',
    stored: 'SOURCE-UPDATE-REPLACES',
  },
]

export const kindCases: readonly Case[] = KINDS.flatMap((kind): Case[] => [
  {
    id: `${kind.operation}/unknown-kind`,
    title: `an unknown ${kind.node} kind is refused`,
    async run(context) {
      const name = context.answer<string>(kind.gap)
      const good = await openGoodRequest(context)
      await probeField(context, createControl(context, good), fieldOf(kind.schema, ''), {
        operation: kind.operation,
        pointer: `/${name}`,
        acceptance: false,
        place: ({ body }, value) => ({ body: lift(body, `/${name}`, value) }),
      })
    },
  },
  {
    id: `${kind.operation}/kinds`,
    title: `each ${kind.node} kind that the binding has a configuration for is accepted, and its configuration stored`,
    async run(context) {
      const name = context.answer<string>(kind.gap)
      const samples = context.answer<Record<string, Record<string, unknown>>>('GAP-USER-CONFIG')[kind.node] ?? {}
      const words = (context.binding.answers.get('GAP-VENDOR-KINDS')?.value ?? {}) as Record<string, string>
      const { good, control } = await openControl(context)
      const stored = context.wants(kind.stored) ? storedBy(context, good, control.group) : undefined
      await control.mustAccept()
      for (const [known, sample] of Object.entries(samples)) {
        const word = known.startsWith('vendor-') ? words[known] : known
        if (word === undefined) continue
        await control.probe(
          { kind: 'accept', requirement: kind.accepted, pointer: `/${name}`, edge: `kind ${known}` },
          ({ body }) => ({
            body: { ...(body as object), [name]: word, user_config: sample },
          }),
          stored?.read,
        )
      }
      await control.base()
    },
  },
])
