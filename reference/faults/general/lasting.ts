import { ledger } from '../../../schemas/ledger.ts'
import { isPending } from '../../core/message.ts'
import type { State } from '../../model/state.ts'
import type { Changes, Fault } from '../core/fault.ts'

/** Milliseconds until something that was right goes wrong. */
const LATER_MS = 400

type Things = readonly (readonly [map: Map<string, unknown>, id: string, thing: object])[]

/** Kinds of things, where they are kept, and what turns red where some are lost, or come back. */
interface Kind {
  readonly of: (state: State) => readonly Map<string, never>[]
  readonly lost: readonly string[]
  /** the operation that removes one, and what says that it is gone */
  readonly removal?: readonly [operation: string, requirement: string]
}

function collection(word: string, of: Kind['of'], remove = `delete-${word}`): Kind {
  const id = word.toUpperCase()
  return {
    of,
    lost: ['CREATE', 'GET', 'LIST', 'READ', 'UPDATE'].map((verb) => `${id}-${verb}`).filter((one) => ledger().has(one)),
    removal: [remove, `${id}-DELETE`],
  }
}

const within =
  <K extends 'sources' | 'transforms' | 'placedGroups'>(name: K): Kind['of'] =>
  ({ pipelines }) =>
    [...pipelines.values()].map((one) => one[name] as unknown as Map<string, never>)
const at =
  <K extends keyof State>(name: K): Kind['of'] =>
  (state) => [state[name] as unknown as Map<string, never>]

const KINDS: Readonly<Record<string, Kind>> = {
  board: collection('board', at('boards')),
  view: collection('view', at('views')),
  alert: collection('alert', at('alerts')),
  category: collection('category', ({ categories }) => Object.values(categories) as unknown as Map<string, never>[]),
  screen: { ...collection('screen', at('screens')), removal: ['delete-screen', 'SCREEN-DELETE-REMOVES'] },
  member: { ...collection('member', at('members')), removal: ['delete-member', 'MEMBER-DELETE-REMOVES'] },
  'preset-alert': {
    of: at('presets'),
    lost: ['PRESET-LIST', 'PRESET-CREATE-MAKES', 'PRESET-UPDATE-APPLIES', 'PRESET-READ'],
  },
  key: { of: at('keys'), lost: ['KEYS-CREATE'], removal: ['delete-key', 'KEYS-DELETE'] },
  'enterprise-key': {
    of: at('enterpriseKeys'),
    lost: ['ENT-KEYS-LIST-ALL', 'ENTERPRISE-KEYS-CREATE'],
    removal: ['delete-enterprise-key', 'ENTERPRISE-KEYS-DELETE'],
  },
  exclusion: {
    of: at('exclusions'),
    lost: ['EXCLUSION-LIST', 'EXCLUSION-READ', 'EXCLUSION-DROPS', 'EXCLUSION-UPDATE'],
    removal: ['delete-exclusion', 'EXCLUSION-DELETE-REMOVES'],
  },
  pipeline: collection('pipeline', at('pipelines')),
  source: { ...collection('source', within('sources')), lost: ['SOURCE-READ', 'SOURCE-UPDATE-REPLACES'] },
  transform: {
    ...collection('transform', within('transforms')),
    lost: ['TRANSFORM-READ', 'TRANSFORM-UPDATE-REPLACES'],
  },
  group: { ...collection('group', at('groups')), lost: ['GROUP-LIST', 'GROUP-READ', 'GROUP-REVISIONS'] },
  'gateway-route': {
    of: at('gatewayRoutes'),
    lost: ['ROUTE-LIST', 'ROUTE-READ', 'ROUTE-PATCH-APPLIES'],
    removal: ['delete-gateway-route', 'ROUTE-DELETE'],
  },
  'placed-group': {
    of: within('placedGroups'),
    lost: ['PLACEMENT-PLACES', 'PLACEMENT-READ'],
    removal: ['delete-placed-group', 'PLACEMENT-DELETE'],
  },
}

/** Does something to each thing once it is old enough. */
function later(
  of: (state: State) => Things,
  spoil: (map: Map<string, unknown>, id: string, thing: object) => void,
): Changes {
  const born = new WeakMap<object, number>()
  return everyTime((state) => {
    for (const [map, id, thing] of of(state)) {
      const since = born.get(thing) ?? Date.now()
      born.set(thing, since)
      if (Date.now() - since <= LATER_MS) continue
      born.delete(thing)
      spoil(map, id, thing)
    }
  })
}

