import { isPending } from '../core/message.ts'
import type { Node } from '../model/pipelines.ts'
import type { State } from '../model/state.ts'
import { afterwards, askedBody } from './core/changes.ts'
import type { Changes, Fault } from './core/fault.ts'

type Json = Readonly<Record<string, unknown>>

/** An update of a node, told how the node was. */
function replacing(word: 'transform' | 'source', name: string, about: string, keep: (sent: Json, node: Node) => Json) {
  return {
    name: `${word}-${name}`,
    about,
    kills: [`${word.toUpperCase()}-UPDATE-REPLACES`],
    changes: askedBody(`update-${word}`, (sent, { state, params }) => {
      const pipeline = state.pipelines.get(params.pipeline_id ?? '')
      const node = pipeline?.[`${word}s`].get(params[`pipeline_${word}_id`] ?? '')
      return node ? keep(sent, node) : sent
    }),
  }
}

/** The configuration stays as long as the kind does. */
function configOfKind(word: 'transform' | 'source'): Fault {
  return replacing(
    word,
    'config-kept-of-kind',
    `a ${word} that stays of its kind keeps its configuration`,
    (sent, node) => (sent.type === node.kind ? { ...sent, user_config: node.userConfig } : sent),
  )
}

/** What the configuration was before stays where the new one does not name it. `when`: for which updates that is so. */
function merged(
  word: 'transform' | 'source',
  name: string,
  about: string,
  when: (sent: Json, node: Node) => boolean,
): Fault {
  return replacing(word, name, about, (sent, node) =>
    when(sent, node) ? { ...sent, user_config: { ...node.userConfig, ...(sent.user_config as object) } } : sent,
  )
}

const mergeFaults: readonly Fault[] = (['transform', 'source'] as const).flatMap((word) => [
  merged(word, 'config-merged', `an update of a ${word} merges its configuration with the old one`, () => true),
  merged(
    word,
    'config-merged-of-kind',
    `a ${word} that stays of its kind merges its configuration with the old one`,
    (sent, node) => sent.type === node.kind,
  ),
  merged(
    word,
    'config-merged-across-kinds',
    `a ${word} that becomes one of another kind keeps what it was configured with as well`,
    (sent, node) => sent.type !== node.kind,
  ),
])

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

/** Faults in what an update leaves as it was, and in what it reaches beside what it names. */
export const replacementFaults: readonly Fault[] = [
  configOfKind('transform'),
  configOfKind('source'),
  ...mergeFaults,
  replacing('transform', 'last-input-kept', 'the last inputs of a transform cannot be taken away', (sent, node) =>
    Array.isArray(sent.inputs) && sent.inputs.length === 0 ? { ...sent, inputs: node.inputs } : sent,
  ),
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
  {
    name: 'state-falsy-ignored',
    about: 'state variables that are set to 0, false or nothing keep their values',
    kills: ['STATEVAR-APPLIES'],
    changes: askedBody('update-state-variables', (sent) => ({
      ...sent,
      state: Object.fromEntries(Object.entries((sent.state ?? {}) as object).filter(([, value]) => Boolean(value))),
    })),
  },
]
