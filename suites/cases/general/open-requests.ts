import { isRecord } from '../../../rules/core/request-rules.ts'
import { at } from '../../../schemas/pointer.ts'
import type { IntentData } from '../../../schemas/types/intents.ts'
import type { Call, Case, CaseContext, CredentialChoice, Sent } from '../../case.ts'
import { type Control, openControl } from '../../request/control.ts'
import { otherKinds } from '../../request/other-configs.ts'
import type { ReadyRequest } from '../../request/other-requests.ts'
import { reader } from '../../request/read-back.ts'
import { otherId } from '../../request/unknown-id.ts'

/** Observes the answer to a request that the text does not mention. */
type Ask = (requirement: string, edge: string, change: (good: ReadyRequest) => Partial<Call>) => Promise<Sent>

interface Question {
  readonly operation: string
  /** what is not stated, for the title */
  readonly about: string
  run(ask: Ask, context: CaseContext, control: Control): Promise<void>
}

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = ({ body }: ReadyRequest): Fields => (isRecord(body) ? body : {})
const changed =
  (change: Fields) =>
  (good: ReadyRequest): Partial<Call> => ({ body: { ...fieldsOf(good), ...change } })

const UNKNOWN: CredentialChoice = { scheme: 'access-token', variant: 'unknown' }
const TOKEN: CredentialChoice = { scheme: 'access-token', variant: 'right' }
const SERVICE: CredentialChoice = { scheme: 'service-key', variant: 'right' }

/** What the text leaves open of the operations that it gives paths for, each beside an accepted good request. */
const QUESTIONS: readonly Question[] = [
  {
    operation: 'update-preset-alert',
    about: 'names of time zones and ids of preset alerts',
    async run(ask) {
      for (const timezone of ['Nowhere/Land', 'UTC+1', '']) {
        await ask('CHANNEL-TIMEZONE-NAME', `timezone ${JSON.stringify(timezone)}`, (good) => {
          const channels = at(good.body, '/channels')
          const [first, ...rest] = Array.isArray(channels) ? channels : []
          return changed({ channels: [{ ...(isRecord(first) ? first : {}), timezone }, ...rest] })(good)
        })
      }
      await ask('GAP-PRESET-UNKNOWN', 'an id that nothing has', ({ params }) => ({
        params: { ...params, presetId: otherId(params.presetId ?? '') },
      }))
    },
  },
  {
    operation: 'update-transform',
    about: 'other inputs, kinds and generations, fields left out and ids of another pipeline',
    async run(ask, context, control) {
      const id = ({ params }: ReadyRequest): string => params.pipeline_transform_id ?? ''
      await ask('NODE-INPUTS-UPSTREAM', 'an id of nothing', (good) => changed({ inputs: [otherId(id(good))] })(good))
      await ask('NODE-INPUTS-UPSTREAM', 'its own id', (good) => changed({ inputs: [id(good)] })(good))
      const other = await context.make('pipeline')
      await ask('GAP-OTHER-PIPELINE', 'a transform of another pipeline', ({ params }) => ({
        params: { ...params, ...other.params },
      }))
      await ask('GAP-CHECK-ORDER', 'an unknown id and a title that is too long', (good) => ({
        ...changed({ title: 'x'.repeat(513) })(good),
        params: { ...good.params, pipeline_transform_id: otherId(id(good)) },
      }))
      await ask('GAP-CHECK-ORDER', 'an unknown token and a title that is too long', (good) => ({
        ...changed({ title: 'x'.repeat(513) })(good),
        credentials: [UNKNOWN],
      }))
      await askOfNode(ask, context, control, 'transform')
    },
  },
  {
    operation: 'update-source',
    about: 'inputs, other kinds and generations, and fields left out',
    async run(ask, context, control) {
      await ask('SOURCE-UPDATE-NO-INPUTS', 'a list without inputs', changed({ inputs: [] }))
      await ask('SOURCE-UPDATE-NO-INPUTS', 'an input of nothing', (good) =>
        changed({ inputs: [otherId(good.params.pipeline_source_id ?? '')] })(good),
      )
      await askOfNode(ask, context, control, 'source')
    },
  },
  {
    operation: 'start-tap',
    about: 'filters that are no group of expressions',
    async run(ask) {
      for (const [edge, filter] of [
        ['a text', 'assay'],
        ['an empty object', {}],
        ['another operator', { expressions: [], logical_operation: 'XOR' }],
      ] as const) {
        await ask('TAP-FILTER-GROUP', edge, changed({ limit: 1, timeout: 1, filter }))
      }
    },
  },
  {
    operation: 'add-group-to-pipeline',
    about: 'a group that is placed a second time',
    async run(ask) {
      await ask('GAP-PLACED-TWICE', 'the same group in the same pipeline', () => ({}))
    },
  },
  {
    operation: 'update-gateway-route',
    about: 'other content types, service keys and HTTP Basic on v3',
    async run(ask, { schemes }) {
      for (const contentType of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/json; charset=latin1',
        null,
      ]) {
        await ask('REQUEST-CONTENT-TYPE-OTHER', contentType ?? 'none', () => ({ contentType }))
      }
      await ask('AUTH-BASIC', 'an access token as the user name', () => ({
        credentials: [{ ...TOKEN, form: 'basic' }],
      }))
      if (schemes.has('service-key'))
        await ask('AUTH-V3-SERVICE-KEY', 'a service key', () => ({ credentials: [SERVICE] }))
    },
  },
  {
    operation: 'list-usage-by-tag',
    about: 'two credentials at once, a service key in another header, HTTP Basic and other methods',
    async run(ask, { schemes }) {
      await ask('AUTH-BASIC', 'an access token as the user name', () => ({
        credentials: [{ ...TOKEN, form: 'basic' }],
      }))
      if (schemes.has('service-key')) {
        const wrong: CredentialChoice = { ...SERVICE, variant: 'unknown' }
        await ask('GAP-TWO-CREDENTIALS', 'a right token and a right service key', () => ({
          credentials: [TOKEN, SERVICE],
        }))
        await ask('GAP-TWO-CREDENTIALS', 'a right token and an unknown service key', () => ({
          credentials: [TOKEN, wrong],
        }))
        await ask('GAP-TWO-CREDENTIALS', 'an unknown token and a right service key', () => ({
          credentials: [UNKNOWN, SERVICE],
        }))
        await ask('AUTH-SERVICE-KEY-IN-AUTHORIZATION', 'the key alone', () => ({
          credentials: [{ ...SERVICE, form: 'bare' }],
        }))
      }
      // What reads something has nothing that another method could change.
      for (const method of ['OPTIONS', 'POST', 'PATCH']) await ask('GAP-OTHER-METHODS', method, () => ({ method }))
    },
  },
]

