import { isRecord } from '../../../rules/core/request-rules.ts'
import { readData } from '../../../schemas/load.ts'
import { without } from '../../../schemas/pointer.ts'
import type { IntentData } from '../../../schemas/types/intents.ts'
import type { Call, Case, CaseContext, Sent } from '../../case.ts'
import { lift } from '../../generate/values/body.ts'
import { type Control, openControl } from '../../request/control.ts'
import { otherKinds } from '../../request/other-configs.ts'
import type { ReadyRequest } from '../../request/other-requests.ts'
import { reader } from '../../request/read-back.ts'
import { otherId } from '../../request/unknown-id.ts'

/** Observes the answer to a request that the text does not mention. */
type Ask = (requirement: string, edge: string, change: (good: ReadyRequest) => Partial<Call>) => Promise<Sent>

/** One of these requests: the good one, changed. Its values may name parameters of the path, and others like them. */
interface Open extends Pick<Call, 'credentials' | 'method' | 'contentType'> {
  readonly requirement: string
  readonly edge: string
  /** place in the body -> the value that stands there */
  readonly set?: Readonly<Record<string, unknown>>
  readonly params?: Readonly<Record<string, string>>
  /** type of a thing that is made for it, and stands in the path */
  readonly of?: string
}

/** What the text leaves open of an operation that it gives a path for, each beside an accepted good request. */
interface Question {
  readonly operation: string
  /** what is not stated, for the title */
  readonly about: string
  readonly asks: readonly Open[]
  /** a node: other kinds of it, and what is left of it */
  readonly node?: 'transform' | 'source'
}

const TOO_LONG = 513

async function askOpenly(ask: Ask, context: CaseContext, open: Open): Promise<void> {
  const { requirement, edge, set = {}, params, of, ...rest } = open
  if (rest.credentials?.some(({ scheme }) => scheme === 'service-key') && !context.schemes.has('service-key')) return
  const made = of === undefined ? {} : (await context.make(of)).params
  await ask(requirement, edge, (good) => {
    const others = Object.entries(good.params).map(([name, id]) => [`other-${name}`, otherId(id)])
    const values = { ...good.params, ...Object.fromEntries(others), 'too-long': 'x'.repeat(TOO_LONG) }
    const own = context.fill(params ?? {}, values) as Record<string, string>
    const body = Object.entries(set).reduce(
      (all, [place, value]) => lift(all, place, context.fill(value, values)),
      good.body,
    )
    return { ...rest, params: { ...good.params, ...made, ...own }, body }
  })
}

const changed =
  (change: Readonly<Record<string, unknown>>) =>
  ({ body }: ReadyRequest): Partial<Call> => ({ body: { ...(isRecord(body) ? body : {}), ...change } })

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
      return { body: without(request.body, `/${field}`) }
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

export const openRequestCases: readonly Case[] = readData<readonly Question[]>('open-requests.json').map((row) => ({
  id: `${row.operation}/open`,
  title: `${row.about}: ${row.operation} answers in some way`,
  async run(context) {
    if (!context.observes) return
    const { control } = await openControl(context)
    await control.mustAccept()
    const ask: Ask = (requirement, edge, change) => control.probe({ kind: 'observe', requirement, edge }, change)
    for (const open of row.asks) await askOpenly(ask, context, open)
    if (row.node) await askOfNode(ask, context, control, row.node)
    await control.base()
  },
}))
