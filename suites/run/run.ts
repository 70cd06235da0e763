import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { BroadcastChannel } from 'node:worker_threads'
import type { Reporter, TestCase } from 'vitest/node'
import type { MeasuredCase } from '../case.ts'
import { allCases } from '../cases/index.ts'
import { guardProcess, type RunJudge, takeThread } from './in-process.ts'
import type { RunContext, StopOrder, WorkerEnd, WorkerProgress, WriteFault } from './run-context.ts'
import { costOf } from './select.ts'

/** How far a run is. */
export interface RunProgress extends CaseProgress {
  readonly cases: number
  readonly casesInAll: number
  readonly requests: number
  /** requirements that were found broken */
  readonly findings: number
}

interface CaseProgress {
  /** requirements whose cases have all ended, and all that the run brings about */
  readonly requirements: { readonly done: number; readonly all: number }
  /** the part of the work that is done, between 0 and 1, by the costs that were measured */
  readonly share: number
  /** the case that began last, of those under way */
  readonly trying: string | undefined
}

export interface RunOutcome {
  /** ids of the cases that came to an end */
  readonly finished: ReadonlySet<string>
  /** errors of the run itself, not of the target */
  readonly problems: readonly string[]
  /** what could not be written any more, so that the run was stopped */
  readonly faults: readonly WriteFault[]
  /** things that cleanup could not remove; undefined: the worker did not tell */
  readonly left: number | undefined
  /** all exchanges were judged as they were written, by the judge of the run */
  readonly judged: boolean
  /** in words: how far the pace was lowered; undefined: it was not */
  readonly slowed: string | undefined
}

/** A run under way. */
export interface Running {
  readonly done: Promise<RunOutcome>
  /** Lets what is under way come to its end, with cleanup, and starts nothing more. */
  stop(): void
}

/** Milliseconds within which the worker's last message comes. */
const LAST_WORD_MS = 2_000

const here = dirname(fileURLToPath(import.meta.url))

/** The compiled code, which needs no transforming: vitest reads the suite file alone, all else is imported as it is. */
const COMPILED = /^(?!.*certify\.suite\.).*\.js$/

/** Starts to load what `startRun` needs, which takes a while, so that it can be waited for beside something else. */
export function preloadRun(): void {
  // The starter of the run hears of the failure.
  import('vitest/node').catch(() => {})
}

/**
 * Runs the chosen cases under vitest, in this very thread. What they find is in the evidence folder, not in the outcome.
 * `judge`: of all exchanges, as they are written; not asked where the run needs a thread of its own.
 */
export function startRun(context: RunContext, onProgress: (progress: RunProgress) => void, judge?: RunJudge): Running {
  const finished = new Set<string>()
  const problems: string[] = []
  const count = createCount(context)
  const worker = listenToWorker(context.channel, () => tell())
  const tell = (): void =>
    onProgress({ cases: finished.size, casesInAll: context.cases.length, ...worker.counts, ...count.now() })
  const reporter: Reporter = {
    onTestCaseReady(test) {
      count.begin(caseOf(test) ?? '')
    },
    onTestCaseResult(test) {
      const id = caseOf(test)
      if (id !== undefined) finished.add(id)
      count.end(id ?? '')
      tell()
    },
    onTestRunEnd(_modules, unhandled) {
      for (const error of unhandled) problems.push(`unhandled error: ${error.message}`)
    },
  }
  return {
    done: run(context, reporter, judge, (problem) => problems.push(problem))
      .then(async (failure) => {
        if (failure !== undefined) problems.push(failure)
        const { faults = [], left, judged = false, slowed } = (await worker.lastWord(failure === undefined)) ?? {}
        return { finished, problems, faults, left, judged, slowed }
      })
      .finally(() => worker.close()),
    stop: () => worker.stop(),
  }
}

/** The other end of the worker's channel. */
interface WorkerChannel {
  /** as the worker told them last */
  readonly counts: { readonly requests: number; readonly findings: number }
  /** What the worker says at its end. `wait`: it may still be under way. */
  lastWord(wait: boolean): Promise<WorkerEnd | undefined>
  stop(): void
  close(): void
}

