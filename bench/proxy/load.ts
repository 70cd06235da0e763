import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'

/** What a load generator measured in one slice. */
export interface Slice {
  readonly perSecond: number
  /** milliseconds */
  readonly p50: number
  readonly p99: number
  readonly requests: number
  readonly errors: number
}

export interface Load {
  readonly url: string
  readonly connections: number
  readonly seconds: number
  /** a PUT of 1 KB instead of a GET */
  readonly put?: boolean
  /** words before the command: `taskset -c 0` */
  readonly before?: readonly string[]
}

/** Runs wrk once, or autocannon where there is no wrk; `before` counts for wrk alone. */
export function runLoad(load: Load): Promise<Slice> {
  return HAS_WRK ? withWrk(load) : withAutocannon(load)
}

const HAS_WRK = spawnSync('wrk', ['-v']).error === undefined

async function withWrk({ url, connections, seconds, put = false, before = [] }: Load): Promise<Slice> {
  const words = [
    ...before,
    ...['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '--timeout', '30s'],
    ...Object.entries(HEADERS).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    ...(put ? ['-s', script()] : []),
    url,
  ]
  const [command = '', ...rest] = words
  const text = await output(command, rest)
  return {
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1] ?? 0),
    // Shares of the table above them end with % as well: 91.50%.
    p50: milliseconds(/^\s+50%\s+(\S+)/m.exec(text)?.[1]),
    p99: milliseconds(/^\s+99%\s+(\S+)/m.exec(text)?.[1]),
    requests: Number(/(\d+) requests in/.exec(text)?.[1] ?? 0),
    errors:
      Number(/Non-2xx or 3xx responses: (\d+)/.exec(text)?.[1] ?? 0) +
      [...(/Socket errors:(.*)/.exec(text)?.[1] ?? '').matchAll(/\d+/g)].reduce((sum, [n]) => sum + Number(n), 0),
  }
}

async function withAutocannon({ url, connections, seconds, put = false }: Load): Promise<Slice> {
  const sent = put
    ? ({ method: 'PUT', body: BODY, headers: { ...HEADERS, ...JSON_TYPE } } as const)
    : { headers: HEADERS }
  const result = await autocannon({
    url: put ? new URL(PUT_PATH, url).href : url,
    connections,
    duration: seconds,
    ...sent,
  })
  return {
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    requests: result.requests.total,
    errors: result.errors + result.non2xx,
  }
}

const PIPELINE = '5f0e9b1c-9d0a-4b8e-8a53-0d5c3b6f7a10'
const PUT_PATH = `/v3/pipeline/${PIPELINE}/transform/0f8fad5b-d9cb-469f-a165-70867728950e`
const JSON_TYPE = { 'Content-Type': 'application/json' }
const BODY = JSON.stringify({
  title: 'a transform',
  description: 'd'.repeat(700),
  user_config: { field: '.message', pattern: 'p'.repeat(120) },
  generation_id: 3,
  inputs: [PIPELINE],
  deploy_type: 'saas',
})

/** The script that wrk needs to send anything but a GET. */
function script(): string {
  const path = join(mkdtempSync(join(tmpdir(), 'assay-wrk-')), 'put.lua')
  const lines = [
    'wrk.method = "PUT"',
    `wrk.path = "${PUT_PATH}"`,
    'wrk.headers["Content-Type"] = "application/json"',
    `wrk.body = [[${BODY}]]`,
  ]
  writeFileSync(path, lines.join('\n'))
  return path
}

/** Seven fields with Host. */
const HEADERS: Readonly<Record<string, string>> = {
  Authorization: 'Token benchmark-access-token',
  Accept: 'application/json',
  'User-Agent': 'bench',
  'Accept-Encoding': 'gzip',
  'X-Trace': '0af7651916cd43dd8448eb211c80319c',
  'Cache-Control': 'no-cache',
}

function milliseconds(text = '0us'): number {
  const number = Number.parseFloat(text)
  return text.endsWith('us') ? number / 1000 : text.endsWith('ms') ? number : number * 1000
}

function output(command: string, words: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    child.on('error', reject)
    child.on('close', () => resolve(text))
  })
}
