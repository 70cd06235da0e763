// The recorder's thread: what the tee took down comes in as messages and is decoded, judged, redacted and written here.
import { parentPort, workerData } from 'node:worker_threads'
import { createHeapLimit } from '../../fixtures/heap.ts'
import { Live, type StandingNow } from '../../fixtures/live/live.ts'
import type { OpenGroup } from '../../fixtures/live/messages.ts'
import { Capture } from '../../fixtures/recording/capture.ts'
import { RecordingWriter } from '../../fixtures/recording/write.ts'
import { fingerprintOf } from '../../fixtures/redact/pseudonym.ts'
import { openBodies } from '../../fixtures/segments/bodies.ts'
import { openSegment } from '../../fixtures/segments/write.ts'
import { createOracle } from '../../rules/oracle.ts'
import { resolveBinding } from '../../schemas/binding.ts'
import { basePathOf, withoutSlash } from '../../schemas/url.ts'
import { unpack } from '../fast/packing.ts'
import { keepYoungGeneration } from '../fast/v8-tuning.ts'
import type { ToRecorder } from '../tee/queue.ts'
import type { TrafficFinding } from './findings.ts'
import type { FromRecorder, RecorderThreadData } from './messages.ts'
import { Recorder } from './recorder.ts'

/** Milliseconds between two lots of news for the live page. */
const LIVE_MS = 200
/** Milliseconds after which a finding is in its file, and what passed before is looked at again. */
const FINDINGS_MS = 1_000
/** Milliseconds between two looks at the memory, beside those after each batch. */
const MEMORY_MS = 200

const port = parentPort
if (!port) throw new Error('the recorder runs in a thread of its own')
const options = workerData as RecorderThreadData
const say = (message: FromRecorder): void => port.postMessage(message)

const binding = resolveBinding(options.binding)
const { folder } = options
let bodyProblem = ''
const bodies =
  folder === undefined || !options.fullBodies
    ? undefined
    : openBodies(folder, (message) => {
        // A disk that is full would say so for every body.
        if (bodyProblem === '') say({ type: 'problem', message })
        bodyProblem = message
      })
const capture = new Capture({
  binding,
  baseUrl: options.baseUrl,
  credentials: new Map(options.credentials),
  ownerEmail: options.ownerEmail,
  key: options.key,
  keep: options.keep,
  bodies,
})
const writer =
  folder === undefined
    ? undefined
    : new RecordingWriter(folder, {
        about: options.about,
        base: withoutSlash(options.baseUrl),
        key: fingerprintOf(options.key),
        compress: options.compress,
        onProblem: (message) => say({ type: 'problem', message }),
      })
const findings = folder === undefined || !options.judge ? undefined : openFindings(folder)
const basePath = basePathOf(options.baseUrl)
const factory = createOracle({ binding, basePath, settleMs: options.settleMs })
const watchMemory = createHeapLimit()
const live = options.live ? new Live() : undefined
const recorder = new Recorder({
  binding,
  capture,
  bodies,
  writer,
  judge: options.judge ? factory.createJudge() : undefined,
  ledger: factory.oracle.ledger,
  strict: options.strict,
  onExchange: live?.exchange,
  onLate: (finding) => live?.late(finding.exchanges.at(-1) ?? '', finding),
  onProblem: (message) => say({ type: 'problem', message }),
  onFirst: (finding) => say({ type: 'found', finding }),
  onFinding: (finding) => findings?.append(finding),
})

/** what was open when it was looked at for the last time */
let open: readonly OpenGroup[] = []

port.on('message', (message: ToRecorder) => {
  switch (message.type) {
    case 'exchanges':
      for (const raw of unpack(message.packed)) {
        if (options.ends[0] === 1) recorder.lost(1, 'the recording ended before their turn')
        else recorder.exchange(raw)
      }
      done(message.weight, message.type)
      break
    case 'parts':
      for (const { at, length, ...part } of message.parts) {
        recorder.part({ ...part, bytes: new Uint8Array(message.memory, at, length) })
      }
      done(message.weight, message.type)
      break
    case 'lost':
      recorder.lost(message.count, message.reason)
      break
    case 'ask':
      say({ type: 'answered', request: message.request, text: live?.answer(message.question) })
      break
    case 'end':
      void end()
      break
  }
})
// A thread that gives up in time takes nobody along: the forwarding thread goes on.
setInterval(watchMemory, MEMORY_MS).unref()
if (live) setInterval(sayNews, LIVE_MS).unref()
if (findings) setInterval(findings.flush, FINDINGS_MS).unref()
if (options.judge) setInterval(look, FINDINGS_MS).unref()
// V8 forgot it when this thread started. Its young generation is as large as it may become by now; that of the forwarding
// thread is still small.
keepYoungGeneration()
say({ type: 'ready' })

function done(weight: number, kind: 'exchanges' | 'parts'): void {
  watchMemory()
  say({ type: 'done', weight, kind, counts: recorder.counts() })
}

function sayRows(): void {
  const rows = live?.rows()
  if (rows) say({ type: 'live', rows })
}

/** A finding may become certain although nothing passes. */
function look(): void {
  open = recorder.look(performance.timeOrigin + performance.now())
  say({ type: 'counts', counts: recorder.counts() })
}

function sayNews(): void {
  sayRows()
  if (options.judge) sayStanding({ open, ended: false })
}

function sayStanding(more: Pick<StandingNow, 'open' | 'ended'>): void {
  const { exchanges, known, judged, doubted } = recorder.counts()
  const text = live?.standing({ exchanges, known, judged, doubted, ...more })
  if (text !== undefined) say({ type: 'standing', text })
}

/** Findings are written as long as the disk takes them; that it does not costs nothing else. */
function openFindings(into: string): { append(finding: TrafficFinding): void; flush(): void; close(): void } {
  const segment = openSegment(into, 'findings', options.session)
  let broken = false
  const attempt = (action: () => void): void => {
    if (broken) return
    try {
      action()
    } catch (thrown) {
      broken = true
      say({ type: 'problem', message: `findings are no longer written: ${String(thrown)}` })
    }
  }
  return {
    append: (finding) => attempt(() => segment.append(finding)),
    flush: () => attempt(() => segment.flush()),
    close: () => attempt(() => segment.close()),
  }
}

async function end(): Promise<void> {
  const summary = await recorder.end()
  sayRows()
  if (options.judge) sayStanding({ open: [], ended: true })
  findings?.close()
  say({ type: 'ended', summary })
  port?.close()
}
