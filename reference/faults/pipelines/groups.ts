import type { RefusalCode } from '../../core/refusal.ts'
import type { Call } from '../../core/route.ts'
import { type State, things, within } from '../../model/state.ts'
import { afterwards, askedBody, type Json, named, refused, stored, success } from '../core/changes.ts'
import type { Changes } from '../core/fault.ts'
import type { Coded } from '../core/rows.ts'

const CREATE = 'create-group-from-pipeline'

/** A group is made of other transforms than were asked for. `all`: the ids of all transforms of the pipeline. */
function picked(change: (ids: readonly string[], all: readonly string[]) => readonly string[]): Changes {
  return askedBody(CREATE, (sent, { state }) => {
    const all = within(state, 'transform', String(sent.pipeline_id)).map(({ id }) => id)
    const ids = (sent.pipeline_transform_ids ?? []) as string[]
    return all.length < ids.length ? sent : { ...sent, pipeline_transform_ids: change(ids, all) }
  })
}

function copiesOf(revision: { readonly body: Json } | undefined): readonly Json[] {
  return (revision?.body.transforms ?? []) as readonly Json[]
}

/** Something that is wrong with the copies in a new group. */
function copies(spoil: (copy: Json, place: number, copies: readonly Json[]) => Json): Changes {
  return afterwards(CREATE, ({ state }) => {
    const revision = [...things(state, 'group-revision').values()].at(-1)
    const all = copiesOf(revision)
    if (revision)
      revision.body = { ...revision.body, transforms: all.map((...copy) => ({ ...copy[0], ...spoil(...copy) })) }
  })
}

/** A group shows its transforms as they are now. `shown`: what of them. */
function refers(shown: (now: Json, copy: Json) => Json): Changes {
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
}

/** The listed transforms are taken out of their pipeline. */
const movesTransforms = afterwards(CREATE, ({ state, body }) => {
  for (const id of (body as Json).pipeline_transform_ids as string[]) things(state, 'transform').delete(id)
})

/** A placed group moves to no other revision than its own. */
function stays(code: RefusalCode): Changes {
  const isElsewhere = (call: Call): boolean => {
    const now = named(call, 'placed-group')?.body.transform_group_revision_id
    return (call.body as Json).transform_group_revision_id !== now
  }
  return refused('switch-group-revision', isElsewhere, code)
}

/** A placed group moves to the latest revision whatever is sent. */
const toLatest = askedBody('switch-group-revision', (sent, call) => {
  const group = named(call, 'placed-group')?.body.transform_group_id
  const latest = within(call.state, 'group-revision', String(group)).at(-1)
  return latest ? { ...sent, transform_group_revision_id: latest.id } : sent
})

/** A read that is right the first time only. `values`: what it shows from then on. */
function fades(operation: string, values: Json): Changes {
  const seen = new Set<string>()
  return success(operation, (answer, request) => {
    const json = answer.json as { readonly data: Json }
    const key = `${request.path}?${request.search} ${JSON.stringify(json.data)}`
    if (seen.has(key)) return { ...answer, json: { ...json, data: { ...json.data, ...values } } }
    seen.add(key)
    return answer
  })
}

function inputsOf({ inputs = [] }: Json): readonly unknown[] {
  return inputs as unknown[]
}

/** Faults in what groups hold that are made of a pipeline, and in how they are placed and moved to another revision. */
export const groupFaults: Coded = {
  'group-copies-newest': picked((ids, all) => all.slice(all.length - ids.length)),
  'group-whole-pipeline': picked((_, all) => all),
  'group-copies-first-kind': copies((copy, _, all) => ({ type: all[0]?.type ?? copy.type })),
  'group-copies-configs-rotated': copies((copy, place, all) => {
    return { user_config: all[(place + 1) % all.length]?.user_config ?? copy.user_config }
  }),
  'group-moves-transforms': movesTransforms,
  'group-refers': refers(({ type, user_config }) => ({ type, user_config })),
  'group-refers-fields': refers(({ user_config: now }, { user_config: own }) => {
    return { user_config: { ...(now as Json), ...(own as Json) } }
  }),
  'group-refers-texts': refers(({ title, description }) => ({ title, description })),
  'placement-fed-twice': askedBody('add-group-to-pipeline', (sent) => {
    return { ...sent, inputs: [...inputsOf(sent), ...inputsOf(sent)] }
  }),
  'revision-stays': stays('BadRequest'),
  'revision-busy': stays('Conflict'),
  'revision-latest': toLatest,
  'revision-inputs-added': stored('switch-group-revision', (now, before) => {
    return { ...now, inputs: [...inputsOf(before), ...inputsOf(now)] }
  }),
  'get-placed-group-fades': fades('get-placed-group', { inputs: [] }),
  'get-state-variables-fades': fades('get-state-variables', { state: {} }),
}
