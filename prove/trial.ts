import { createRedactor } from '../fixtures/redact/run.ts'
import type { Overlay } from '../reference/core/overlay.ts'
import { type ReferenceOptions, startReference } from '../reference/server.ts'
import type { Judgement } from '../rules/core/judgement.ts'
import { createTallyBook, type TallyBook } from '../rules/core/tally.ts'
import { createOracle, type Judge, type OracleFactory } from '../rules/oracle.ts'
import { type BindingData, resolveBinding, shippedBinding } from '../schemas/binding.ts'
import type { BindingFile } from '../schemas/types/binding.ts'
import type { CaseRecord } from '../schemas/types/case.ts'
import type { Exchange } from '../schemas/types/exchange.ts'
import type { Profile } from '../schemas/types/report.ts'
import { Interrupted, type MeasuredCase } from '../suites/case.ts'
import { secretsOf } from '../suites/request/credentials.ts'
import { RUNS, type RunContext, WALKS } from '../suites/run/run-context.ts'
import { withWalks } from '../suites/run/select.ts'
import { stepsOf, takeSteps } from '../suites/run/steps.ts'
import { freshState, openRunSession, type Worker } from '../suites/run/worker.ts'

/** What is done to one target: the reference with something laid over it, started for this and thrown away after it. */
export interface TrialOptions {
  readonly overlay?: Overlay | readonly Overlay[] | undefined
  /** laid below it, as if the reference were that way; left out: nothing */
  readonly reference?: Overlay
  readonly plan?: ReferenceOptions['plan']
  /** laid over the binding of the reference */
  readonly binding?: BindingFile
  /** milliseconds within which a read may still be old */
  readonly settleTimeout?: number
  readonly newId?: () => string
  /** enterprise operations are sent with the enterprise key alone, or with an access token beside it */
  readonly enterprise?: 'alone' | 'both'
  readonly seed: number
  readonly profile: Profile
  readonly cases: readonly MeasuredCase[]
  /** only these requirements are probed; undefined: all */
  readonly only?: readonly string[]
  /** cases under way at once */
  readonly concurrency: number
  /** told of everything that is found broken, and after how many requests; true: that will do. Left out: all is run */
  readonly enough?: (broken: Judgement, requests: number) => boolean
}

/** The common part of every outcome. Plain data: it crosses threads and stands in the state file. */
export interface Tried {
  readonly name: string
  readonly about: string
  readonly requests: number
  readonly milliseconds: number
  /** what broke */
  readonly detail: string
}

export interface Trial {
  /** sent until the end, or until it was enough */
  readonly requests: number
  readonly broken: readonly Judgement[]
  readonly tallies: TallyBook
  readonly records: readonly CaseRecord[]
  /** by id */
  readonly exchanges: ReadonlyMap<string, Exchange>
  /** errors of the reference itself, which the suite saw as 500 */
  readonly faults: readonly string[]
}

/** Runs cases against the reference with an overlay, in this thread. */
export async function runTrial(options: TrialOptions): Promise<Trial> {
  const faults: string[] = []
  // What the suite sees of a reference that broke says nothing: there is no need to go on.
  let onFault = (): void => {}
  const reference = await startReference({
    overlays: [options.reference, options.overlay].flat().filter((one) => one !== undefined),
    ...(options.plan ? { plan: options.plan } : {}),
    ...(options.newId ? { newId: options.newId } : {}),
    onFault(error) {
      faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
      onFault()
    },
  })
  try {
    const { factory, data } = oracleFor(options)
    const run = contextOf(options, data, reference)
    const totals = createTotals(options, () => worker.stop())
    // One for all cases, as in any run: some rules need to see several.
    const judge = watched(factory.createJudge(), totals.judged)
    const worker = openMemoryWorker(run, { binding: factory.oracle.binding, factory, judge }, totals.sent)
    onFault = () => totals.stop()
    try {
      const steps = stepsOf(run.cases, () => worker, 0)
      await takeSteps(steps, options.concurrency, async ({ work }) => {
        if (!totals.isEnough()) await work()
      })
      judge.end()
    } finally {
      await worker.close()
    }
    return { ...totals.end(), records: worker.records, exchanges: worker.seen, faults }
  } finally {
    await reference.close()
  }
}

/** What vanishes after a while does so sooner here. */
const LATE_MS = 700

