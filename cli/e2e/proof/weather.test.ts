import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { readSegments } from '../../../fixtures/segments/read.ts'
import type { Overlay } from '../../../reference/core/overlay.ts'
import { type Call, type Handler, isPending, type Reply } from '../../../reference/core/route.ts'
import { faultOverlay } from '../../../reference/faults/index.ts'
import { type Reference, startReference } from '../../../reference/server.ts'
import type { TargetConfig } from '../../../schemas/types/config.ts'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import type { Profile, Report } from '../../../schemas/types/report.ts'
import { configOf, test, type World } from '../../testing/world.ts'
import { account } from '../testing/account.ts'
import { errorLines, found, readReport } from '../testing/expectations.ts'
import { atRandom, type Forecast, startWeather, TENTH, type Weather, type WeatherOptions } from '../testing/weather.ts'

const TIMEOUT_MS = 3_000
/** Requests from which on nothing but cases is under way. */
const UNDER_WAY = 1_000
const consent = { modifyTarget: true, exclusions: true, suspend: true, archiving: true, allowOwnerDeletion: true }

interface Kind extends Partial<Omit<WeatherOptions, 'seed' | 'timeout'>> {
  readonly config?: Partial<TargetConfig>
  /** requirements that are found to hold, at least */
  readonly passes?: number
  /** things that are left on the target, at most */
  readonly leftovers?: number
  /** what happens once so many requests were sent */
  readonly onceUnderWay?: (weather: Weather, world: World, reference: Reference) => Promise<void>
  /** the clock of the target */
  readonly now?: () => number
  /** what the program loads before anything else */
  readonly preload?: string
  /** name of the target in the configuration */
  readonly host?: string
}

const ALL = 348

/** Answers each question for the address of `target.test`, by code that calls `done`. */
const lookup = (code: string): string => `
const dns = require('node:dns')
const lookup = dns.lookup
let asked = 0
dns.lookup = (host, options, done) => {
  if (host !== 'target.test') return lookup(host, options, done)
  const tell = (addresses) => options.all ? done(null, addresses) : done(null, addresses[0].address, addresses[0].family)
  process.nextTick(() => { ${code} })
}
require('node:module').syncBuiltinESMExports()
`

/** A clock that is right in the first of every nine seconds, then an hour slow, then an hour fast. */
function jumping(): () => number {
  const start = Date.now()
  return () => {
    const at = (Date.now() - start) % 9_000
    return Date.now() + (at > 6_000 ? 3_600_000 : at > 3_000 ? -3_600_000 : 0)
  }
}

/** Demo sources and taps go by a clock that is right. A jump in the midst of a tap would end it early, or an hour late. */
const RIGHT_TAPS: Overlay = {
  name: 'right taps',
  handlers: Object.fromEntries(
    ['create-source', 'start-tap'].map((operation) => [
      operation,
      (inner: Handler) =>
        (call: Call): Reply => {
          const due = (reply: Reply): Reply => {
            if (!isPending(reply)) return reply
            return { resumeAt: call.env.now() + reply.resumeAt - Date.now(), resume: () => due(reply.resume()) }
          }
          return due(inner({ ...call, env: { ...call.env, now: Date.now } }))
        },
    ]),
  ),
}

const JUMPING = `
const real = Date.now
const start = real()
const shift = () => { const at = (real() - start) % 12_000; return at > 8_000 ? 7_200_000 : at > 4_000 ? -3_600_000 : 0 }
const Old = Date
Old.now = () => real() + shift()
globalThis.Date = new Proxy(Old, {
  construct: (made, given, as) => Reflect.construct(made, given.length > 0 ? given : [Old.now()], as),
  apply: () => new Old(Old.now()).toString(),
})
`

/** From a moment on, for so long. */
const burst = (of: '503' | 'reset', ms: number): Kind => {
  let begun: number | undefined
  return {
    forecast({ at, count }) {
      if (count < UNDER_WAY) return undefined
      begun ??= at
      return at - begun < ms ? of : undefined
    },
    passes: 330,
    leftovers: 5,
  }
}

