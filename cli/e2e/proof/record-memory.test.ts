import { readdirSync, readFileSync, statSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RecordingSummary } from '../../../fixtures/recording/write.ts'
import type { RecorderCounts } from '../../../proxy/recorder/recorder.ts'
import type { QueueCounts } from '../../../proxy/tee/queue.ts'
import type { Ended, Running } from '../../testing/program.ts'
import { test, type World } from '../../testing/world.ts'
import { startRecorder } from '../testing/recorder.ts'

const MIB = 1024 * 1024
/** What the proxy may take at any time (the system and the runtime included). */
const MOST = 200
/** The same with sixteen long answers under way. */
const MOST_STREAMS = 150
/** Milliseconds for each of these. */
const LONGEST = 10 * 60_000

interface Summary {
  readonly counts: RecorderCounts
  readonly queue: QueueCounts
  readonly recording: RecordingSummary
  readonly problems: readonly string[]
  readonly conclusion: string
}

/** No operation is known for these paths, and nothing else is amiss. */
const UNJUDGED = {
  code: 5,
  problems: [],
  conclusion: 'Nothing could be judged: the operation of 1 request is not known; give --binding.',
}

async function record(world: World, target: string): Promise<{ port: number; running: Running }> {
  const words = ['--target', target, '--binding', 'default', '--json']
  const { url, running } = await startRecorder(world, words, { longest: LONGEST })
  return { port: Number(new URL(url).port), running }
}

/** Mebibytes of memory that the process takes. */
function memoryOf({ child }: Running): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}

/** The highest of what the process takes, every tenth of a second, until `work` is done. */
async function peakOf(running: Running, work: Promise<unknown>): Promise<number> {
  let peak = 0
  const timer = setInterval(() => {
    peak = Math.max(peak, memoryOf(running))
  }, 100)
  await work
  clearInterval(timer)
  return peak
}

async function end(running: Running): Promise<{ ended: Ended; summary: Summary }> {
  running.child.kill('SIGINT')
  const ended = await running.ended
  return { ended, summary: JSON.parse(ended.stdout) as Summary }
}

/** A target of raw sockets: `answer` gets each socket once a request has come. */
async function target(world: World, answer: (socket: Socket, requests: number) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.setNoDelay(true)
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      let requests = 0
      for (let at = chunk.indexOf('\r\n\r\n'); at >= 0; at = chunk.indexOf('\r\n\r\n', at + 4)) requests += 1
      answer(socket, requests)
    })
  })
  return `http://127.0.0.1:${await world.listen(server)}`
}

/** Asks again and again over one connection until `enough`; answers are `length` bytes long with their head. */
function askAgain(
  port: number,
  path: string,
  length: number,
  enough: () => boolean,
  onAnswer: () => void,
): Promise<void> {
  const request = `GET ${path} HTTP/1.1\r\nHost: t\r\nAuthorization: Token some-access-token-1\r\nAccept: application/json\r\nUser-Agent: proof\r\nX-Trace: 0af7651916cd43dd8448eb211c80319c\r\nCache-Control: no-cache\r\n\r\n`
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    let received = 0
    socket.on('error', reject)
    socket.on('close', () => resolve())
    socket.on('data', (chunk) => {
      received += chunk.length
      if (received < length) return
      received -= length
      onAnswer()
      if (enough()) socket.end()
      else socket.write(request)
    })
  })
}

/** Bytes that an answer has once it has passed the proxy, which tells how long it keeps the connection. */
async function lengthOf(port: number, path: string, body: number): Promise<number> {
  const text = await new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`GET ${path} HTTP/1.1\r\nHost: t\r\n\r\n`))
    let all = ''
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      all += chunk.toString('latin1')
      if (!all.includes('\r\n\r\n')) return
      socket.destroy()
      resolve(all)
    })
  })
  return text.indexOf('\r\n\r\n') + 4 + body
}

