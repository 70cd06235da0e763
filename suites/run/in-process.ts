import { EventEmitter } from 'node:events'
import type { PoolRunnerInitializer, PoolWorker } from 'vitest/node'
import type { Judge } from '../../rules/oracle.ts'

/*
 * The one place that knows what vitest does not document: the name of a global variable. The pool itself is made as
 * documented (vitest.dev/guide/advanced/pool). Vitest's own pool `threads` needs nothing of this. But a run then takes
 * 0.6 s of processor time and 20 MB more, since all is loaded and compiled twice (docs/decisions/one-worker.md).
 */

/** Where vitest keeps what the worker of this thread is doing. Vitest 4.1 has no public way to ask whether there is one. */
const WORKER_STATE = '__vitest_worker__'

/** Judges the exchanges of all cases as they are written; the starter of the run uses the result. */
export type RunJudge = Pick<Judge, 'judge'>

/** The run that has this thread, with its judge: that cannot be copied, so that only a worker in this very thread has it. */
let here: { readonly judge: RunJudge | undefined } | undefined

/** The judge of the run that has this thread. */
export function judgeHere(): RunJudge | undefined {
  return here?.judge
}

/** The thread of a run. */
export interface RunThread {
  readonly pool: PoolRunnerInitializer | 'threads'
  /** To be called when the run is over. */
  release(): void
}

/** This very thread where it is free, else one of vitest's own: a thread has room for one runner of tests. */
export function takeThread(judge?: RunJudge): RunThread {
  if (here || WORKER_STATE in globalThis) return { pool: 'threads', release: () => {} }
  here = { judge }
  return {
    pool: inProcess,
    release() {
      here = undefined
      Reflect.deleteProperty(globalThis, WORKER_STATE)
    },
  }
}

/**
 * A pool of vitest whose one worker is the thread that started it. Schemas, rules and modules are then compiled once,
 * and the rules are warm when the evidence is judged.
 */
const inProcess: PoolRunnerInitializer = { name: 'assay', createPoolWorker: createInProcessWorker }

function createInProcessWorker(): PoolWorker {
  const toSuite = new EventEmitter()
  const toRunner = new EventEmitter()
  return {
    name: inProcess.name,
    async start() {
      const { init, runBaseTests, setupEnvironment } = await import('vitest/worker')
      const { exit } = process
      init({
        post: (message) => deliver(toRunner, message),
        on: (listener) => toSuite.on('message', listener),
        off: (listener) => toSuite.off('message', listener),
        setup: setupEnvironment,
        // Vitest forbids its workers to end the process; here a second Ctrl-C has to.
        onModuleRunner() {
          process.exit = exit
        },
        runTests: (state, traces) => runBaseTests('run', state, traces),
        collectTests: (state, traces) => runBaseTests('collect', state, traces),
      })
    },
    async stop() {
      toSuite.removeAllListeners()
      toRunner.removeAllListeners()
    },
    send: (message) => deliver(toSuite, message),
    on: (event, listener) => void toRunner.on(event, listener),
    off: (event, listener) => void toRunner.off(event, listener),
    deserialize: (message) => message,
  }
}

/** As between threads: a copy, taken at once, that arrives later. */
function deliver(receiver: EventEmitter, message: unknown): void {
  const copy = structuredClone(message)
  setImmediate(() => receiver.emit('message', copy))
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const
const FAULTS = ['uncaughtException', 'unhandledRejection'] as const

/** Keeps the caller's properties from vitest, which is made to own its process. */
export interface ProcessGuard {
  /** To be called when vitest is made: until then listeners for signals are taken away, for it would end the process. */
  keepSignals(): void
  /** Leaves the process as it was. */
  restore(): void
}

/** `onFault`: told what was thrown where nobody caught it, as long as the guard lasts. */
export function guardProcess(onFault: (message: string) => void): ProcessGuard {
  const before = new Map<string, Set<Listener>>([...SIGNALS, ...FAULTS].map((event) => [event, listenersOf(event)]))
  const { exit, exitCode } = process
  const tell = (thrown: unknown): void => onFault(thrown instanceof Error ? thrown.message : String(thrown))
  // An error thrown now is an error of the run and is reported with it. It must not end the process.
  for (const event of FAULTS) {
    for (const listener of before.get(event) ?? []) process.off(event, listener)
    process.on(event, tell)
  }

  // At once, and not when vitest is made: a signal may come while it is being made.
  const onListener = (event: string | symbol, listener: Listener): void => {
    if (SIGNALS.some((signal) => signal === event)) queueMicrotask(() => process.off(event, listener))
  }
  process.on('newListener', onListener)

  const removeNew = (events: readonly string[]): void => {
    for (const event of events) {
      for (const listener of listenersOf(event)) if (!before.get(event)?.has(listener)) process.off(event, listener)
    }
  }
  return {
    keepSignals() {
      process.off('newListener', onListener)
      removeNew(SIGNALS)
    },
    restore() {
      process.off('newListener', onListener)
      removeNew([...SIGNALS, ...FAULTS])
      for (const event of FAULTS) for (const listener of before.get(event) ?? []) process.on(event, listener)
      process.exit = exit
      process.exitCode = exitCode
    },
  }
}

type Listener = (...values: unknown[]) => void

function listenersOf(event: string): Set<Listener> {
  return new Set(process.rawListeners(event as NodeJS.Signals) as unknown as Listener[])
}
