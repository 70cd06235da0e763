import { connect } from 'node:net'
import { startProgram } from './servers.ts'

/** What became of many connections that were opened at the same moment, each for one request. */
export interface Burst {
  readonly answered: number
  /** connections that broke, and requests without an answer in time */
  readonly failed: number
  /** milliseconds until the last of them was over */
  readonly ms: number
}

const PATIENCE_MS = 10_000

async function burst(port: number, path: string, connections: number): Promise<Burst> {
  const started = performance.now()
  const answers = await Promise.all(Array.from({ length: connections }, () => askOnce(port, path)))
  const answered = answers.filter(Boolean).length
  return { answered, failed: connections - answered, ms: performance.now() - started }
}

function askOnce(port: number, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    const end = (): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(/^HTTP\/1.1 200 /.test(text))
    }
    const timer = setTimeout(end, PATIENCE_MS)
    socket.on('connect', () => socket.write(`GET ${path} HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n\r\n`))
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    socket.on('close', end)
    socket.on('error', end)
  })
}

/** Bursts on programs that have just been started, and on the same ones once more, in turn. */
export async function bursts(
  programs: readonly (readonly [name: string, file: 'bare' | 'ours', words: readonly string[]])[],
  path: string,
  connections: number,
  rounds: number,
): Promise<ReadonlyMap<string, readonly Burst[]>> {
  const taken = new Map<string, Burst[]>(programs.map(([name]) => [name, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, file, words] of programs) {
      const program = await startProgram(name, file, words)
      for (let time = 0; time < 2; time += 1) taken.get(name)?.push(await burst(program.port, path, connections))
      await program.stop()
    }
  }
  return taken
}