test('an answer of 5 GB streams through in memory that does not grow', { timeout: LONGEST }, async ({
  world,
  expect,
}) => {
  const bytes = 5_000_000_000
  const chunk = Buffer.alloc(1 << 18, 'The quick brown fox jumps over the lazy dog. ')
  const url = await target(world, (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ${bytes}\r\n\r\n`)
    let left = bytes
    const more = (): void => {
      while (left > 0) {
        const part = left < chunk.length ? chunk.subarray(0, left) : chunk
        left -= part.length
        if (!socket.write(part)) {
          socket.once('drain', more)
          return
        }
      }
    }
    more()
  })
  const { port, running } = await record(world, url)
  const samples: number[] = []
  let received = 0
  const stream = new Promise<void>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write('GET /large HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n'),
    )
    socket.on('error', reject)
    socket.on('data', (data) => {
      received += data.length
      if (received >= (samples.length + 1) * 500_000_000) samples.push(memoryOf(running))
    })
    socket.on('close', () => resolve())
  })
  const begun = Date.now()
  const peak = await peakOf(running, stream)
  const { ended, summary } = await end(running)
  console.log(
    `5 GB in ${Date.now() - begun} ms: ${samples.join(', ')} MiB at each tenth, peak ${peak} MiB, ${JSON.stringify(summary.queue)}`,
  )
  expect(received).toBeGreaterThan(bytes)
  expect({ ...summary, code: ended.code }, ended.stderr).toMatchObject(UNJUDGED)
  expect(summary.counts).toMatchObject({ exchanges: 1, cut: 1, incomplete: 0 })
  expect(peak).toBeLessThan(MOST)
  expect(Math.max(...samples.slice(5))).toBeLessThan(Math.max(...samples.slice(0, 5)) + 15)
})

test('sixteen streams of 5 MB at a time', { timeout: LONGEST }, async ({ world, expect }) => {
  const body = Buffer.alloc(5_000_000, 'x')
  const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  const url = await target(world, (socket) => {
    socket.write(head)
    socket.write(body)
  })
  const { port, running } = await record(world, url)
  const length = await lengthOf(port, '/large', body.length)
  let answers = 0
  const until = Date.now() + 12_000
  const streams = Array.from({ length: 16 }, () =>
    askAgain(
      port,
      '/large',
      length,
      () => Date.now() > until,
      () => {
        answers += 1
      },
    ),
  )
  const peak = await peakOf(running, Promise.all(streams))
  const { ended, summary } = await end(running)
  console.log(`${answers} answers of 5 MB in 16 streams: peak ${peak} MiB, ${JSON.stringify(summary.queue)}`)
  expect(answers).toBeGreaterThan(100)
  expect(summary.queue.dropped, ended.stderr).toBe(0)
  expect(peak).toBeLessThan(MOST_STREAMS)
})

test('a million exchanges, or as many as five minutes allow', { timeout: LONGEST }, async ({ world, expect }) => {
  const body = `{"id":"1","title":"a pipeline","description":"${'d'.repeat(240)}","nodes":[]}`
  const answer = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nDate: Sat, 01 Jan 2000 00:00:00 GMT\r\nServer: t\r\nVary: Origin\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const url = await target(world, (socket, requests) => socket.write(answer.repeat(requests)))
  const { port, running } = await record(world, url)
  const path = '/v3/pipeline/5f0e9b1c-9d0a-4b8e-8a53-0d5c3b6f7a10'
  const length = await lengthOf(port, path, body.length)
  const until = Date.now() + 5 * 60_000
  const samples: number[] = []
  let exchanges = 0
  const lanes = Array.from({ length: 16 }, () =>
    askAgain(
      port,
      path,
      length,
      () => exchanges >= 1_000_000 || Date.now() > until,
      () => {
        exchanges += 1
        if (exchanges % 100_000 === 0) samples.push(memoryOf(running))
      },
    ),
  )
  const begun = Date.now()
  const peak = await peakOf(running, Promise.all(lanes))
  await sleep(2_000)
  const { ended, summary } = await end(running)
  const folder = join(world.folder, 'rec')
  const size = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
  console.log(
    `${exchanges} exchanges in ${Date.now() - begun} ms: ${samples.join(', ')} MiB at each 100,000, peak ${peak} MiB, ${Math.round(size / MIB)} MiB on disk, ${JSON.stringify(summary.queue)}`,
  )
  expect({ ...summary, code: ended.code }, ended.stderr).toMatchObject({
    code: 5,
    problems: [],
    conclusion: expect.stringMatching(/^Nothing could be judged: no response/),
  })
  // The one that asked for the length is among them, given up half-way.
  expect(summary.recording.exchanges).toBeGreaterThanOrEqual(exchanges)
  expect(summary.queue).toMatchObject({ dropped: 0, cut: 0 })
  expect(peak).toBeLessThan(MOST)
  const half = Math.ceil(samples.length / 2)
  if (samples.length >= 4) {
    // Single samples tell how long ago garbage was collected.
    expect(mean(samples.slice(half))).toBeLessThan(mean(samples.slice(0, half)) + 15)
  }
})
