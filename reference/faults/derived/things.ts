import { ledger } from '../../../schemas/ledger.ts'
import { type OperationRow, operationsOn, type ResourceRow, resourceRow, service } from '../../../schemas/service.ts'
import { type State, type Thing, things } from '../../model/state.ts'
import {
  afterwards,
  askedBody,
  everyTime,
  forLong,
  type Json,
  LATER_MS,
  named,
  notApplied,
  success,
  typeOf,
} from '../core/changes.ts'
import { type Changes, type Fault, fault } from '../core/fault.ts'

/** What the ids of a type's requirements begin with, where it is not the type. */
const PREFIXES: Readonly<Record<string, string>> = {
  'preset-alert': 'PRESET',
  'gateway-route': 'ROUTE',
  'placed-group': 'PLACEMENT',
  'state-variables': 'STATEVAR',
  'enterprise-key': 'ENTERPRISE-KEYS',
  key: 'KEYS',
}

/** Of the requirements of a type those that there are. */
function of(type: string, ...names: readonly string[]): string[] {
  const prefix = PREFIXES[type] ?? type.toUpperCase()
  return names.map((name) => `${prefix}-${name}`).filter((id) => ledger().has(id))
}

function unique(ids: readonly (string | undefined)[]): string[] {
  return [...new Set(ids)].filter((id) => id !== undefined)
}

/** What turns red where things of a type are gone, or are not what they were. */
function lostOf(type: string): string[] {
  const { made, got, listed, read, updated, values } = relationsOf(type)
  const known = of(type, 'CREATE', 'CREATE-MAKES', 'LIST', 'READ', 'UPDATE', 'UPDATE-APPLIES', 'UPDATE-REPLACES')
  const more = of(type, 'APPLIES', 'PARTIAL', 'PATCH-APPLIES', 'PATCH-PARTIAL', 'DROPS')
  return unique([made, got, listed, read, updated, values, ...known, ...more, ...(FURTHER[type] ?? [])])
}

/** What no relation of the table says. */
const FURTHER: Readonly<Record<string, readonly string[]>> = {
  'enterprise-key': ['ENT-KEYS-LIST-ALL'],
  'placed-group': ['PLACEMENT-READ', 'REVISION-MOVES'],
}

function relationsOf(type: string): NonNullable<ResourceRow['relations']> {
  return resourceRow(type)?.relations ?? {}
}

/** The requirement that an operation changes what it says. */
function appliedOf({ id, verb, resource: type, reaches }: OperationRow): string | undefined {
  const { made, updated, removed } = relationsOf(type)
  if (verb === 'create') return made ?? of(type, 'CREATE-MAKES')[0]
  if (verb === 'remove') return removed
  if (reaches !== undefined) return reaches
  if (verb === 'update' || verb === 'change') return updated ?? of(type, 'UPDATE')[0]
  return id === 'add-signing-key' ? 'SIGNING-KEY-ADDS' : undefined
}

/** An operation that is answered with success and changes nothing. */
const idle = service().operations.flatMap((row): Fault[] => {
  const requirement = appliedOf(row)
  if (requirement === undefined) return []
  const about = `${row.id} is answered with success and changes nothing`
  return [fault(`${row.id}-not-applied`, requirement, about, notApplied(row.id))]
})

/** A list without its newest element, where there are others. */
const unlisted = service().resources.flatMap(({ type }): Fault[] => {
  const [list] = operationsOn(type, 'list')
  const keys = type === 'enterprise-key' ? 'ENT-KEYS-LIST-ALL' : undefined
  const requirement = keys ?? relationsOf(type).listed ?? of(type, 'LIST')[0]
  if (list === undefined || requirement === undefined) return []
  const cut = (all: unknown): unknown => (Array.isArray(all) && all.length > 1 ? all.slice(0, -1) : all)
  const changes = success(list, ({ json, ...answer }) => {
    const { data, ...rest } = json as Json
    return { ...answer, json: data === undefined ? cut(json) : { ...rest, data: cut(data) } }
  })
  const kills = [requirement, ...of(type, 'CREATE-MAKES')].join(' ')
  return [fault(`${list}-without-newest`, kills, `the newest ${type} is not listed`, changes)]
})