/** Adds up what a target shows, until it is enough. */
function createTotals({ enough = () => false }: TrialOptions, onEnough: () => void) {
  const broken: Judgement[] = []
  const tallies = createTallyBook()
  const failed = new Set<string>()
  let requests = 0
  let done = false
  const stop = (): void => {
    done = true
    onEnough()
  }
  return {
    stop,
    isEnough: () => done,
    judged(judgement: Judgement): void {
      if (done) return
      tallies.add(judgement)
      if (judgement.outcome === 'failed') failed.add(judgement.requirement)
      if (judgement.outcome !== 'broken') return
      broken.push(judgement)
      if (enough(judgement, requests)) stop()
    },
    sent(): void {
      if (!done) requests += 1
    },
    end(): Pick<Trial, 'requests' | 'broken' | 'tallies'> {
      // What failed may have been seen to hold until now.
      for (const judgement of [...failed].flatMap((id) => tallies.of(id).broken)) {
        if (judgement.outcome !== 'failed' || done) continue
        broken.push(judgement)
        done = enough(judgement, requests)
      }
      return { requests, broken, tallies }
    },
  }
}

const oracles = new Map<string, { readonly factory: OracleFactory; readonly data: BindingData }>()

/** Compiling schemas is dear, and the same for all targets under one binding. */
function oracleFor({ binding, settleTimeout = 0 }: TrialOptions): {
  readonly factory: OracleFactory
  readonly data: BindingData
} {
  const key = `${binding?.name ?? ''} ${settleTimeout}`
  const known = oracles.get(key)
  if (known) return known
  const files = [...(binding ? [binding] : []), shippedBinding('reference'), shippedBinding('default')]
  const data: BindingData = { name: files[0]?.name ?? '', chain: files.map(({ name }) => name), files }
  const factory = createOracle({ binding: resolveBinding(data), basePath: '', settleMs: settleTimeout })
  const made = { factory, data }
  oracles.set(key, made)
  return made
}

/** A judge that tells what it says, at once. */
function watched(judge: Judge, tell: (judgement: Judgement) => void): Judge {
  return {
    ...judge,
    judge(exchange) {
      const judged = judge.judge(exchange)
      for (const judgement of judged.judgements) tell(judgement)
      return judged
    },
    end() {
      const judgements = judge.end()
      for (const judgement of judgements) tell(judgement)
      return judgements
    },
  }
}

function contextOf(
  options: TrialOptions,
  binding: BindingData,
  { url, credentials, resources }: Pick<RunContext, 'credentials' | 'resources'> & { readonly url: string },
): RunContext {
  return {
    baseUrl: url,
    credentials,
    headers: {},
    tls: {},
    proxy: undefined,
    binding,
    seed: options.seed,
    startedAt: Date.now(),
    runPrefix: 'assay-prove',
    folder: '',
    journal: '',
    profile: options.profile,
    runs: RUNS[options.profile],
    steps: WALKS[options.profile].steps,
    lateLook: LATE_MS,
    cases: withWalks(options.cases, WALKS[options.profile].walks),
    only: options.only,
    consent: {},
    resources,
    embedded: true,
    enterprise: options.enterprise ?? 'alone',
    settleTimeout: options.settleTimeout ?? 0,
    timeout: 30_000,
    concurrency: options.concurrency,
    rate: undefined,
    maxIngest: 1_000_000,
    maxIngestBytes: 1_000_000_000,
    readOnly: false,
    sink: {},
    bail: true,
  }
}

/** Kept in memory: nothing that is found here outlives the process. */
interface MemoryWorker extends Worker {
  readonly seen: ReadonlyMap<string, Exchange>
  readonly records: readonly CaseRecord[]
}

/** A target that goes away with all that was made on it needs no journal and no cleanup: once stopped, nothing is sent. */
function openMemoryWorker(
  run: RunContext,
  given: Pick<Worker, 'binding' | 'factory' | 'judge'>,
  onExchange: (exchange: Exchange) => void,
): MemoryWorker {
  const redactor = createRedactor(secretsOf(run.credentials), run.headers)
  const session = openRunSession(run, redactor, '')
  const seen = new Map<string, Exchange>()
  const records: CaseRecord[] = []
  let stopped = false
  return {
    run,
    ...given,
    session: {
      async send(request) {
        if (stopped) throw new Interrupted('the target is not needed any more')
        const exchange = await session.send(request)
        onExchange(exchange)
        return exchange
      },
      close: () => session.close(),
    },
    journal: { write: async () => {}, close: async () => {} },
    ...freshState(run, given.binding),
    exchanges: sink((record) => seen.set((record as Exchange)._id, record as Exchange)),
    cases: sink((record) => records.push(record as CaseRecord)),
    progress: { requests: 0, broken: new Set(), asked: new Set() },
    seen,
    records,
    stopped: () => stopped,
    stop: () => {
      stopped = true
    },
    async close() {
      await session.close()
      return { faults: [], left: undefined, slowed: undefined }
    },
  }
}

function sink(append: (record: unknown) => unknown): Worker['exchanges'] {
  return { append: (record) => void append(record), flush: () => {}, close: () => {} }
}
