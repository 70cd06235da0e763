import { EventEmitter } from 'node:events'
import type { PoolRunnerInitializer, PoolWorker } from 'vitest/node'

/**
 * A pool of vitest whose one worker is the thread that started it. Schemas, rules and modules are then compiled once,
 * and the rules are warm when the evidence is judged. See decisions/one-worker.md.
 */
export const inProcess: PoolRunnerInitializer = { name: 'assay', createPoolWorker: createInProcessWorker }

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
