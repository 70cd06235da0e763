// The standard run beside autocannon: the same requests, target and connections, in alternating slices. Also how soon
// the first request comes, and how much memory is used. `--quick`: one slice, three starts.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Report } from '../../schemas/types/report.ts'
import { type Figure, median } from '../figures.ts'
import { ASSAY, EMBEDDED, ended, runAssay, type Spent, startTarget } from '../programs.ts'
import { tell } from '../tell.ts'
import { aboutLiveThings } from './ids.ts'
import { type Fired, fire, type MixRequest, mixOf } from './mix.ts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    starts: { type: 'string' },
    profile: { type: 'string', default: 'standard' },
  },
})
const CONNECTIONS = 16
const rounds = Number(values.rounds ?? (values.quick ? 1 : 3))
const starts = Number(values.starts ?? (values.quick ? 3 : 10))
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-certify-'))
const say = (text: string): void => void process.stderr.write(`${text}\n`)

try {
  tell([...(await besideCannon()), ...(await firstRequest())], values.json)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** One slice of each: the run with a target of its own, then the same requests at another one that is as fresh. */
async function besideCannon(): Promise<Figure[]> {
  const recording = join(folder, 'recording')
  await certify(['--record', recording])
  const ratios: number[] = []
  const rates: number[] = []
  const fired: Fired[] = []
  const spent: Spent[] = []
  let requests = 0
  for (let round = 0; round < rounds; round += 1) {
    const run = await certify([])
    const cannon = await withTarget((url, mix) => fire(url, mix, CONNECTIONS), recording)
    requests = run.requests
    rates.push(run.perSecond)
    fired.push(cannon)
    ratios.push(run.perSecond / cannon.perSecond)
    spent.push(run)
    say(
      `slice ${round + 1}: certify ${run.perSecond.toFixed(0)}/s (${run.cpu.toFixed(1)} s of CPU), ` +
        `autocannon ${cannon.perSecond.toFixed(0)}/s (${(cannon.accepted * 100).toFixed(0)} % accepted)`,
    )
  }
  const memory = median(spent.map((one) => one.memory)) / 1e6
  const peak = (await loaded()).memory / 1e6
  return [
    {
      part: 'certify',
      name: `requests a second of the ${values.profile} run`,
      value: median(rates),
      unit: '/s',
      ratio: median(ratios),
      of: 'of autocannon',
      wanted: 0.6,
    },
    {
      part: 'certify',
      name: 'autocannon with the same requests',
      value: median(fired.map(({ perSecond }) => perSecond)),
      unit: '/s',
    },
    {
      part: 'certify',
      name: 'CPU of a request, everything from start to report',
      value: (median(spent.map(({ cpu }) => cpu)) * 1e6) / requests,
      unit: 'us',
    },
    { part: 'certify', name: 'CPU of a request of autocannon', value: median(fired.map(({ cpu }) => cpu)), unit: 'us' },
    {
      part: 'certify',
      name: 'peak memory',
      value: memory,
      unit: 'MB',
      most: 300,
      ratio: peak / memory,
      of: 'of loading vitest',
    },
  ]
}

async function certify(words: readonly string[]): Promise<Spent & { perSecond: number; requests: number }> {
  const out = join(folder, 'out')
  const given = ['certify', '--embedded', '--profile', values.profile, '--seed', '5', '--out', out, ...words]
  const spent = await runAssay([...given, '--concurrency', String(CONNECTIONS)], folder)
  if (spent.code !== 0) throw new Error(`the run ended with ${spent.code}`)
  const { requests, durationMs } = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as Report
  return { ...spent, requests, perSecond: (requests * 1000) / durationMs }
}

async function withTarget<T>(
  use: (url: string, mix: readonly MixRequest[]) => Promise<T>,
  recording: string,
): Promise<T> {
  const target = await startTarget(EMBEDDED)
  try {
    return await use(target.url, await aboutLiveThings(target.url, await mixOf(recording, target.credentials)))
  } finally {
    await target.stop()
  }
}

/**
 * From the start of the program to its first request, beside what Node takes to load vitest, a program of some size, and
 * to end.
 */
async function firstRequest(): Promise<Figure[]> {
  const ours: number[] = []
  const bare: number[] = []
  for (let round = 0; round <= starts; round += 1) {
    const one = await untilFirstRequest()
    const other = (await loaded()).ms
    // Files that the disk had to load the first time do not count.
    if (round === 0) continue
    ours.push(one)
    bare.push(other)
  }
  say(`from start to first request: ${ours.map((ms) => ms.toFixed(0)).join(', ')} ms`)
  return [
    {
      part: 'certify',
      name: `start to first request, median of ${starts}`,
      value: median(ours),
      unit: 'ms',
      most: 300,
      ratio: median(bare.map((ms, round) => ms / (ours[round] ?? ms))),
      of: 'of loading vitest',
    },
  ]
}

/** Milliseconds until a listener hears the first byte of the program. */
async function untilFirstRequest(): Promise<number> {
  let heard = (): void => {}
  const first = new Promise<void>((resolve) => {
    heard = resolve
  })
  const listener = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', heard)
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const config = join(folder, 'start.json')
  const { port } = listener.address() as AddressInfo
  const target = { baseUrl: `http://127.0.0.1:${port}`, binding: 'reference', credentials: { accessToken: 'a-token' } }
  writeFileSync(config, JSON.stringify({ ...target, consent: { modifyTarget: true } }))
  const words = ['certify', '--config', config, '--out', join(folder, 'start')]
  const start = performance.now()
  const child = spawn(process.execPath, [ASSAY, ...words], { stdio: 'ignore' })
  try {
    await Promise.race([first, once(child, 'exit').then(() => Promise.reject(new Error('no request came')))])
    return performance.now() - start
  } finally {
    await ended(child, 'SIGKILL')
    listener.close()
  }
}

/** What Node takes to load vitest and to end: milliseconds, and resident memory in bytes. */
async function loaded(): Promise<{ ms: number; memory: number }> {
  const start = performance.now()
  const code = "await import('vitest/node'); process.send(process.resourceUsage().maxRSS, () => process.exit())"
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    cwd: dirname(ASSAY),
  })
  const [kilobytes] = (await once(child, 'message')) as [number]
  await once(child, 'exit')
  return { ms: performance.now() - start, memory: kilobytes * 1024 }
}
