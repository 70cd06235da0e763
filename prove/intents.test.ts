import { beforeAll, describe, expect, test } from 'vitest'
import { judgeAll } from '../rules/testing.ts'
import { loadRecordSchemas } from '../schemas/load.ts'
import { specifiedOperations } from '../schemas/operations.ts'
import type { Exchange, Intent } from '../schemas/types/exchange.ts'
import type { CaseIntent, IntentData, ProbeName } from '../schemas/types/intents.ts'
import { allCases } from '../suites/cases/index.ts'
import { run } from './testing.ts'
import type { TrialOptions } from './trial.ts'

/** An entry of the table of kinds, or of that of probes. */
interface Entry {
  readonly const: string
  readonly 'x-kinds'?: readonly string[]
  readonly 'x-data'?: readonly string[]
}

const { IntentKind, ProbeName: Probes } = (loadRecordSchemas().get('intents')?.$defs ?? {}) as Readonly<
  Record<string, { readonly oneOf: readonly Entry[] }>
>
const tableOf = (entries: readonly Entry[] = []): ReadonlyMap<string, Entry> =>
  new Map(entries.map((entry) => [entry.const, entry]))
const kinds = tableOf(IntentKind?.oneOf)
const probes = tableOf(Probes?.oneOf)

/** For each probe a case that sends it; '!' where only a target that does not do what is stated gets it. */
const SENT_BY: Readonly<Record<ProbeName, string>> = {
  'good-request': '!update-gateway-route/works',
  needed: '!update-gateway-route/works',
  sibling: '!update-source/works',
  'left-alone': 'update-gateway-route/left-alone',
  'other-form': '!list-usage-by-tag/times',
  parallel: 'update-preset-alert/parallel',
  'odd-id': 'delete-screen/odd-ids',
  'invalid-query': 'list-enterprise-keys/invalid-query',
  owner: 'delete-member/owner',
  'unknown-member': 'delete-member/owner',
  'unknown-exclusion': 'delete-exclusion/removes',
  'unknown-screen': 'delete-screen/removes',
  'key-name-too-long': 'create-enterprise-key/name-too-long',
  'service-key': 'create-key/service-key',
  'made-key': 'list-enterprise-keys/key-authenticates',
  'lines that say the same': 'ingest-lines/said-twice',
  'a token that was never given': 'confirm-suspension/tokens',
  'a token that was used': 'confirm-suspension/tokens',
  'a token of an earlier suspension': 'confirm-suspension/tokens',
  'like-v1': 'export-v2/like-v1',
  'holds older and newer lines': 'export-v2/period',
  'ends before newer lines': 'export-v2/period',
  'begins after older lines': 'export-v2/period',
  'ends after lines to come': 'export-v2/to-now',
  'ends before lines to come': 'export-v2/to-now',
  'ends now': 'export-v2/to-now',
  share: 'list-usage-by-app/share',
  'lines of unlike lengths': 'list-usage-v2-by-app/bytes',
  'same-day': 'list-usage-by-tag/day',
  'past-share': 'list-usage-by-tag/past',
  'last-day': 'list-usage-by-tag/counts',
  dropped: 'create-exclusion/usage',
  leftovers: 'update-transform/leftovers',
  'tap-filter-none': 'start-tap/filtered',
  'tap-edge-idle': 'start-tap/one-edge',
  'tap-component-unknown': 'start-tap/unknown-component',
}

/** The same for what intents bring besides. */
const BROUGHT_BY: Readonly<Record<keyof IntentData, string>> = {
  right: 'list-usage-by-tag/credentials',
  also: 'update-source/body',
  form: 'export-v2/page',
  shows: 'update-transform/open',
  sent: 'update-transform/open',
  before: 'update-processing-status/empty',
  sure: '!update-gateway-route/works',
  last: '!update-gateway-route/works',
  condition: 'delete-screen/odd-ids',
  unknown: 'list-enterprise-keys/key-authenticates',
  id: 'list-enterprise-keys/key-authenticates',
}

/** A target that refuses to update routes and sources, and times in the stated form. */
const FAULTY: TrialOptions['overlay'] = {
  name: 'faulty',
  handlers: {
    'update-gateway-route': () => () => ({ status: 400 }),
    'update-source': () => () => ({ status: 403 }),
    'list-usage-by-tag': () => (call) =>
      /^\d+$/.test(call.query.get('from') ?? '') ? { status: 400 } : { status: 200, body: [] },
  },
}

const exchanges = new Map<string, Exchange[]>()

