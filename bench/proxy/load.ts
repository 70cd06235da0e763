import { spawn } from 'node:child_process'

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
  /** Lua script that says what is sent; undefined: GET */
  readonly script?: string | undefined
  /** words before the command: `taskset -c 0` */
  readonly before?: readonly string[]
}

/** Runs wrk once. Throws where it is not installed. */
export async function runLoad({ url, connections, seconds, script, before = [] }: Load): Promise<Slice> {
  const words = [
    ...before,
    ...['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '--timeout', '30s'],
    ...HEADERS.flatMap((header) => ['-H', header]),
    ...(script === undefined ? [] : ['-s', script]),
    url,
  ]
  const [command = '', ...rest] = words
  const text = await output(command, rest)
  return {
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1] ?? 0),
    p50: milliseconds(/50%\s+(\S+)/.exec(text)?.[1]),
    p99: milliseconds(/99%\s+(\S+)/.exec(text)?.[1]),
    requests: Number(/(\d+) requests in/.exec(text)?.[1] ?? 0),
    errors:
      Number(/Non-2xx or 3xx responses: (\d+)/.exec(text)?.[1] ?? 0) +
      [...(/Socket errors:(.*)/.exec(text)?.[1] ?? '').matchAll(/\d+/g)].reduce((sum, [n]) => sum + Number(n), 0),
  }
}

/** Seven fields with Host. */
const HEADERS = [
  'Authorization: Token benchmark-access-token',
  'Accept: application/json',
  'User-Agent: bench',
  'Accept-Encoding: gzip',
  'X-Trace: 0af7651916cd43dd8448eb211c80319c',
  'Cache-Control: no-cache',
]

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
