import { type Agent, request } from 'node:http'
import type { Ended, Running, RunOptions } from '../../testing/program.ts'
import type { World } from '../../testing/world.ts'

/** A recorder that listens. */
export interface Recorder {
  readonly url: string
  readonly running: Running
  /** Ends it as Ctrl-C does. */
  stop(): Promise<Ended>
}

/** Starts `assay record` on a free port, into the folder `rec` unless `args` name another one. */
export async function startRecorder(
  world: World,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Recorder> {
  const out = args.includes('--out') ? [] : ['--out', 'rec']
  const running = world.start(['record', '--listen', '127.0.0.1:0', ...out, ...args], options)
  const [, url = ''] = await running.said(/Recording on (\S+),/)
  return {
    url,
    running,
    stop() {
      running.child.kill('SIGINT')
      return running.ended
    },
  }
}

interface Asked {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** for several requests over one connection */
  readonly agent?: Agent
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

/** Sends a request, over a connection of its own unless an agent is given; its path as it is given. */
export function ask(
  url: string,
  { method = 'GET', path = '/', headers = {}, body, agent }: Asked = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(`${url}${path}`, { method, headers, agent: agent ?? false }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => {
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(chunks).toString() })
      })
    })
    asked.on('error', reject)
    asked.end(body)
  })
}
