import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOutcome, type Outcome } from '../../../engine/replay/outcome.ts'
import { openSession } from '../../../fixtures/http/session.ts'
import { openRecording, type Recording } from '../../../fixtures/recording/read.ts'
import { OPEN } from '../../../fixtures/redact/run.ts'
import { sendInOrder } from '../../../fixtures/replay/in-order.ts'
import { scanRecording } from '../../../fixtures/replay/plan/scan.ts'
import { timeShift } from '../../../fixtures/replay/values/times.ts'
import { readBody } from '../../../fixtures/segments/bodies.ts'
import { overlayOf } from '../../../reference/faults/core/fault.ts'
import { allFaults } from '../../../reference/faults/index.ts'
import { startReference } from '../../../reference/server.ts'
import { referenceBinding } from '../../../rules/testing.ts'
import type { CredentialScheme } from '../../../schemas/types/exchange.ts'
import type { ReplayReport } from '../../../schemas/types/replay.ts'
import { ALL_CONSENT, createWorld } from '../../testing/world.ts'
import { readReplay } from '../testing/expectations.ts'

/** Deliberate faults of the reference -> the operations in whose answers they show. */
const FAULTS: Readonly<Record<string, readonly string[]>> = {
  'node/title/maxLength-513': [
    ...['get-source', 'get-transform', 'update-source', 'update-transform', 'create-source', 'create-transform'],
  ],
  'node/title/pattern-takes-greater-than': [
    ...['update-source', 'update-transform', 'create-source', 'create-transform'],
  ],
  'create-preset-alert/body-object': ['create-preset-alert'],
  'delete-member/unknown-member/code-notfound': ['delete-member'],
  'delete-member/no-deleted': ['delete-member'],
  'route-patch-replaces': ['get-gateway-route', 'list-gateway-routes', 'update-gateway-route', 'add-signing-key'],
  // A pipeline shows its parts, and a group those that it was made of.
  'update-source-not-applied': ['get-source', 'list-sources', 'get-pipeline'],
  'delete-screen-not-applied': ['delete-screen', 'get-screen', 'list-screens'],
  'tap-limit-server-error': ['start-tap'],
  'update-transform-not-applied': [
    ...['get-transform', 'list-transforms', 'get-pipeline'],
    ...['create-group-from-pipeline', 'get-group', 'list-groups'],
  ],
  'preset-update-no-headers': ['get-preset-alert', 'list-preset-alerts'],
  'state-replaced': ['get-state-variables', 'update-state-variables'],
  // Each answer that shows a pipeline shows its status.
  'update-processing-status-not-applied': [
    ...['get-pipeline', 'list-pipelines', 'update-pipeline', 'update-processing-status', 'publish-pipeline'],
  ],
  'delete-member-not-applied': ['delete-member', 'get-member', 'list-members', 'create-member'],
  'delete-exclusion-not-applied': [
    ...['delete-exclusion', 'get-exclusion', 'list-exclusions', 'export-v2', 'export-v1'],
    // A line that is still dropped is not counted either.
    ...['list-usage-by-app', 'list-usage-by-host', 'list-usage-by-tag'],
    ...['list-usage-v2-by-app', 'list-usage-v2-by-host', 'list-usage-v2-by-tag'],
  ],
  'switch-group-revision-not-applied': [
    ...['get-placed-group', 'list-placed-groups', 'switch-group-revision', 'get-pipeline'],
  ],
  'several-group-cut': ['create-group-from-pipeline', 'get-group', 'list-groups'],
  'delete-board-not-applied': ['delete-board', 'get-board', 'list-boards'],
  'create-view-not-applied': [
    ...['get-view', 'list-views', 'update-view', 'delete-view'],
    // An alert belongs to a view.
    ...['create-alert', 'get-alert', 'list-alerts', 'update-alert', 'delete-alert'],
  ],
  'line-lost': ['export-v1', 'export-v2'],
}

const DAY = 86_400_000
/** A busy machine takes its time. */
const LONGEST_MS = 180_000
const { world, close } = createWorld('replay')
let recording: Recording

beforeAll(async () => {
  const args = ['certify', '--embedded', '--profile', 'quick', '--seed', '7', '--record', 'recording']
  expect((await world.assay(args)).code).toBe(0)
  recording = await openRecording(join(world.folder, 'recording'))
}, LONGEST_MS)

afterAll(close)

interface Replayed {
  readonly counts: ReplayReport['counts']
  readonly pieces: ReturnType<Outcome['pieces']>
}