/** Does something before each request. */
function everyTime(act: (state: State) => void): Changes {
  return {
    authorize: (inner) => (access, headers, state) => {
      act(state)
      return inner(access, headers, state)
    },
  }
}

function things(kind: Kind): (state: State) => Things {
  return (state) => kind.of(state).flatMap((map) => [...map].map(([id, thing]) => [map, id, thing] as const))
}

/** Does something after an operation was carried out. */
function after(operation: string, spoil: (state: State) => void): Changes {
  return {
    handlers: {
      [operation]: (inner) => (call) => {
        const reply = inner(call)
        if (!isPending(reply) && reply.status < 300) spoil(call.state)
        return reply
      },
    },
  }
}

const vanishing: readonly Fault[] = Object.entries(KINDS).map(([type, kind]) => ({
  name: `${type}-vanishes`,
  about: `a ${type} is gone a while after it was made`,
  kills: kind.lost,
  changes: later(things(kind), (map, id) => void map.delete(id)),
}))

/** Removed things are there again after a while. */
function returns(kind: Kind): Changes {
  const known = new Map<string, { readonly map: Map<string, unknown>; readonly thing: unknown; gone?: number }>()
  return everyTime((state) => {
    const maps = new Set(kind.of(state))
    for (const map of maps) for (const [id, thing] of map as Map<string, unknown>) known.set(id, { map, thing })
    for (const [id, one] of known) {
      if (one.map.has(id)) continue
      one.gone ??= Date.now()
      if (maps.has(one.map as Map<string, never>) && Date.now() - one.gone > LATER_MS) one.map.set(id, one.thing)
    }
  })
}

const returning: readonly Fault[] = Object.entries(KINDS).flatMap(([type, kind]) =>
  kind.removal === undefined
    ? []
    : [
        {
          name: `${type}-comes-back`,
          about: `a ${type} that was removed is there again after a while`,
          kills: [kind.removal[1]],
          changes: returns(kind),
        },
      ],
)

const pipelines = ({ pipelines: all }: State): Things => [...all].map(([id, one]) => [all, id, one] as const)

/** Values that are lost over time. */
const fading: readonly Fault[] = [
  {
    name: 'processing-status-flips-back',
    about: 'a pipeline that was disabled is enabled again after a while',
    kills: ['PROCESSING-STATUS-SWITCHES'],
    changes: later(
      (state) => pipelines(state).filter(([, , one]) => (one as { processing: string }).processing === 'disabled'),
      (_, __, one) => Object.assign(one, { processing: 'enabled' }),
    ),
  },
  {
    name: 'state-fades',
    about: 'state variables are gone a while after they were written',
    kills: ['STATEVAR-PARTIAL', 'STATEVAR-APPLIES', 'STATEVAR-READ'],
    changes: later(
      (state) =>
        [...state.pipelines.values()].map(({ stateVariables }) => [new Map(), '', stateVariables.state] as const),
      (_, __, state) => {
        for (const name of Object.keys(state)) delete (state as Record<string, unknown>)[name]
      },
    ),
  },
  {
    name: 'member-roles-fall-back',
    about: 'the role of a member is that of a plain one a while after it was given',
    kills: ['MEMBER-READ', 'MEMBER-UPDATE'],
    changes: later(
      ({ members }) =>
        [...members].map(([id, one]) => [members, id, one] as const).filter(([, , { role }]) => role === 'readonly'),
      (_, __, one) => Object.assign(one, { role: 'member' }),
    ),
  },
  {
    name: 'exclusion-fades',
    about: 'an exclusion rule is switched off a while after it was made',
    kills: ['EXCLUSION-READ', 'EXCLUSION-UPDATE', 'EXCLUSION-DROPS'],
    changes: later(
      ({ exclusions }) =>
        [...exclusions].map(([id, one]) => [exclusions, id, one] as const).filter(([, , { active }]) => active),
      (_, __, one) => Object.assign(one, { active: false }),
    ),
  },
  {
    name: 'signing-keys-fade',
    about: 'the signing keys of a gateway route are gone after a while',
    kills: ['SIGNING-KEYS-KEPT', 'SIGNING-KEY-ADDS', 'ROUTE-READ'],
    changes: later(
      ({ gatewayRoutes }) =>
        [...gatewayRoutes.values()].flatMap((one) =>
          one.signingKeys.map((key) => [new Map([['', one]]), '', key] as const),
        ),
      (map, _, key) => {
        const { signingKeys } = map.get('') as { signingKeys: object[] }
        signingKeys.splice(signingKeys.indexOf(key), 1)
      },
    ),
  },
]

