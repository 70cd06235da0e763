// Compares `assay replay` with autocannon: the same requests, the same target, the same connections, in alternating
// slices of one run. `node dist/bench/replay/main.js [requests] [slices] [connections] [--quick] [--json]`
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import type { Credentials } from '../../schemas/types/config.ts'
import type { Figure } from '../figures.ts'
import { tell } from '../tell.ts'
import { type Client, makeClients, mixOf, openMixSession, writeRecording } from './mix.ts'

interface Target {
  readonly url: string
  readonly credentials: Credentials
  readonly child: ChildProcess
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
})
const usual = values.quick ? { requests: 8_000, slices: 1 } : { requests: 20_000, slices: 3 }
const [requests = usual.requests, slices = usual.slices, connections = 16] = positionals.map(Number)
const say = (text: string): void => (values.json ? console.error(text) : console.log(text))
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
  const rates: { readonly cannon: number; readonly replay: number; readonly memory: number }[] = []
  for (let slice = 0; slice < slices; slice += 1) {
    const cannon = await fire(target.url, token, clients)
    const { rate, memory } = await replay(recording)
    rates.push({ cannon, replay: rate, memory })
    say(row(slice + 1, cannon, rate, memory))
  }
  const middle = (pick: (one: (typeof rates)[number]) => number): number =>
    rates.map(pick).sort((a, b) => a - b)[rates.length >> 1] ?? 0
  const rate = middle((one) => one.replay)
  const memory = middle((one) => one.memory)
  const cannon = middle((one) => one.cannon)
  say(row('median', cannon, rate, memory))
  const ratio = middle((one) => one.replay / one.cannon)
  const part = 'replay'
  const figures: Figure[] = [
    { part, name: 'requests a second', value: rate, unit: '/s', ratio, of: 'of autocannon', wanted: 0.6 },
    { part, name: 'autocannon with the same requests', value: cannon, unit: '/s' },
    { part, name: 'most resident memory', value: memory, unit: 'MB' },
  ]
  if (values.json) tell(figures, true)
} finally {
  target.child.kill()
  rmSync(folder, { recursive: true, force: true })
}

function startTarget(): Promise<Target> {
  const child = fork(fileURLToPath(new URL('../../reference/main.js', import.meta.url)), ['{}'], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve({ ...(message as Omit<Target, 'child'>), child }))
    child.once('exit', (code) => reject(new Error(`the target ended with ${code}`)))
  })
}

function configOf({ url, credentials }: Target): object {
  return { baseUrl: url, credentials, binding: 'reference', consent: { modifyTarget: true } }
}

/** Requests a second by autocannon. */
async function fire(url: string, token: string, clients: readonly Client[]): Promise<number> {
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
  return (result['2xx'] / result.duration) as number
}

/** Requests a second by the program as users have it, and the most memory that it took, in MB. */
async function replay(recording: string): Promise<{ rate: number; memory: number }> {
  const out = join(folder, 'out')
  // the program as it is built, beside this benchmark
  const main = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'cli', 'main.js')
  const args = [main, 'replay', recording, '--config', join(folder, 'config.json'), '--out', out, '--json']
  const child = spawn(process.execPath, [...args, '--concurrency', String(connections)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  let memory = 0
  const timer = setInterval(() => {
    memory = Math.max(memory, residentOf(child.pid))
  }, 200)
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  clearInterval(timer)
  // A counter of updates may differ; that is not what is measured.
  if (code !== 0 && code !== 1) throw new Error(`the replay ended with ${code}`)
  const { counts, durationMs } = JSON.parse(readFileSync(join(out, 'replay.json'), 'utf8')) as {
    counts: { sent: number }
    durationMs: number
  }
  return { rate: (counts.sent * 1000) / durationMs, memory }
}

/** Resident memory of a process in MB; 0 where the system does not tell. */
function residentOf(pid: number | undefined): number {
  try {
    const [, pages = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')
    return (Number(pages) * 4_096) / 1e6
  } catch {
    return 0
  }
}

function row(name: string | number, cannon: number, rate: number, memory: number): string {
  const ratio = cannon > 0 ? (rate / cannon).toFixed(2) : '-'
  return `${String(name).padEnd(8)} autocannon ${cannon.toFixed(0)}/s  replay ${rate.toFixed(0)}/s  ratio ${ratio}  ${memory.toFixed(0)} MB`
}