/** Replays the run against a fresh reference whose clock is `days` ahead. */
async function against(mutant: string | undefined, days: number): Promise<Replayed> {
  const overlay = allFaults().find(({ name }) => name === mutant)
  if (mutant !== undefined && !overlay) throw new Error(`there is no mutant ${mutant}`)
  const now = (): number => Date.now() + days * DAY
  const reference = await startReference({ now, overlays: overlay ? [overlayOf(overlay)] : [] })
  const session = openSession({
    baseUrl: reference.url,
    timeoutMs: 30_000,
    connections: 32,
    maxBodyBytes: 32_000_000,
    headers: {},
    tls: {},
    proxy: undefined,
    redactor: OPEN,
    idPrefix: 'replay-',
  })
  const { credentials } = reference
  const binding = referenceBinding()
  const scan = await scanRecording(recording.exchanges(), binding.operations.values())
  const outcome = createOutcome([], () => true)
  try {
    await sendInOrder({
      exchanges: recording.exchanges(),
      session,
      binding,
      basePath: scan.basePath,
      secrets: new Map<CredentialScheme, string>([
        ['access-token', credentials.accessToken],
        ['service-key', credentials.serviceKey],
        ['enterprise-key', credentials.enterpriseServiceKey],
        ['ingestion-key', credentials.ingestionKey],
        ['iam', credentials.iam?.token ?? ''],
      ]),
      shift: timeShift(scan, now(), true),
      speed: 0,
      concurrency: 32,
      wholeBody: (name) => readBody(recording.folder, name),
      rename: (prefix) => (scan.prefixes.has(prefix) ? 'assay-zzzzzz' : undefined),
      settleMs: 0,
      now: () => performance.now(),
      sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
      stopped: () => false,
      onReplayed: (replayed) => outcome.add(replayed),
    })
    return { counts: outcome.counts(), pieces: outcome.pieces() }
  } finally {
    await session.close()
    await reference.close()
  }
}

describe('a certify run that is replayed', () => {
  test(
    'a fresh target with other ids and another clock does not differ',
    async () => {
      const { counts, pieces } = await against(undefined, 120)
      expect(pieces.differences).toEqual([])
      expect(pieces.notCarried).toEqual([])
      expect(counts.sent).toBeGreaterThan(3_000)
      expect(counts.compared).toBeGreaterThan(0.9 * counts.sent)
    },
    LONGEST_MS,
  )

  test.each(Object.entries(FAULTS))(
    '%s shows, and nothing else does',
    async (mutant, operations) => {
      const { pieces } = await against(mutant, 0)
      const seen = [...new Set(pieces.differences.map(({ operation }) => operation))]
      expect(seen.length).toBeGreaterThan(0)
      expect(seen.filter((operation) => !operations.includes(operation))).toEqual([])
    },
    LONGEST_MS,
  )

  test.each([1, 16])(
    'served as a mock, it answers a client that replays it with %i requests at once',
    async (concurrency) => {
      const [line] = await world.start(['mock', 'recording', '--binding', 'reference', '--json']).said(/^\{.*\}$/m)
      const { url, exchanges } = JSON.parse(line) as { url: string; exchanges: number }
      const secrets = {
        accessToken: 'a-token',
        serviceKey: 'a-key',
        enterpriseServiceKey: 'a-key',
        ingestionKey: 'a-key',
        iam: { token: 'a-token', cloudResourceName: 'a-resource' },
      }
      world.write('mock.json', {
        baseUrl: url,
        binding: 'reference',
        credentials: secrets,
        consent: ALL_CONSENT,
      })
      const replay = ['replay', 'recording', '--config', 'mock.json', '--out', 'from-mock', '--json']
      await world.assay([...replay, '--concurrency', String(concurrency)])
      const { counts, differences, notSent } = readReplay(join(world.folder, 'from-mock'))
      // A key that the run made stands in no configuration, and ids that are spelled twice may name something else.
      const reasons = notSent.map(({ count, reason }) => `${count}: ${reason.split(' ').slice(0, 3).join(' ')}`)
      expect(reasons.sort()).toEqual(['1: the enterprise-key that', '1: the ingestion-key that', '2: its path holds'])
      expect(counts.sent).toBe(exchanges - 4)
      expect(differences.filter(({ replayed }) => replayed.includes('501'))).toEqual([])
      // Requests that were under way at the same time can come in another order.
      // A replay has one wrong key for all. A key that the run made is not sent: the list that it got goes to another one.
      const others = differences.filter(({ operation }) => operation !== 'list-enterprise-keys')
      if (concurrency === 1) expect(others).toEqual([])
      expect(counts.different).toBeLessThan(0.01 * counts.sent)
    },
    LONGEST_MS,
  )
})
