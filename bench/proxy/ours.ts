// The proxy with as many of its parts switched on as the second argument says.

import { collectChunks } from '../../fixtures/heap.ts'
import { tendYoungGeneration } from '../../proxy/fast/v8-tuning.ts'
import { createForwarder } from '../../proxy/forward/forwarder.ts'
import { BACKLOG, createListener } from '../../proxy/forward/listener.ts'
import type { Observe } from '../../proxy/forward/observer.ts'
import type { RecorderThreadOptions } from '../../proxy/recorder/messages.ts'
import { type RecorderThread, startRecorder } from '../../proxy/recorder/start.ts'
import { Queue, type ToRecorder } from '../../proxy/tee/queue.ts'
import { createTee } from '../../proxy/tee/tee.ts'
import { shippedBinding } from '../../schemas/binding.ts'
import { reportPort } from './messages.ts'

export type Stage = 'forward' | 'tee' | 'record' | 'judge'

const [, , target = '', stage = 'judge', folder = '', keep = 'named'] = process.argv
const now = (): number => performance.timeOrigin + performance.now()
const passed = collectChunks()
const SILENT: Observe = () => ({ requestData() {}, answerHead() {}, answerData() {}, done() {} })
let recorder: RecorderThread | undefined

async function observer(): Promise<Observe> {
  if (stage === 'forward') return SILENT
  if (stage === 'tee') {
    const queue = new Queue({
      post: (message: ToRecorder) =>
        setImmediate(() => {
          if ('weight' in message) queue.acknowledge(message.weight, message.type)
        }),
    })
    return createTee({ sink: queue, session: 'bench', maxBody: 1 << 20, passed, now })
  }
  recorder = await startRecorder(
    {
      session: 'bench',
      folder,
      baseUrl: target,
      binding: { name: 'default', chain: ['default'], files: [shippedBinding('default')] },
      credentials: [['benchmark-access-token', 'access-token']],
      ownerEmail: undefined,
      key: Buffer.from('bench'),
      keep: keep as RecorderThreadOptions['keep'],
      judge: stage === 'judge',
      strict: false,
      settleMs: 0,
      compress: false,
      live: false,
      fullBodies: false,
      about: { tool: 'bench', startedAt: new Date().toISOString() },
    },
    { onProblem: (message) => process.stderr.write(`${message}\n`) },
  )
  return createTee({ sink: recorder.queue, session: 'bench', maxBody: 1 << 20, passed, now })
}

/** What is under way when the load ends is recorded as well. */
async function quiet(): Promise<void> {
  for (let waited = 0; waited < 200 && forwarder.active() > 0; waited += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const forwarder = createForwarder({ target: { url: target, timeoutMs: 60_000 }, observe: await observer() })
// As `assay record` does, also without a recorder.
tendYoungGeneration()
process.on('disconnect', () => process.exit())
process.on('message', (message: 'counts' | 'end') => {
  const answer = (): object => ({
    queue: recorder?.queue.counts(),
    recorder: recorder?.counts(),
    rss: process.memoryUsage().rss,
    heap: process.memoryUsage(),
  })
  if (message === 'counts') process.send?.(answer())
  else {
    void quiet()
      .then(() => recorder?.end())
      .then((summary) => process.send?.({ ...answer(), summary }))
  }
})
reportPort(createListener({ forwarder }), BACKLOG)