interface Effect {
  readonly about: string
  readonly kills: readonly string[]
  readonly spoil: (state: State) => void
}

const set = <T extends object>(one: T, values: Partial<T>): void => void Object.assign(one, values)
const each = <T>(maps: readonly Map<string, T>[], spoil: (one: T) => void): void => {
  for (const map of maps) for (const one of map.values()) spoil(one)
}

/** What an operation may do to things that it does not name. */
const EFFECTS: Readonly<Record<string, Effect>> = {
  'deletes-sources': {
    about: 'deletes all sources',
    kills: KINDS.source?.lost ?? [],
    spoil: (state) => each([state.pipelines], ({ sources }) => sources.clear()),
  },
  'disables-pipelines': {
    about: 'disables all pipelines',
    kills: ['PROCESSING-STATUS-SWITCHES'],
    spoil: (state) => each([state.pipelines], (one) => set(one, { processing: 'disabled' })),
  },
  'resets-roles': {
    about: 'makes all members plain ones',
    kills: ['MEMBER-READ', 'MEMBER-UPDATE', 'MEMBER-DELETE-REMOVES'],
    spoil: (state) => each([state.members], (one) => set(one, one.role === 'owner' ? {} : { role: 'member' })),
  },
  'switches-exclusions-off': {
    about: 'switches all exclusion rules off',
    kills: ['EXCLUSION-READ', 'EXCLUSION-UPDATE', 'EXCLUSION-DELETE-REMOVES', 'EXCLUSION-DROPS'],
    spoil: (state) => each([state.exclusions], (one) => set(one, { active: false })),
  },
  'deletes-boards': {
    about: 'deletes all boards',
    kills: KINDS.board?.lost ?? [],
    spoil: (state) => state.boards.clear(),
  },
  'clears-state': {
    about: 'clears all state variables',
    kills: ['STATEVAR-PARTIAL', 'STATEVAR-APPLIES', 'STATEVAR-READ'],
    spoil: (state) => each([state.pipelines], (one) => set(one.stateVariables, { state: {} })),
  },
  'cuts-inputs': {
    about: 'takes the inputs of all transforms away',
    kills: ['TRANSFORM-READ', 'TRANSFORM-UPDATE-REPLACES'],
    spoil: (state) =>
      each(
        [...state.pipelines.values()].map(({ transforms }) => transforms),
        (one) => set(one, { inputs: [] }),
      ),
  },
  'renames-routes': {
    about: 'gives all gateway routes one title',
    kills: ['ROUTE-READ', 'ROUTE-PATCH-APPLIES', 'ROUTE-PATCH-PARTIAL'],
    spoil: (state) => each([state.gatewayRoutes], (one) => set(one, { title: 'x' })),
  },
  'changes-views': {
    about: 'gives all views one query',
    kills: ['VIEW-READ', 'VIEW-UPDATE'],
    spoil: (state) => each([state.views], (one) => set(one, { body: { ...one.body, query: 'level:debug' } })),
  },
  'deletes-placed-groups': {
    about: 'takes all groups out of their pipelines',
    kills: KINDS['placed-group']?.lost ?? [],
    spoil: (state) => each([state.pipelines], ({ placedGroups }) => placedGroups.clear()),
  },
}

/** Operations, and the effects that each may have: all of them in turn. */
const OPERATIONS = [
  'update-state-variables update-transform update-source update-gateway-route replace-gateway-route update-processing-status',
  'delete-member delete-exclusion delete-screen delete-board delete-key delete-source delete-group delete-gateway-route',
  'create-preset-alert update-preset-alert add-signing-key create-group-from-pipeline add-group-to-pipeline',
  'switch-group-revision create-group-revision create-access-key publish-pipeline update-view update-alert update-member',
  'create-board create-enterprise-key create-exclusion update-exclusion create-transform create-view create-category',
].flatMap((line) => line.split(' '))
/** Effects of each operation. */
const EACH = 3

const reaching: readonly Fault[] = OPERATIONS.flatMap((operation, index) =>
  Array.from({ length: EACH }, (_, more) => {
    const all = Object.entries(EFFECTS)
    const [name, effect] = all[(index * EACH + more) % all.length] ?? ['', EFFECTS['deletes-boards'] as Effect]
    return {
      name: `${operation}-${name}`,
      about: `${operation} ${effect.about}`,
      kills: effect.kills,
      changes: after(operation, effect.spoil),
    }
  }),
)

/** Faults that show only later, or elsewhere. */
export const lastingFaults: readonly Fault[] = [...vanishing, ...returning, ...fading, ...reaching]
