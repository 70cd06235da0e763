import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'oxc-parser'
import { beforeAll, describe, expect, test } from 'vitest'
import { judgeAll } from '../rules/testing.ts'
import { loadRecordSchemas } from '../schemas/load.ts'
import { specifiedOperations } from '../schemas/operations.ts'
import { type CaseIntent, type IntentData, intentKinds, probes, probeTable } from '../schemas/records/intents.ts'
import type { Exchange, Intent } from '../schemas/types/exchange.ts'
import { allCases } from '../suites/cases/index.ts'
import { runTrial, type TrialOptions } from './trial.ts'

/** For each probe a case that sends it; '!' where only a target that does not do what is stated gets it. */
const SENT_BY: Readonly<Record<keyof typeof probes, string>> = {
  goodRequest: '!update-gateway-route/works',
  needed: '!update-gateway-route/works',
  sibling: '!update-source/works',
  leftAlone: 'update-gateway-route/left-alone',
  otherForm: '!list-usage-by-tag/times',
  parallel: 'update-preset-alert/parallel',
  oddId: 'delete-screen/odd-ids',
  invalidQuery: 'list-enterprise-keys/invalid-query',
  owner: 'delete-member/owner',
  unknownMember: 'delete-member/owner',
  unknownExclusion: 'delete-exclusion/removes',
  unknownScreen: 'delete-screen/removes',
  longKeyName: 'create-enterprise-key/name-too-long',
  serviceKey: 'create-key/service-key',
  madeKey: 'list-enterprise-keys/key-authenticates',
  saidTwice: 'ingest-lines/said-twice',
  tokenNeverGiven: 'confirm-suspension/tokens',
  tokenUsed: 'confirm-suspension/tokens',
  tokenOfEarlier: 'confirm-suspension/tokens',
  likeV1: 'export-v2/like-v1',
  olderAndNewer: 'export-v2/period',
  endsBetween: 'export-v2/period',
  beginsBetween: 'export-v2/period',
  endsAfterComing: 'export-v2/to-now',
  endsBeforeComing: 'export-v2/to-now',
  endsNow: 'export-v2/to-now',
  share: 'list-usage-by-app/share',
  unlikeLines: 'list-usage-v2-by-app/bytes',
  sameDay: 'list-usage-by-tag/day',
  lastDay: 'list-usage-by-tag/counts',
  droppedUsage: 'create-exclusion/usage',
  leftovers: 'update-transform/leftovers',
  tapFilterNone: 'start-tap/filtered',
  tapEdgeIdle: 'start-tap/one-edge',
  tapComponentUnknown: 'start-tap/unknown-component',
}