const KINDS: Readonly<Record<string, Kind>> = {
  'a tenth of 500': { forecast: atRandom({ '500': 100 }), passes: 330 },
  'a third of 500': { forecast: atRandom({ '500': 300 }), passes: 300 },
  'one broken backend of three, in turn': {
    forecast: ({ count }) => (count % 3 === 0 ? '500' : undefined),
    passes: 300,
  },
  'one dead backend of three, in turn': {
    forecast: ({ count }) => (count % 3 === 0 ? 'reset' : undefined),
    passes: 290,
  },
  'a tenth of resets': { forecast: atRandom({ reset: 50, 'reset-done': 50 }), passes: 330 },
  'nothing but 503 for half a minute': burst('503', 30_000),
  'nothing but 503 for three seconds': burst('503', 3_000),
  'nothing but resets for three seconds': burst('reset', 3_000),
  'a restart': { onceUnderWay: (weather) => weather.leave(1_000), passes: 330, leftovers: 5 },
  'a long restart': { onceUnderWay: (weather) => weather.leave(15_000), passes: 330, leftovers: 5 },
  'a short Retry-After of any form': {
    forecast: atRandom({ '429': 20 }),
    retryAfter: ['0', '-5', '0.5', 'soon', '', 'Wed, 21 Oct 2015 07:28:00 GMT', 'NaN', '1, 2', '-0', '0x1'],
  },
  'a huge Retry-After': {
    forecast: ({ count }) => (count === UNDER_WAY ? '429' : undefined),
    retryAfter: ['99999999999'],
  },
  'reads that are stale for two seconds': {
    forecast: ({ random }) => (random() < 0.5 ? 'stale' : undefined),
    config: { settleTimeout: 3_000 },
  },
  'connections that close after each response': { forecast: () => 'close' },
  'idle connections that close at once': { idleMs: 1 },
  'idle connections that close soon': { idleMs: 20 },
  'responses that come byte by byte': { forecast: () => 'bytes' },
  'a name that is found every second time': {
    forecast: () => 'close',
    // Requests beside each other take turns: some are not heard in five tries.
    passes: 300,
    host: 'target.test',
    preload: lookup(`
      if (asked++ % 2 === 1) return done(Object.assign(new Error('getaddrinfo EAI_AGAIN'), { code: 'EAI_AGAIN' }))
      tell([{ address: '127.0.0.1', family: 4 }])`),
  },
  'a dead IPv6 address before a good one': {
    host: 'target.test',
    preload: lookup("tell([{ address: '100::1', family: 6 }, { address: '127.0.0.1', family: 4 }])"),
  },
  'a clock of the target that jumps': { now: jumping() },
  'a clock of this machine that jumps': { preload: JUMPING },
}

async function start(world: World, seed: number, kind: Kind, reference: Reference): Promise<Weather> {
  world.onClose(reference.close)
  const { onceUnderWay, forecast = () => undefined } = kind
  let happened = false
  const weather: Weather = await startWeather(reference.url, {
    ...kind,
    seed,
    timeout: TIMEOUT_MS,
    forecast(moment) {
      if (!happened && moment.count === UNDER_WAY) {
        happened = true
        void onceUnderWay?.(weather, world, reference)
      }
      return forecast(moment)
    },
  })
  world.onClose(weather.close)
  const url = new URL(weather.url)
  if (kind.host) url.hostname = kind.host
  const more = { baseUrl: url.origin, timeout: TIMEOUT_MS, consent, ...kind.config }
  world.write('assay.config.json', configOf(reference, more))
  return weather
}

/** Some requests that nobody may repeat fail. For more than a quarter nobody knows whether they were carried out. */
const OF_TEN: Kind = { forecast: TENTH, passes: 270, leftovers: 15 }
const RUNS: readonly (readonly [kind: string, seed: number, profile: Profile, what: Kind])[] = [
  ...Object.entries(KINDS).map(([name, kind]) => [name, 7, 'quick', kind] as const),
  ...Array.from({ length: 44 }, (_, index) => ['a tenth that fails', index + 1, 'quick', OF_TEN] as const),
  ...Array.from({ length: 6 }, (_, index) => ['a tenth that fails', index + 101, 'standard', OF_TEN] as const),
]

/** How often the target failed, as the evidence shows it. Repetitions are not counted. */
async function failuresIn(folder: string): Promise<Report['failures']> {
  const failures = { serverErrors: 0, unanswered: 0, repeated: 0 }
  for await (const { _outcome, response } of readSegments<Exchange>(join(folder, 'evidence'), 'exchanges')) {
    if (_outcome !== 'complete') failures.unanswered += 1
    else if (response.status >= 500) failures.serverErrors += 1
  }
  return failures
}

