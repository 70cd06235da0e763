import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { lastingFolder } from '../../fixtures/testing/folder.ts'
import { startReference } from '../../reference/server.ts'
import type { TargetConfig } from '../../schemas/types/config.ts'
import { startRun } from '../../suites/run/run.ts'
import { type CertifyOptions, planRun } from './plan.ts'
import { beginRun, type InForce, shownConfiguration } from './run.ts'

const SECRET = 'hunter2-of-all-secrets'

const IN_FORCE: InForce = {
  config: {
    baseUrl: `http://${SECRET}:${SECRET}@target.example.com/base`,
    name: 'mine',
    credentials: { accessToken: SECRET, iam: { token: SECRET, cloudResourceName: SECRET } },
    headers: { 'x-tenant': SECRET },
    tls: { ca: './ca.pem', insecure: true },
    proxy: `http://me:${SECRET}@proxy.example.com:3128`,
    features: ['pipelines', 'boards'],
    consent: { modifyTarget: true },
    rate: 5,
  },
  baseUrl: `http://${SECRET}:${SECRET}@target.example.com/base`,
  concurrency: 16,
  timeout: 30_000,
  maxIngest: 100_000,
  runs: undefined,
  bail: false,
}

test('everything that was in force is there by its path, and no secret', () => {
  const shown = shownConfiguration(IN_FORCE)
  expect(shown).toEqual({
    baseUrl: 'http://target.example.com/base',
    name: 'mine',
    'tls.ca': './ca.pem',
    'tls.insecure': 'true',
    features: 'pipelines, boards',
    'consent.modifyTarget': 'true',
    rate: '5',
    proxy: 'http://proxy.example.com:3128',
    concurrency: '16',
    timeout: '30000',
    maxIngest: '100000',
    'credentials.accessToken': '(given)',
    'credentials.iam.token': '(given)',
    'credentials.iam.cloudResourceName': '(given)',
    'headers.x-tenant': '(given)',
  })
  expect(JSON.stringify(shown)).not.toContain(SECRET)
})

test('options of the command line are there too', () => {
  expect(shownConfiguration({ ...IN_FORCE, runs: 200, bail: true })).toMatchObject({ runs: '200', bail: 'true' })
})

const folder = lastingFolder()
let controller = new AbortController()
let looks = 0
/** The first looks show a list of views that is old. A signal may come while a view is made. */
const behind = await startReference({
  overlays: [
    {
      name: 'old-list-and-signal',
      handlers: {
        'list-views': (inner) => (call) => {
          looks += 1
          return looks > 2 ? inner(call) : { status: 200, json: [] }
        },
        'create-view': (inner) => (call) => {
          controller.abort()
          return inner(call)
        },
      },
    },
  ],
})
afterAll(() => behind.close())

async function begun(
  out: string,
  given: Partial<TargetConfig>,
  signal?: AbortSignal,
  more: CertifyOptions = {},
): ReturnType<typeof beginRun> {
  const { url: baseUrl, credentials, resources } = behind
  const target = { baseUrl, credentials, resources, binding: 'reference', consent: { modifyTarget: true }, ...given }
  const plan = await planRun(
    { target, profile: 'quick', out: join(folder, out), ...more },
    { cwd: folder, env: {}, program: 'assay' },
  )
  return beginRun(plan, { baseUrl, credentials, resources }, signal)
}

test.each([
  ['the configuration', {}, {}],
  ['the command line', { consent: {} }, { yesModifyTarget: true }],
])('how old reads are is measured with the consent of %s, and is said', async (name, given, more) => {
  looks = 0
  const { context, notes } = await begun(name, given, undefined, more)
  expect(context.settleTimeout).toBeGreaterThanOrEqual(100)
  expect(notes).toEqual([expect.stringMatching(/^a thing took \d+ ms .*: reads count after \d+ ms \(settleTimeout /)])
})

test.each<[string, Partial<TargetConfig>, number]>([
  ['the configuration says it', { settleTimeout: 50 }, 50],
  ['nothing may be changed', { consent: {}, readOnly: true }, 0],
])('it is not measured where %s', async (name, given, ms) => {
  const { context, notes } = await begun(name, given)
  expect([context.settleTimeout, ...notes.filter((note) => note.includes(' took '))]).toEqual([ms])
})

test('a signal meanwhile ends it: the thing is removed, and no case is sent', async () => {
  controller = new AbortController()
  const { context } = await begun('ended', {}, controller.signal)
  expect(context.cases).toEqual([])
  const lines = readFileSync(context.journal, 'utf8').trim().split('\n').slice(1)
  expect(lines.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual(['making', 'made', 'removed'])
})

test('what nobody catches meanwhile is told of, and the process keeps its own listeners', async () => {
  controller = new AbortController()
  const { context, judge } = await begun('guarded', { settleTimeout: 0 })
  const before = (['uncaughtException', 'unhandledRejection'] as const).map((event) => process.rawListeners(event))
  const running = startRun(context, () => {}, judge)
  running.stop()
  process.emit('unhandledRejection', new Error('nobody waited'), Promise.resolve())
  process.emit('uncaughtException', new Error('nobody caught'))
  const { problems, faults, left } = await running.done
  expect(problems).toEqual(['unhandled error: nobody waited', 'unhandled error: nobody caught'])
  expect([faults, left]).toEqual([[], 0])
  expect(['uncaughtException', 'unhandledRejection'].map((event) => process.rawListeners(event))).toEqual(before)
})