/** The same for what intents bring besides. */
const BROUGHT_BY: Readonly<Record<keyof IntentData, string>> = {
  right: 'list-usage-by-tag/credentials',
  also: 'update-source/deploy_type',
  form: 'export-v2/page',
  shows: 'update-transform/open',
  sent: 'update-transform/open',
  before: 'update-processing-status/empty',
  sure: '!update-gateway-route/works',
  last: '!update-gateway-route/works',
  condition: 'delete-screen/odd-ids',
  unknown: 'list-enterprise-keys/key-authenticates',
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
  const options = { seed: 1, profile: 'standard', concurrency: 16, enough: () => false } as const
  const trial = await runTrial({ ...options, overlay, cases })
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

describe.each(Object.entries(SENT_BY))('the probe %s of %s', (key, id) => {
  const { name = '' } = probeTable[key] ?? {}

  test('is sent', () => {
    const sent = (exchanges.get(id) ?? []).filter(({ _intent }) => _intent?.probe === name)
    expect(sent.length).toBeGreaterThan(0)
  })

  test('is read: under a name that no rule knows something else is said', () => {
    const other = 'nobody reads this' as typeof name as (typeof probes)['share']
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

test.each(Object.keys(intentKinds).filter((kind) => !AROUND.includes(kind)))(
  'the kind %s is sent, and read',
  (kind) => {
    const other = 'nobody reads this' as Intent['kind']
    const having = [...exchanges].filter(([, all]) => all.some(({ _intent }) => _intent?.kind === kind))
    const read = having.find(([id]) => {
      const renamed = told(id, (intent) => (intent.kind === kind ? { ...intent, kind: other } : intent))
      return renamed !== told(id, (intent) => intent)
    })
    expect(read).toBeDefined()
  },
)

test('every intent that is sent stands in the table', () => {
  const strange = [...exchanges.values()].flat().filter(({ _intent: intent }) => {
    if (!intent) return false
    const probe = Object.values(probeTable).find(({ name }) => name === intent.probe)
    if (intent.probe !== undefined && !probe?.kinds.includes(intent.kind)) return true
    const { data = [], optional = [] } = intentKinds[intent.kind] ?? {}
    const own: readonly string[] = [...(probe ? (probe.data ?? []) : data), ...optional]
    return Object.keys(intent.data ?? {}).some((field) => !own.includes(field))
  })
  expect(exchanges.size).toBeGreaterThan(25)
  expect(strange.map(({ _case, _intent }) => [_case, _intent])).toEqual([])
})

test('recordings know the kinds of the table, and the error table its probes', () => {
  const { properties } = loadRecordSchemas().get('exchange')?.$defs?.Intent ?? {}
  expect(properties?.kind?.enum).toEqual(Object.keys(intentKinds))
  const conditions = specifiedOperations().flatMap(({ errors }) => errors.map(({ condition }) => condition))
  const provoked = Object.values(probeTable).flatMap(({ name, kinds }) => (kinds.includes('provoke') ? [name] : []))
  expect(conditions.length).toBeGreaterThan(3)
  expect(conditions.filter((condition) => !provoked.includes(condition))).toEqual([])
})

test('an intent of another form is an error of types', () => {
  // @ts-expect-error: no such probe
  const unknown: CaseIntent = { kind: 'read', probe: 'nobody reads this' }
  // @ts-expect-error: not a boolean
  const data: CaseIntent = { kind: 'auth', data: { right: 'yes' } }
  const fine: CaseIntent = { kind: 'provoke', probe: probes.oddId, data: { condition: probes.unknownScreen } }
  expect([unknown, data, fine]).toHaveLength(3)
})

/** Words that are also the name of a probe: of a role, a scheme of credentials and of rules. */
const WORDS = new Set<string>([probes.owner, probes.serviceKey, probes.leftovers, probes.droppedUsage])

/** Texts that stand where the name of a probe belongs, and texts that are one. */
function bareNames(source: string): string[] {
  const names = new Set<string>(Object.values(probes))
  const found: string[] = []
  const textOf = (node: { readonly type: string; readonly value?: unknown }): string | undefined =>
    node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined
  const isProbe = (node: { readonly start: number; readonly end: number }): boolean =>
    /(^|\.)probe( \?\? '')?$/.test(source.slice(node.start, node.end))
  const note = (text: string | undefined): void => {
    if (text !== undefined) found.push(text)
  }
  new Visitor({
    Literal: (node) => {
      if (typeof node.value === 'string' && names.has(node.value) && !WORDS.has(node.value)) found.push(node.value)
    },
    Property: (node) => {
      if (node.key.type === 'Identifier' && node.key.name === 'probe') note(textOf(node.value))
    },
    BinaryExpression: (node) => {
      if (isProbe(node.left)) note(textOf(node.right))
      if (isProbe(node.right)) note(textOf(node.left))
    },
    SwitchStatement: (node) => {
      if (isProbe(node.discriminant)) for (const { test: of } of node.cases) note(of ? textOf(of) : undefined)
    },
  }).visit(parseSync('source.ts', source).program)
  return found
}

test('no rule and no case holds the name of a probe as a bare text', () => {
  expect(bareNames("if (intent?.probe === 'owner') return 'left-alone'")).toEqual(['owner', 'left-alone'])
  expect(bareNames("send({ probe: 'owner' }); switch (a.intent?.probe) { case 'x': }")).toEqual(['owner', 'x'])
  const root = fileURLToPath(new URL('..', import.meta.url))
  const files = ['rules', 'suites'].flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).map((path) => join(room, path)),
  )
  const written = files.filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  expect(written).toEqual(
    expect.arrayContaining(['rules/oracle.ts', 'suites/case.ts', 'suites/cases/general/fields.ts']),
  )
  const bare = written.flatMap((path) =>
    bareNames(readFileSync(join(root, path), 'utf8')).map((name) => `${path}: '${name}'`),
  )
  expect(bare).toEqual([])
})