/** type -> a field that a new one is stored with otherwise than it was sent, and its value */
const WRITTEN: Readonly<Record<string, readonly [field: string, value: unknown]>> = {
  board: ['title', 'Board'],
  view: ['hosts', ['other']],
  category: ['name', 'Category'],
  alert: ['channels', []],
  screen: ['title', 'Screen'],
  member: ['role', 'admin'],
  exclusion: ['title', 'Rule'],
  pipeline: ['title', 'Pipeline'],
  transform: ['description', 'other'],
  source: ['title', 'Source'],
  'gateway-route': ['legacy_routing', true],
  group: ['description', 'other'],
  'preset-alert': ['channels', []],
  'placed-group': ['deploy_type', 'saas'],
}

const written = Object.entries(WRITTEN).map(([type, [field, value]]): Fault => {
  const [create = ''] = operationsOn(type, 'create')
  const about = `a new ${type} is stored with another ${field} than was sent`
  const changes = askedBody(create, (sent) => ({ ...sent, [field]: value }))
  return fault(`${create}-${field}-spoilt`, of(type, 'READ').join(' '), about, changes)
})

/** Does something to each thing of a type once it is as `is` says for long enough. */
function later(type: string, spoil: (thing: Thing, all: Map<string, Thing>, key: string) => void, is?: Test): Changes {
  const isLong = forLong()
  return everyTime((state) => {
    for (const [key, thing] of things(state, type))
      if (isLong(thing, is?.(thing.body) ?? true)) spoil(thing, things(state, type), key)
  })
}

type Test = (body: Json) => boolean

/** Removed things are there again after a while. */
function returns(type: string): Changes {
  const known = new Map<string, { readonly thing: Thing; gone?: number }>()
  return everyTime((state) => {
    const all = things(state, type)
    for (const [key, thing] of all) known.set(key, { thing })
    for (const [key, one] of known) {
      if (all.has(key)) continue
      one.gone ??= Date.now()
      if (Date.now() - one.gone > LATER_MS) all.set(key, one.thing)
    }
  })
}

/** Of these the text says that a removal takes no other along, or changes it. Elsewhere the other is missed. */
const ALONE: Readonly<Record<string, Json>> = {
  member: { role: 'member' },
  exclusion: { active: false },
  screen: { title: 'Screen' },
}

const lasting = service().resources.flatMap(({ type, relations }): Fault[] => {
  const lost = lostOf(type).join(' ')
  const [remove] = operationsOn(type, 'remove')
  if (relations === undefined || remove === undefined) return []
  const gone = relations.removed ?? ''
  const others = ALONE[type]
  const vanishes = later(type, (_, all, key) => void all.delete(key))
  const takesAnother = afterwards(remove, ({ state }) => {
    const other = [...things(state, type)].findLast(([, { body }]) => body.role !== 'owner')
    if (other) things(state, type).delete(other[0])
  })
  const removal = `the removal of a ${type}`
  const all = [
    fault(`${type}-vanishes`, lost, `a ${type} is gone a while after it was made`, vanishes),
    fault(`${type}-comes-back`, gone, `a ${type} that was removed is there again after a while`, returns(type)),
    fault(`${remove}-takes-another`, others ? gone : lost, `${removal} removes another one as well`, takesAnother),
  ]
  if (others === undefined) return all
  const changesOthers = afterwards(remove, ({ state }) => overwrite(state, type, others))
  return [...all, fault(`${remove}-changes-others`, gone, `${removal} changes all others`, changesOthers)]
})

/** Gives everything of a type these values, but for the owner of the account. */
function overwrite(state: State, type: string, values: Json): void {
  for (const one of things(state, type).values()) if (one.body.role !== 'owner') one.body = { ...one.body, ...values }
}

/** A value that is lost over time. `is`: which ones are; `values`: what is there then. */
function fades(type: string, is: Test, values: Json): Changes {
  return later(type, (thing) => void Object.assign(thing, { body: { ...thing.body, ...values } }), is)
}

