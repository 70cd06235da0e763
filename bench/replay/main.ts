// Compares `assay replay` with autocannon: the same requests, the same target, the same connections, in alternating
// slices of one run. `node dist/bench/replay/main.js [requests] [slices] [connections] [--quick] [--json]`
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import { type Figure, median } from '../figures.ts'
import { type ReferenceProcess, runAssay, startTarget } from '../programs.ts'
import { tell } from '../tell.ts'
import { type Client, makeClients, mixOf, openMixSession, writeRecording } from './mix.ts'

/** What a program sent in one slice. */
interface Sent {
  /** requests a second */
  readonly rate: number
  /** microseconds of CPU a request */
  readonly cpu: number
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
})
const usual = values.quick ? { requests: 8_000, slices: 1 } : { requests: 20_000, slices: 3 }
const [requests = usual.requests, slices = usual.slices, connections = 16] = positionals.map(Number)
const say = (text: string): void => void process.stderr.write(`${text}\n`)
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-replay-'))
const target = await startTarget()
try {
  const token = target.credentials.accessToken ?? ''
  const session = openMixSession(target.url, token, connections)
  const clients = await makeClients(session, token, connections)
  const recording = join(folder, 'recording')
  await writeRecording(recording, session, token, clients, requests)
  await session.close()
  writeFileSync(join(folder, 'config.json'), JSON.stringify(configOf(target)))
  const slicesDone: { readonly cannon: Sent; readonly replay: Sent & { readonly memory: number } }[] = []
  for (let slice = 0; slice < slices; slice += 1) {
    const cannon = await fire(target.url, token, clients)
    const one = { cannon, replay: await replay(recording) }
    slicesDone.push(one)
    say(
      `slice ${slice + 1}: autocannon ${cannon.rate.toFixed(0)}/s, ${cannon.cpu.toFixed(0)} us of CPU a request; ` +
        `replay ${one.replay.rate.toFixed(0)}/s, ${one.replay.cpu.toFixed(0)} us`,
    )
  }
  const middle = (pick: (one: (typeof slicesDone)[number]) => number): number => median(slicesDone.map(pick))
  const part = 'replay'
  const figures: Figure[] = [
    {
      part,
      name: 'requests a second',
      value: middle((one) => one.replay.rate),
      unit: '/s',
      ratio: middle((one) => one.replay.rate / one.cannon.rate),
      of: 'of autocannon',
      wanted: 0.5,
    },
    { part, name: 'autocannon with the same requests', value: middle((one) => one.cannon.rate), unit: '/s' },
    {
      part,
      name: 'CPU of a request, everything from start to report',
      value: middle((one) => one.replay.cpu),
      unit: 'us',
    },
    { part, name: 'CPU of a request of autocannon', value: middle((one) => one.cannon.cpu), unit: 'us' },
    { part, name: 'most resident memory', value: middle((one) => one.replay.memory) / 1e6, unit: 'MB' },
  ]
  tell(figures, values.json)
} finally {
  await target.stop()
  rmSync(folder, { recursive: true, force: true })
}

function configOf({ url, credentials }: ReferenceProcess): object {
  return { baseUrl: url, credentials, binding: 'reference', consent: { modifyTarget: true } }
}

async function fire(url: string, token: string, clients: readonly Client[]): Promise<Sent> {
  const before = process.cpuUsage()
  const result = await autocannon({
    url,
    connections: clients.length,
    amount: requests,
    // It sees only so often that it is done, and counts the time until then.
    sampleInt: 50,
    headers: { authorization: `Token ${token}` },
    requests: clients.flatMap(mixOf).map(({ method, path, body }) => ({
      method,
      path,
      ...(body === undefined
        ? {}
        : { body, headers: { authorization: `Token ${token}`, 'content-type': 'application/json' } }),
    })),
  })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refused, ${result.errors} failed`)
  const { user, system } = process.cpuUsage(before)
  return { rate: result['2xx'] / result.duration, cpu: (user + system) / result['2xx'] }
}

/** By the program as users have it. `memory`: the most that it took, in bytes. */
async function replay(recording: string): Promise<Sent & { readonly memory: number }> {
  const out = join(folder, 'out')
  const words = ['replay', recording, '--config', join(folder, 'config.json'), '--out', out, '--json']
  const { code, cpu, memory } = await runAssay([...words, '--concurrency', String(connections)])
  // A counter of updates may differ; that is not what is measured.
  if (code !== 0 && code !== 1) throw new Error(`the replay ended with ${code}`)
  const { counts, durationMs } = JSON.parse(readFileSync(join(out, 'replay.json'), 'utf8')) as {
    counts: { sent: number }
    durationMs: number
  }
  return { rate: (counts.sent * 1000) / durationMs, cpu: (cpu * 1e6) / counts.sent, memory }
}
