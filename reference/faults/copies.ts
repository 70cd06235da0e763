import type { Node } from '../model/pipelines.ts'
import { afterwards, askedBody } from './core/changes.ts'
import type { Fault } from './core/fault.ts'

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

/** Faults in which transforms a group is made of, and what of them. */
export const copyFaults: readonly Fault[] = [
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
]