const FADE: readonly Fault[] = [
  fault(
    'processing-status-flips-back',
    'PROCESSING-STATUS-SWITCHES',
    'a disabled pipeline is enabled after a while',
    fades('pipeline', (body) => body.processing_status === 'disabled', { processing_status: 'enabled' }),
  ),
  fault(
    'state-fades',
    lostOf('state-variables').join(' '),
    'state variables are gone a while after they were written',
    fades('state-variables', ({ state }) => Object.keys(state as Json).length > 0, { state: {} }),
  ),
  fault(
    'member-roles-fall-back',
    'MEMBER-READ MEMBER-UPDATE',
    'a member is a plain one a while after it was made',
    fades('member', ({ role }) => role === 'readonly', { role: 'member' }),
  ),
  fault(
    'exclusion-fades',
    lostOf('exclusion').join(' '),
    'an exclusion rule is switched off a while after it was made',
    fades('exclusion', ({ active }) => active === true, { active: false }),
  ),
  fault(
    'signing-keys-fade',
    'SIGNING-KEYS-KEPT SIGNING-KEY-ADDS ROUTE-READ',
    'signing keys are gone after a while',
    fades('gateway-route', ({ signing_keys: keys }) => (keys as unknown[]).length > 0, { signing_keys: [] }),
  ),
]

/** name -> what an operation may do to things that it does not name: to all of one type. No values: they are gone. */
const EFFECTS: Readonly<Record<string, readonly [about: string, type: string, values?: Json]>> = {
  'deletes-sources': ['deletes all sources', 'source'],
  'disables-pipelines': ['disables all pipelines', 'pipeline', { processing_status: 'disabled' }],
  'resets-roles': ['makes all members plain ones', 'member', { role: 'member' }],
  'switches-exclusions-off': ['switches all exclusion rules off', 'exclusion', { active: false }],
  'deletes-boards': ['deletes all boards', 'board'],
  'clears-state': ['clears all state variables', 'state-variables', { state: {} }],
  'cuts-inputs': ['takes the inputs of all transforms away', 'transform', { inputs: [] }],
  'renames-routes': ['gives all gateway routes one title', 'gateway-route', { title: 'x' }],
  'changes-views': ['gives all views one query', 'view', { query: 'level:debug' }],
  'deletes-placed-groups': ['takes all groups out of their pipelines', 'placed-group'],
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

const reaching = OPERATIONS.flatMap((operation, index) =>
  Array.from({ length: EACH }, (_, more): Fault => {
    const all = Object.entries(EFFECTS)
    const [name, [about, type, values]] = all[(index * EACH + more) % all.length] ?? ['', ['', '']]
    const removed = ['member', 'exclusion'].includes(type) ? [relationsOf(type).removed ?? ''] : []
    const kills = type === 'pipeline' ? ['PROCESSING-STATUS-SWITCHES'] : [...lostOf(type), ...removed]
    const changes = afterwards(operation, ({ state }) => {
      if (values === undefined) things(state, type).clear()
      else overwrite(state, type, values)
    })
    return fault(`${operation}-${name}`, kills.join(' '), `${operation} ${about}`, changes)
  }),
)

/** An operation that does to all things of its type what it does to one: `fields` are then those of all. */
const neighbours = (
  [
    ['update-transform', 'title', 'TRANSFORM-UPDATE-REPLACES'],
    ['update-source', 'title', 'SOURCE-UPDATE-REPLACES'],
    ['update-preset-alert', 'name', 'PRESET-UPDATE-APPLIES'],
    ['update-gateway-route', 'title', 'ROUTE-PATCH-APPLIES'],
    ['update-state-variables', 'state', 'STATEVAR-APPLIES'],
    ['switch-group-revision', 'transform_group_revision_id', 'REVISION-MOVES'],
    ['update-processing-status', 'processing_status', 'PROCESSING-STATUS-SWITCHES'],
  ] as const
).map(([operation, field, requirement]) => {
  const changes = afterwards(operation, (call) => {
    const one = named(call, typeOf(operation))
    for (const other of things(call.state, typeOf(operation)).values())
      if (one?.body.transform_group_id === other.body.transform_group_id)
        other.body = { ...other.body, [field]: one?.body[field] }
  })
  const about = `${operation} changes ${field} of all others as well`
  return fault(`${operation}-reaches-others`, requirement, about, changes)
})

/** Faults of things of every type: what is made, read, listed, changed and removed, at once, later and beside. */
export const thingFaults: readonly Fault[] = [
  ...idle,
  ...unlisted,
  ...written,
  ...lasting,
  ...FADE,
  ...reaching,
  ...neighbours,
]
