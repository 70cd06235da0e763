import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Report } from '../../schemas/types/report.ts'
import { writeTraffic } from '../check/traffic.ts'
import type { Drawn } from '../page/size.ts'
import { type ReferenceProcess, runAssay, startTarget } from '../programs.ts'
import { runLoad } from '../proxy/load.ts'
import { startProgram } from '../proxy/servers.ts'
import { makeClients, openMixSession, writeRecording } from '../replay/mix.ts'
import type { Grown } from './grown.ts'

/** `assay certify --embedded`: its own CPU, without that of the target. */
export async function* certifyAt(folder: string, profiles: readonly string[]): AsyncGenerator<Grown> {
  for (const profile of profiles) {
    const out = join(folder, profile)
    const words = ['certify', '--embedded', '--profile', profile, '--seed', '5', '--out', out]
    const { code, cpu, memory } = await runAssay([...words, '--max-ingest', '1000000'], folder)
    if (code !== 0) throw new Error(`the ${profile} run ended with ${code}`)
    const { requests } = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as Report
    rmSync(out, { recursive: true })
    yield { part: 'certify', units: `requests (${profile})`, count: requests, cpu, memory }
  }
}

/** The proxy with everything switched on, under the load of sixteen connections, until all is recorded and judged. */
export async function* proxyAt(folder: string, sizes: readonly number[]): AsyncGenerator<Grown> {
  const upstream = await startProgram('direct', 'upstream', [])
  try {
    for (const size of sizes) {
      const recording = join(folder, `proxy-${size}`)
      const program = await startProgram('judge', 'ours', [`http://127.0.0.1:${upstream.port}`, 'judge', recording])
      const url = `http://127.0.0.1:${program.port}/v3/pipeline/5f0e9b1c-9d0a-4b8e-8a53-0d5c3b6f7a10`
      let count = 0
      let memory = 0
      for (let put = false; count < size; put = !put) {
        count += (await runLoad({ url, connections: 16, seconds: 1, put })).requests
        memory = Math.max(memory, program.memory())
      }
      await program.ask('end')
      memory = Math.max(memory, program.memory())
      yield { part: 'proxy', units: 'exchanges', count, cpu: program.cpu(), memory }
      await program.stop()
      rmSync(recording, { recursive: true })
    }
  } finally {
    await upstream.stop()
  }
}

/** `assay replay` of recordings that differ in length alone. */
export async function* replayAt(folder: string, sizes: readonly number[]): AsyncGenerator<Grown> {
  for (const size of sizes) {
    const target = await startTarget()
    try {
      const recording = join(folder, `replay-${size}`)
      const config = await recordedFor(target, folder, recording, size)
      const words = ['replay', recording, '--config', config, '--out', join(folder, 'replayed'), '--json']
      const { code, cpu, memory } = await runAssay([...words, '--concurrency', '16'], folder)
      if (code !== 0 && code !== 1) throw new Error(`the replay ended with ${code}`)
      rmSync(recording, { recursive: true })
      yield { part: 'replay', units: 'exchanges', count: size, cpu, memory }
    } finally {
      await target.stop()
    }
  }
}

async function recordedFor(target: ReferenceProcess, folder: string, recording: string, size: number): Promise<string> {
  const { url, credentials } = target
  const token = credentials.accessToken ?? ''
  const session = openMixSession(url, token, 1)
  await writeRecording(recording, session, token, await makeClients(session, token, 16), size)
  await session.close()
  const config = join(folder, 'replay.json')
  const consent = { modifyTarget: true }
  writeFileSync(config, JSON.stringify({ baseUrl: url, credentials, binding: 'reference', consent }))
  return config
}

/** `assay check` of recordings that differ in length alone. */
export async function* checkAt(folder: string, sizes: readonly number[]): AsyncGenerator<Grown> {
  for (const size of sizes) {
    const recording = join(folder, `check-${size}`)
    await writeTraffic(recording, { exchanges: size, pipelines: 200, clients: 16, compress: false })
    const words = ['check', recording, '--binding', 'reference', '--out', join(folder, 'checked'), '--json']
    const { code, cpu, memory } = await runAssay(words, folder)
    if (code === null || code === 2 || code === 5) throw new Error(`the check ended with ${code}`)
    rmSync(recording, { recursive: true })
    yield { part: 'check', units: 'exchanges', count: size, cpu, memory }
  }
}

/** The report of a long run, built and drawn as a page. */
export async function* pageAt(sizes: readonly number[]): AsyncGenerator<Grown> {
  for (const size of sizes) {
    const child = fork(fileURLToPath(new URL('../page/size.js', import.meta.url)), [String(size)])
    const [{ cpu, memory }] = (await once(child, 'message')) as [Drawn]
    yield { part: 'page', units: 'exchanges', count: size, cpu, memory }
  }
}
