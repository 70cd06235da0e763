import type { Call } from '../../core/route.ts'
import { type State, things, within } from '../../model/state.ts'
import { afterwards, askedBody, handler, type Json, named, refused, stored, success } from '../core/changes.ts'
import { type Changes, each, type Fault, fault } from '../core/fault.ts'

const CREATE = 'create-group-from-pipeline'

/** A group is made of other transforms than were asked for. `all`: the ids of all transforms of the pipeline. */
const picked = each((change: (ids: readonly string[], all: readonly string[]) => readonly string[]) =>
  askedBody(CREATE, (sent, { state }) => {
    const all = within(state, 'transform', String(sent.pipeline_id)).map(({ id }) => id)
    const ids = (sent.pipeline_transform_ids ?? []) as string[]
    return all.length < ids.length ? sent : { ...sent, pipeline_transform_ids: change(ids, all) }
  }),
)

function copiesOf(revision: { readonly body: Json } | undefined): readonly Json[] {
  return (revision?.body.transforms ?? []) as readonly Json[]
}

/** Something that is wrong with the copies in a new group. */
const copies = each((spoil: (copy: Json, place: number, copies: readonly Json[]) => Json) =>
  afterwards(CREATE, ({ state }) => {
    const revision = [...things(state, 'group-revision').values()].at(-1)
    const all = copiesOf(revision)
    if (revision)
      revision.body = { ...revision.body, transforms: all.map((...copy) => ({ ...copy[0], ...spoil(...copy) })) }
  }),
)

/** A group shows its transforms as they are now. `shown`: what of them. */
const refers = each((shown: (now: Json, copy: Json) => Json): Changes => {
  const made = new WeakMap<State, { readonly ids: readonly string[]; readonly revision: string }[]>()
  return {
    handlers: {
      ...afterwards(CREATE, ({ state, body }) => {
        const revision = [...things(state, 'group-revision').keys()].at(-1) ?? ''
        const ids = (body as Json).pipeline_transform_ids as string[]
        made.set(state, [...(made.get(state) ?? []), { ids, revision }])
      }).handlers,
      ...afterwards('update-transform', (call) => {
        const now = named(call, 'transform')
        for (const { ids, revision: id } of made.get(call.state) ?? []) {
          const revision = things(call.state, 'group-revision').get(id)
          const place = ids.indexOf(now?.id ?? '')
          if (!now || !revision || place === -1) continue
          const copied = copiesOf(revision).map((copy, at) =>
            at === place ? { ...copy, ...shown(now.body, copy) } : copy,
          )
          revision.body = { ...revision.body, transforms: copied }
        }
      }).handlers,
    },
  }
})

const placed = each((change: Parameters<typeof askedBody>[1]) => askedBody('add-group-to-pipeline', change))

const moved = each((change: Parameters<typeof stored>[1]) => stored('switch-group-revision', change))

/** Whether a placed group is to move to another revision than it has. */
function isElsewhere(call: Call): boolean {
  const now = named(call, 'placed-group')?.body.transform_group_revision_id
  return (call.body as Json).transform_group_revision_id !== now
}

/** A read that is right the first time only. */
const fades = each(({ operation, values }: { operation: string; values: Json }) => {
  const seen = new Set<string>()
  return success(operation, (answer, request) => {
    const json = answer.json as { readonly data: Json }
    const key = `${request.path}?${request.search} ${JSON.stringify(json.data)}`
    if (seen.has(key)) return { ...answer, json: { ...json, data: { ...json.data, ...values } } }
    seen.add(key)
    return answer
  })
})

/** Faults in what groups hold that are made of a pipeline, and in how they are placed and moved to another revision. */
export const groupFaults: readonly Fault[] = [
  picked(
    'group-copies-newest',
    'GROUP-CREATE-COPIES',
    'a group copies the newest transforms of its pipeline',
    (ids, all) => all.slice(all.length - ids.length),
  ),
  picked(
    'group-whole-pipeline',
    'GROUP-CREATE-COPIES',
    'a group copies all transforms of its pipeline',
    (_, all) => all,
  ),
  copies(
    'group-copies-first-kind',
    'GROUP-CREATE-COPIES',
    'copies are all of the kind of the first',
    (copy, _, all) => ({
      type: all[0]?.type ?? copy.type,
    }),
  ),
  copies(
    'group-copies-configs-rotated',
    'GROUP-CREATE-COPIES',
    'each copy in a processor group has the configuration of the one after it',
    (copy, place, all) => ({ user_config: all[(place + 1) % all.length]?.user_config ?? copy.user_config }),
  ),
  fault(
    'group-moves-transforms',
    'GROUP-CREATE-KEEPS GROUP-CREATE-COPIES',
    'a processor group takes the listed transforms out of their pipeline',
    afterwards(CREATE, ({ state, body }) => {
      for (const id of (body as Json).pipeline_transform_ids as string[]) things(state, 'transform').delete(id)
    }),
  ),
  refers(
    'group-refers',
    'GROUP-CREATE-COPIES',
    'a processor group shows the transforms that it was made of as they are now',
    ({ type, user_config }) => ({ type, user_config }),
  ),
  refers(
    'group-refers-fields',
    'GROUP-CREATE-COPIES',
    'a copy in a processor group gains the fields that the configuration of its original gains',
    ({ user_config: now }, { user_config: own }) => ({ user_config: { ...(now as Json), ...(own as Json) } }),
  ),
  refers(
    'group-refers-texts',
    'GROUP-CREATE-COPIES',
    'a processor group shows titles and descriptions of the transforms that it was made of as they are now',
    ({ title, description }) => ({ title, description }),
  ),
  placed('placement-fed-twice', 'PLACEMENT-PLACES', 'a placed group is fed from each input twice', (sent) => {
    const inputs = (sent.inputs ?? []) as string[]
    return { ...sent, inputs: [...inputs, ...inputs] }
  }),
  ...(['BadRequest', 'Conflict'] as const).map((code) =>
    fault(
      `revision-${code === 'Conflict' ? 'busy' : 'stays'}`,
      'REVISION-MOVES',
      `a placed group moves to no other revision than its own (${code})`,
      refused('switch-group-revision', isElsewhere, code),
    ),
  ),
  fault(
    'revision-latest',
    'REVISION-MOVES',
    'a placed group moves to the latest revision whatever is sent',
    handler('switch-group-revision', (inner) => (call) => {
      const group = named(call, 'placed-group')?.body.transform_group_id
      const latest = within(call.state, 'group-revision', String(group)).at(-1)
      const sent = call.body as Json
      return inner(latest ? { ...call, body: { ...sent, transform_group_revision_id: latest.id } } : call)
    }),
  ),
  moved(
    'revision-inputs-added',
    'REVISION-INPUTS-SET',
    'a move to another revision adds its inputs',
    (now, before) => ({
      ...now,
      inputs: [...(before.inputs as string[]), ...(now.inputs as string[])],
    }),
  ),
  fades('get-placed-group-fades', 'PLACEMENT-READ PLACEMENT-PLACES', 'the inputs of a placed group are shown once', {
    operation: 'get-placed-group',
    values: { inputs: [] },
  }),
  fades(
    'get-state-variables-fades',
    'STATEVAR-READ STATEVAR-APPLIES STATEVAR-PARTIAL',
    'state variables are shown once',
    {
      operation: 'get-state-variables',
      values: { state: {} },
    },
  ),
]