describe.concurrent('bad weather', () => {
  test.for(RUNS)(
    'of %s blames nobody, seed %i, profile %s',
    { timeout: 600_000 },
    async ([, seed, profile, kind], { world }) => {
      const reference = await startReference(kind.now ? { now: kind.now, overlays: [RIGHT_TAPS] } : {})
      const weather = await start(world, seed, kind, reference)
      const preload = kind.preload === undefined ? undefined : world.write('preload.cjs', kind.preload)
      const env = preload === undefined ? {} : { env: { NODE_OPTIONS: `--require ${preload}` } }
      const words = ['certify', '--profile', profile, '--seed', String(seed)]
      const ended = await world.assay(words, { longest: 590_000, ...env })
      expect(errorLines(ended)).toEqual([])
      const out = join(world.folder, 'assay-report')
      const report = readReport(out)
      expect(found(report, 'fail', 'warn', 'error')).toEqual([])
      expect(report.problems).toEqual([])
      expect(await failuresIn(out)).toEqual({ serverErrors: 0, unanswered: 0, ...report.failures, repeated: 0 })
      expect(ended.code).toBeOneOf([0, 4])
      // It is no reason to look away: most is found to hold all the same.
      expect(found(report, 'pass').length).toBeGreaterThan(kind.passes ?? ALL)
      expect(report.leftovers.length).toBeLessThanOrEqual(kind.leftovers ?? 10)
      // The run knows of what it left, but for what was made late.
      weather.end()
      const left = JSON.stringify([...(await account(reference))]).match(/assay-[0-9a-f]{6}-[a-z0-9-]+/g) ?? []
      expect(left.length).toBeLessThan(60)
    },
  )
})

const MILD = atRandom({ '503': 20, reset: 5, 'reset-done': 5, '500': 5 })

/** Faults of all topics, and the requirement that each breaks. */
const FAULTS: Readonly<Record<string, string>> = {
  'transform-config-kept-of-kind': 'TRANSFORM-UPDATE-REPLACES',
  'update-state-variables-not-allowed': 'STATEVAR-STATUS',
  'list-enterprise-keys/0/created/type-number': 'KEY-CREATED-TYPE',
  'delete-exclusion/unknown-exclusion/more': 'EXCLUSION-ERROR-ONLY',
  'list-usage-v2-by-host-seconds': 'USAGE-V2-DAY',
  'line-app-upper-case': 'LINES-FIELDS',
  'delete-transform-not-applied': 'TRANSFORM-DELETE',
  'processing-toggles': 'PROCESSING-STATUS-SWITCHES',
  'list-enterprise-keys-broken': 'ENT-KEYS-LIST-STATUS',
  'update-gateway-route-not-applied': 'ROUTE-PATCH-APPLIES',
  'list-screens-open': 'AUTH-V1-REQUIRED',
  'tap-limit-server-error': 'TAP-LIMIT-MAX',
  'tap-filter-ignored': 'TAP-FILTER',
  'list-usage-by-tag-top-three': 'USAGE-TAGS-AGGREGATES',
  'list-pipelines-without-newest': 'PIPELINE-LIST',
  'update-view-name-lower-case': 'VIEW-READ',
  'delete-screen-not-applied': 'SCREEN-DELETE-REMOVES',
  'update-preset-alert-missing': 'PRESET-UPDATE-STATUS',
  'delete-exclusion-broken': 'EXCLUSION-DELETE-STATUS',
  'node/title/pattern-takes-greater-than': 'NODE-TITLE-PATTERN',
  'route-rest-hidden': 'ROUTE-PATCH-PARTIAL',
}

describe.concurrent('mild bad weather', () => {
  test.for(Object.entries(FAULTS))(
    'does not hide the fault %s',
    { timeout: 300_000 },
    async ([fault, requirement], { world }) => {
      const reference = await startReference({ overlays: [faultOverlay(fault)] })
      await start(world, 11, { forecast: MILD }, reference)
      const words = ['certify', '--profile', 'standard', '--seed', '11', '--strict', '--only', requirement]
      const ended = await world.assay(words, { longest: 290_000 })
      const report = readReport(join(world.folder, 'assay-report'))
      expect({ code: ended.code, fails: found(report, 'fail', 'error') }).toEqual({ code: 1, fails: [requirement] })
    },
  )
})

/** After these nothing comes late: whatever is seen then seems to be the work of the call before. */
const SUSPENSION = atRandom({ '500': 300, '500-done': 100 })

describe.concurrent('bad weather of calls that suspend', () => {
  test.for(Array.from({ length: 20 }, (_, index) => index + 1))(
    'blames nobody, seed %i',
    { timeout: 300_000 },
    async (seed, { world }) => {
      const changes = /\/ingestion\/(?:suspend|resume)/
      const forecast: Forecast = (moment) => (changes.test(moment.path) ? SUSPENSION(moment) : undefined)
      await start(world, seed, { forecast }, await startReference())
      const words = ['certify', '--profile', 'quick', '--seed', String(seed), '--only', 'suspension']
      const ended = await world.assay(words, { longest: 290_000 })
      const report = readReport(join(world.folder, 'assay-report'))
      expect({ lines: errorLines(ended), found: found(report, 'fail', 'warn', 'error') }).toEqual({
        lines: [],
        found: [],
      })
    },
  )
})
