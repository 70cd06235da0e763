import { isRecord } from '../../../rules/core/request-rules.ts'
import { offered } from '../../../schemas/binding.ts'
import { readData } from '../../../schemas/load.ts'
import { without } from '../../../schemas/pointer.ts'
import type { IntentData } from '../../../schemas/types/intents.ts'
import type { Call, Case, CaseContext, Params, Sent } from '../../case.ts'
import { lift } from '../../generate/values/body.ts'
import { type Control, openControl, withFields } from '../../request/control.ts'
import { otherKinds } from '../../request/other-configs.ts'
import type { ReadyRequest } from '../../request/other-requests.ts'
import { otherId } from '../../request/unknown-id.ts'

/** Observes the answer to a request that the text does not mention. */
type Ask = (requirement: string, edge: string, change: (good: ReadyRequest) => Partial<Call>) => Promise<Sent>

/** One of these requests: the good one, changed. Its values may name parameters of the path, and others like them. */
interface Open extends Pick<Call, 'credentials' | 'method' | 'contentType'> {
  readonly requirement: string
  readonly edge: string
  /** place in the body -> the value that stands there */
  readonly set?: Readonly<Record<string, unknown>>
  readonly params?: Params
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

/** What an update of a node does with another kind, without a field, and with an old generation; a read tells. */
async function askOfNode(
  ask: Ask,
  context: CaseContext,
  control: Control,
  type: 'transform' | 'source',
): Promise<void> {
  const read = offered(context.binding, context.binding.resources.get(type)?.read)
  const record = read?.answer.record
  /** `field`: what tells, in a read, whether it was carried out */
  const askAndLook = async (
    requirement: string,
    edge: string,
    change: (good: ReadyRequest) => Partial<Call>,
    field: string,
    data: Pick<IntentData, 'sent' | 'before'>,
  ): Promise<void> => {
    const { view } = await ask(requirement, edge, change)
    if (!view.accepted || !read || record === undefined) return
    const after = `after an update ${edge.startsWith('without') ? edge : `with ${edge}`}`
    const shows = { shows: `${record}/${field}`, ...data }
    await context.send({
      operation: read.id,
      params: view.params,
      intent: { kind: 'observe', requirement, edge: after, data: shows },
    })
  }
  const { view: good } = await control.mustAccept()
  const before = good.request.kind === 'json' && isRecord(good.request.value) ? good.request.value : {}
  for (const field of ['description', 'user_config']) {
    if (before[field] === undefined) continue
    const leaveOut = ({ body }: ReadyRequest): Partial<Call> => ({ body: without(body, `/${field}`) })
    await askAndLook('GAP-REPLACE-UNSENT', `without ${field}`, leaveOut, field, { before: before[field] })
    await control.mustAccept()
  }
  const { generation_id } = before
  if (typeof generation_id === 'number') {
    const title = context.label()
    const old = withFields({ generation_id, title })
    await askAndLook('GAP-STALE-GENERATION', 'an old generation', old, 'title', { sent: title })
  }
  const field = context.binding.answers.get(`GAP-${type.toUpperCase()}-KIND-FIELD`)?.value
  const [kind] = otherKinds(context, before, type)
  if (typeof field !== 'string' || !kind) return
  const told = { sent: kind[field], before: before[field] }
  await askAndLook(`${type.toUpperCase()}-UPDATE-KIND`, 'another kind', withFields(kind), field, told)
}

export const openRequestCases: readonly Case[] = readData<readonly Question[]>('open-requests.json').map((row) => ({
  id: `${row.operation}/open`,
  title: `${row.about}: ${row.operation} answers in some way`,
  async run(context) {
    if (!context.observes) return
    const { control } = await openControl(context)
    const ask: Ask = (requirement, edge, change) => control.probe({ kind: 'observe', requirement, edge }, change)
    for (const open of row.asks) await askOpenly(ask, context, open)
    if (row.node) await askOfNode(ask, context, control, row.node)
    await control.end()
  },
}))