async function runCases(named: string, overlay: TrialOptions['overlay']): Promise<void> {
  const wanted = new Set([...Object.values(SENT_BY), ...Object.values(BROUGHT_BY)])
  const cases = allCases().filter(({ id }) => wanted.has(`${named}${id}`))
  const trial = await run({ profile: 'standard', overlay, cases })
  for (const exchange of trial.exchanges.values()) {
    const id = `${named}${exchange._case}`
    exchanges.set(id, [...(exchanges.get(id) ?? []), exchange])
  }
}

beforeAll(async () => {
  await Promise.all([runCases('', undefined), runCases('!', FAULTY)])
}, 120_000)

/** What rules say of a case that means something else by its requests. `names`: words that are the same wherever they stand. */
function told(id: string, change: (intent: Intent) => Intent, names: readonly string[] = []): string {
  const changed = (exchanges.get(id) ?? []).map((one) =>
    one._intent === undefined ? one : { ...one, _intent: change(one._intent) },
  )
  const text = JSON.stringify(judgeAll(changed))
  return names.reduce((all, name) => all.replaceAll(name, '*'), text)
}

describe.each(Object.entries(SENT_BY))('the probe %s of %s', (name, id) => {
  test('is sent', () => {
    const sent = (exchanges.get(id) ?? []).filter(({ _intent }) => _intent?.probe === name)
    expect(sent.length).toBeGreaterThan(0)
  })

  test('is read: under a name that no rule knows something else is said', () => {
    const other = 'nobody reads this' as ProbeName
    const renamed = (intent: Intent): Intent => (intent.probe === name ? { ...intent, probe: other } : intent)
    const said = told(id, (intent) => intent, [name, other])
    expect(told(id, renamed, [name, other]) === said).toBe(false)
  })
})

test.each(Object.entries(BROUGHT_BY))('what intents bring as %s is sent by %s, and read', (field, id) => {
  const without = (intent: Intent): Intent => {
    const { [field as keyof IntentData]: _, ...data } = intent.data ?? {}
    return { ...intent, data }
  }
  const brought = (exchanges.get(id) ?? []).filter(({ _intent }) => Object.hasOwn(_intent?.data ?? {}, field))
  expect(brought.length).toBeGreaterThan(0)
  expect(told(id, without) === told(id, (intent) => intent)).toBe(false)
})

/** They prepare and take back: rules hold them for none of the others. */
const AROUND = ['preflight', 'setup', 'cleanup']

test.each([...kinds.keys()].filter((kind) => !AROUND.includes(kind)))('the kind %s is sent, and read', (kind) => {
  const other = 'nobody reads this' as Intent['kind']
  const having = [...exchanges].filter(([, all]) => all.some(({ _intent }) => _intent?.kind === kind))
  const read = having.find(([id]) => {
    const renamed = told(id, (intent) => (intent.kind === kind ? { ...intent, kind: other } : intent))
    return renamed !== told(id, (intent) => intent)
  })
  expect(read).toBeDefined()
})

test('every intent that is sent stands in the table', () => {
  const strange = [...exchanges.values()].flat().filter(({ _intent: intent }) => {
    if (!intent) return false
    const probe = probes.get(intent.probe ?? '')
    if (intent.probe !== undefined && !probe?.['x-kinds']?.includes(intent.kind)) return true
    const own = [probe, kinds.get(intent.kind)].flatMap((entry) => entry?.['x-data'] ?? [])
    return Object.keys(intent.data ?? {}).some((field) => !own.includes(field))
  })
  expect(exchanges.size).toBeGreaterThan(25)
  expect(strange.map(({ _case, _intent }) => [_case, _intent])).toEqual([])
})

test('recordings know the kinds of the table, and the error table its probes', () => {
  const { properties } = loadRecordSchemas().get('exchange')?.$defs?.Intent ?? {}
  expect(properties?.kind?.enum).toEqual([...kinds.keys()])
  const conditions = specifiedOperations().flatMap(({ errors }) => errors.map(({ condition }) => condition))
  const provoked = [...probes.keys()].filter((name) => probes.get(name)?.['x-kinds']?.includes('provoke'))
  expect(conditions.length).toBeGreaterThan(3)
  expect(conditions.filter((condition) => !provoked.includes(condition))).toEqual([])
})

test('an intent of another form is an error of types', () => {
  // @ts-expect-error: no such probe
  const unknown: CaseIntent = { kind: 'read', probe: 'nobody reads this' }
  // @ts-expect-error: not a boolean
  const data: CaseIntent = { kind: 'auth', data: { right: 'yes' } }
  const fine: CaseIntent = { kind: 'provoke', probe: 'odd-id', data: { condition: 'unknown-screen' } }
  expect([unknown, data, fine]).toHaveLength(3)
})
