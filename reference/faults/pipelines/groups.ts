import { isPending } from '../../core/message.ts'
import { bodyOf } from '../../core/route.ts'
import type { Node } from '../../model/pipelines.ts'
import type { State } from '../../model/state.ts'
import { afterwards, askedBody, status } from '../core/changes.ts'
import type { Changes, Fault } from '../core/fault.ts'

/** Something that is wrong with the copies in a new group. */
function spoiltCopies(spoil: (copy: Node, place: number, copies: readonly Node[]) => Partial<Node>): Fault['changes'] {
  return afterwards(
    'create-group-from-pipeline',
    () => undefined,
    ({ state }) => {
      const revision = [...state.groups.values()].at(-1)?.revisions[0]
      const copies = revision?.transforms ?? []
      if (revision) {
        Object.assign(revision, {
          transforms: copies.map((copy, place) => ({ ...copy, ...spoil(copy, place, copies) })),
        })
      }
    },
  )
}

/** What stands in a group is what its transforms are now. `shown`: what of them. */
function refers(
  shown: (now: Node, copy: Node) => Partial<Node> = ({ kind, userConfig }) => ({ kind, userConfig }),
): Changes {
  const made = new WeakMap<State, { readonly ids: readonly string[]; readonly copies: readonly Node[] }[]>()
  const noted = afterwards(
    'create-group-from-pipeline',
    ({ body }) => (body as { pipeline_transform_ids: string[] }).pipeline_transform_ids,
    ({ state }, ids) => {
      const copies = [...state.groups.values()].at(-1)?.revisions[0]?.transforms ?? []
      made.set(state, [...(made.get(state) ?? []), { ids, copies }])
    },
  )
  return {
    handlers: {
      ...noted.handlers,
      'update-transform': (inner) => (call) => {
        const reply = inner(call)
        const { state, params } = call
        const id = params.pipeline_transform_id ?? ''
        const now = state.pipelines.get(params.pipeline_id ?? '')?.transforms.get(id)
        for (const { ids, copies } of isPending(reply) ? [] : (made.get(state) ?? [])) {
          const copy = copies[ids.indexOf(id)]
          if (copy && now) Object.assign(copy, shown(now, copy))
        }
        return reply
      },
    },
  }
}

/** Faults in what the groups that are made of a pipeline hold. */
export const groupFaults: readonly Fault[] = [
  {
    name: 'group-created',
    about: 'the creation of a processor group is answered with 201',
    kills: ['GROUP-CREATE-STATUS'],
    changes: status('create-group-from-pipeline', 201),
  },
  {
    name: 'group-copies-newest',
    about: 'a processor group gets copies of the newest transforms of its pipeline, as many as were listed',
    kills: ['GROUP-CREATE-COPIES'],
    changes: askedBody('create-group-from-pipeline', (sent, { state }) => {
      const all = [...(state.pipelines.get(String(sent.pipeline_id))?.transforms.keys() ?? [])]
      const { length } = (sent.pipeline_transform_ids ?? []) as string[]
      return all.length < length ? sent : { ...sent, pipeline_transform_ids: all.slice(all.length - length) }
    }),
  },
  {
    name: 'group-copies-oldest',
    about: 'a processor group gets copies of the oldest transforms of its pipeline, as many as were listed',
    kills: ['GROUP-CREATE-COPIES'],
    changes: askedBody('create-group-from-pipeline', (sent, { state }) => {
      const all = [...(state.pipelines.get(String(sent.pipeline_id))?.transforms.keys() ?? [])]
      const { length } = (sent.pipeline_transform_ids ?? []) as string[]
      return all.length < length ? sent : { ...sent, pipeline_transform_ids: all.slice(0, length) }
    }),
  },
  {
    name: 'group-copies-unconfigured',
    about: 'the copies in a processor group have no configuration',
    kills: ['GROUP-CREATE-COPIES'],
    changes: spoiltCopies(() => ({ userConfig: {} })),
  },
  {
    name: 'group-copies-first-config',
    about: 'the copies in a processor group all have the configuration of the first one',
    kills: ['GROUP-CREATE-COPIES'],
    changes: spoiltCopies((copy, _, [first]) => ({ userConfig: first?.userConfig ?? copy.userConfig })),
  },
  {
    name: 'group-copies-first-kind',
    about: 'the copies in a processor group are all of the kind of the first one',
    kills: ['GROUP-CREATE-COPIES'],
    changes: spoiltCopies((copy, _, [first]) => ({ kind: first?.kind ?? copy.kind })),
  },
  {
    name: 'group-copies-configs-rotated',
    about: 'each copy in a processor group has the configuration of the one after it',
    kills: ['GROUP-CREATE-COPIES'],
    changes: spoiltCopies((copy, place, copies) => ({
      userConfig: copies[(place + 1) % copies.length]?.userConfig ?? copy.userConfig,
    })),
  },
  {
    name: 'group-first-only',
    about: 'a processor group gets a copy of the first listed transform only',
    kills: ['GROUP-CREATE-COPIES'],
    changes: askedBody('create-group-from-pipeline', (sent) => ({
      ...sent,
      pipeline_transform_ids: (sent.pipeline_transform_ids as string[]).slice(0, 1),
    })),
  },
  {
    name: 'group-whole-pipeline',
    about: 'a processor group gets copies of all transforms of its pipeline',
    kills: ['GROUP-CREATE-COPIES'],
    changes: askedBody('create-group-from-pipeline', (sent, { state }) => {
      const all = state.pipelines.get(String(sent.pipeline_id))?.transforms.keys()
      return all ? { ...sent, pipeline_transform_ids: [...all] } : sent
    }),
  },
  {
    name: 'group-empty',
    about: 'a processor group is created without its transforms',
    kills: ['GROUP-CREATE-COPIES'],
    changes: afterwards(
      'create-group-from-pipeline',
      () => undefined,
      ({ state }) => {
        const revision = [...state.groups.values()].at(-1)?.revisions[0]
        if (revision) Object.assign(revision, { transforms: [] })
      },
    ),
  },
  {
    name: 'group-moves-transforms',
    about: 'a processor group takes the listed transforms out of their pipeline',
    kills: ['GROUP-CREATE-COPIES', 'GROUP-CREATE-KEEPS'],
    changes: afterwards(
      'create-group-from-pipeline',
      () => undefined,
      (call) => {
        const { pipeline_id: id, pipeline_transform_ids: ids } = bodyOf(call)
        for (const one of ids as string[]) call.state.pipelines.get(String(id))?.transforms.delete(one)
      },
    ),
  },
  {
    name: 'group-refers',
    about: 'a processor group shows the transforms that it was made of as they are now',
    kills: ['GROUP-CREATE-COPIES'],
    changes: refers(),
  },
  {
    name: 'group-refers-fields',
    about: 'a copy in a processor group gains the fields that the configuration of its original gains',
    kills: ['GROUP-CREATE-COPIES'],
    changes: refers(({ userConfig }, copy) => ({ userConfig: { ...userConfig, ...copy.userConfig } })),
  },
  {
    name: 'group-refers-texts',
    about: 'a processor group shows titles and descriptions of the transforms that it was made of as they are now',
    kills: ['GROUP-CREATE-COPIES'],
    changes: refers(({ title, description }) => ({ title, description })),
  },
]