/** What an update of a node does with another kind, without a field, and with an old generation; a read tells. */
async function askOfNode(
  ask: Ask,
  context: CaseContext,
  control: Control,
  type: 'transform' | 'source',
): Promise<void> {
  const read = reader(context, type, 'read')
  const operation = context.binding.operations.get(read ?? '')
  const record = operation?.offered === true ? operation.answer.record : undefined
  const look = async (
    requirement: string,
    edge: string,
    params: ReadyRequest['params'],
    data: Pick<IntentData, 'shows' | 'sent' | 'before'>,
  ): Promise<void> => {
    if (read === undefined || record === undefined) return
    const intent = { kind: 'observe' as const, requirement, edge, data }
    await context.send({ operation: read, params, intent })
  }
  const { view: good } = await control.mustAccept()
  const before = good.request.kind === 'json' && isRecord(good.request.value) ? good.request.value : {}
  for (const field of ['description', 'user_config']) {
    if (before[field] === undefined) continue
    const { view } = await ask('GAP-REPLACE-UNSENT', `without ${field}`, (request) => {
      const { [field]: _, ...body } = fieldsOf(request)
      return { body }
    })
    if (view.accepted)
      await look('GAP-REPLACE-UNSENT', `after an update without ${field}`, view.params, {
        shows: `${record}/${field}`,
        before: before[field],
      })
    await control.mustAccept()
  }
  const generation = before.generation_id
  if (typeof generation === 'number') {
    const title = context.label()
    const { view } = await ask(
      'GAP-STALE-GENERATION',
      'an old generation',
      changed({ generation_id: generation, title }),
    )
    if (view.accepted)
      await look('GAP-STALE-GENERATION', 'after an update with an old generation', view.params, {
        shows: `${record}/title`,
        sent: title,
      })
  }
  const kindField = context.binding.answers.get(`GAP-${type.toUpperCase()}-KIND-FIELD`)?.value
  const [kind] = otherKinds(context, before, type)
  if (typeof kindField !== 'string' || !kind) return
  const requirement = `${type.toUpperCase()}-UPDATE-KIND`
  const { view } = await ask(requirement, 'another kind', changed(kind))
  if (view.accepted)
    await look(requirement, 'after an update with another kind', view.params, {
      shows: `${record}/${kindField}`,
      sent: kind[kindField],
      before: before[kindField],
    })
}

export const openRequestCases: readonly Case[] = QUESTIONS.map(({ operation, about, run }) => ({
  id: `${operation}/open`,
  title: `${about}: ${operation} answers in some way`,
  async run(context) {
    if (!context.observes) return
    const { control } = await openControl(context)
    await control.mustAccept()
    const ask: Ask = (requirement, edge, change) => control.probe({ kind: 'observe', requirement, edge }, change)
    await run(ask, context, control)
    await control.base()
  },
}))