function listenToWorker(name: string, onProgress: () => void): WorkerChannel {
  const channel = new BroadcastChannel(name)
  const counts = { requests: 0, findings: 0 }
  let stopping = false
  let isOpen = true
  let end: WorkerEnd | undefined
  let onEnd = (): void => {}
  const ended = new Promise<void>((resolve) => {
    onEnd = resolve
  })
  const order = (): void => channel.postMessage({ type: 'stop' } satisfies StopOrder)
  channel.onmessage = (event) => {
    const message = (event as MessageEvent).data as WorkerProgress | WorkerEnd | StopOrder
    if (message.type === 'closed') {
      end = message
      onEnd()
    }
    if (message.type !== 'progress') return
    counts.requests = message.requests
    counts.findings = message.findings
    // a worker that was not there yet when the order went out hears it now
    if (stopping) order()
    onProgress()
  }
  return {
    counts,
    async lastWord(wait) {
      if (wait) await Promise.race([ended, sleep(LAST_WORD_MS, undefined, { ref: false })])
      return end
    },
    stop() {
      stopping = true
      // A signal may come when nobody listens any more: while the report is written.
      if (isOpen) order()
    },
    close() {
      isOpen = false
      // Open, it would keep the process for ever.
      channel.close()
    },
  }
}

interface Count {
  begin(id: string): void
  end(id: string): void
  now(): CaseProgress
}

/** Counts how far the cases of a run are. */
function createCount({ cases, only }: RunContext): Count {
  const chosen = new Set(cases)
  const waiting = new Map(allCases().flatMap((one) => (chosen.has(one.id) ? [[one.id, one] as const] : [])))
  const whole = costOf([...waiting.values()])
  const wanted = only === undefined ? undefined : new Set(only)
  const requirementsOf = ({ requirements }: MeasuredCase): readonly string[] =>
    requirements.filter((id) => !id.startsWith('GAP-') && (wanted?.has(id) ?? true))
  /** requirement -> cases that have not ended */
  const open = new Map<string, number>()
  for (const one of waiting.values()) for (const id of requirementsOf(one)) open.set(id, (open.get(id) ?? 0) + 1)
  const all = open.size
  const running = new Set<string>()
  let spent = 0
  return {
    begin: (id) => void running.add(id),
    end(id) {
      running.delete(id)
      const ended = waiting.get(id)
      if (!ended || !waiting.delete(id)) return
      spent += costOf([ended])
      for (const requirement of requirementsOf(ended)) {
        const left = (open.get(requirement) ?? 0) - 1
        if (left > 0) open.set(requirement, left)
        else open.delete(requirement)
      }
    },
    now: () => ({
      requirements: { done: all - open.size, all },
      share: whole === 0 ? 0 : spent / whole,
      trying: [...running].at(-1),
    }),
  }
}

/** Returns what went wrong with vitest itself. */
async function run(
  context: RunContext,
  reporter: Reporter,
  judge: RunJudge | undefined,
  onError: (problem: string) => void,
): Promise<string | undefined> {
  const { createVitest } = await import('vitest/node')
  const cache = mkdtempSync(join(tmpdir(), 'assay-'))
  const thread = takeThread(judge)
  const guard = guardProcess((message) => onError(`unhandled error: ${message}`))
  try {
    const vitest = await createVitest(
      'test',
      {
        config: false,
        root: dirname(here),
        dir: here,
        include: ['**/certify.suite.{js,ts}'],
        exclude: [],
        watch: false,
        pool: thread.pool,
        isolate: false,
        disableConsoleIntercept: true,
        server: { deps: { external: [COMPILED] } },
        maxWorkers: 1,
        maxConcurrency: context.concurrency,
        sequence: { concurrent: true, shuffle: false },
        hookTimeout: 0,
        testTimeout: 0,
        passWithNoTests: true,
        reporters: [reporter],
        provide: { runContext: context },
        api: false,
        coverage: { enabled: false },
      },
      { envDir: false, cacheDir: cache, logLevel: 'error' },
    )
    guard.keepSignals()
    try {
      const { testModules } = await vitest.start()
      const broken = testModules.flatMap((module) => module.errors())
      return broken[0] === undefined ? undefined : `the suite could not be loaded: ${broken[0].message}`
    } finally {
      await vitest.close()
    }
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown)
  } finally {
    guard.restore()
    thread.release()
    rmSync(cache, { recursive: true, force: true })
  }
}

function caseOf(test: TestCase): string | undefined {
  return test.meta().caseId
}
