// The proxy beside bare http-proxy, in alternating slices of one run. `--quick`: shorter slices and fewer exchanges.
// `--json`: only what is watched, as figures; the tables go to stderr.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Figure } from '../figures.ts'
import { tell } from '../tell.ts'
import { type Burst, bursts } from './connections.ts'
import { compareWithLog, sizeOf } from './faithful.ts'
import { runLoad } from './load.ts'
import type { UpstreamLog } from './messages.ts'
import { type Program, startProgram } from './servers.ts'
import { inTurns, type Measured, table } from './slices.ts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    connections: { type: 'string' },
    exchanges: { type: 'string' },
    json: { type: 'boolean', default: false },
    only: { type: 'string', default: 'speed,latency,large,connections,faithful' },
    stages: { type: 'string' },
    // What may stay of bodies that are compared with those of the target: of `named` ones the words do not.
    keep: { type: 'string', default: 'all' },
  },
})
const quick = values.quick
const rounds = Number(values.rounds ?? (quick ? 3 : 7))
const seconds = Number(values.seconds ?? (quick ? 1 : 2))
const wanted = Number(values.exchanges ?? (quick ? 20_000 : values.json ? 100_000 : 500_000))
const only = new Set(values.only.split(','))
const stages = (
  values.stages ?? (values.json ? 'direct,bare,forward,judge' : 'direct,bare,forward,tee,record,judge')
).split(',')
const connected = (values.connections ?? (values.json ? '16' : '1,16,64')).split(',').map(Number)

/** Times the CPU of bare http-proxy that is wanted at most. */
const MOST_CPU = { forward: 1.15, judge: 1.6 } as const
const GET = '/v3/pipeline/5f0e9b1c-9d0a-4b8e-8a53-0d5c3b6f7a10'
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
const say = (text: string): void => void (values.json ? process.stderr : process.stdout).write(text)
const figures: Figure[] = []

const upstream = await startProgram('direct', 'upstream', [])
const target = `http://127.0.0.1:${upstream.port}`
const start = (name: string): Promise<Program> =>
  name === 'direct'
    ? Promise.resolve(upstream)
    : name === 'bare'
      ? startProgram(name, 'bare', [target])
      : startProgram(name, 'ours', [target, name, join(folder, name)])

try {
  if (only.has('speed') || only.has('large')) await speed()
  if (only.has('latency')) await latency()
  if (only.has('connections')) await connections()
  if (only.has('faithful')) await faithful()
  tell(figures, values.json)
} finally {
  await upstream.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function speed(): Promise<void> {
  const programs = await Promise.all(stages.map(start))
  // Code that nobody has run yet is slow.
  for (const put of [false, true]) {
    await inTurns(programs, 'bare', { path: GET, connections: 16, seconds: quick ? 1 : 3, put }, 1)
  }
  if (only.has('speed')) {
    for (const connections of connected) {
      const get = await inTurns(programs, 'bare', { path: GET, connections, seconds }, rounds)
      say(table(`GET of 300 B, ${connections} connections`, get))
      const put = await inTurns(programs, 'bare', { path: GET, connections, seconds, put: true }, rounds)
      say(table(`PUT of 1 KB, ${connections} connections`, put))
      figures.push(...watched(get, `GET of 300 B, ${connections} connections`))
      figures.push(...watched(put, `PUT of 1 KB, ${connections} connections`))
    }
  }
  if (only.has('large')) {
    const large = await inTurns(programs, 'bare', { path: '/large', connections: 4, seconds }, rounds)
    say(table('answers of 5 MB, 4 connections', large))
    figures.push(...watched(large, 'answers of 5 MB, 4 connections'))
    const wide = await inTurns(
      programs.filter(({ name }) => name === 'judge'),
      'judge',
      { path: '/large', connections: 16, seconds: seconds * 2 },
      1,
    )
    const judge = programs.find(({ name }) => name === 'judge')
    say(
      `\nresident memory with sixteen 5 MB streams: ${mebibytes(judge?.memory() ?? 0)} (${wide[0]?.requests} answers)\n`,
    )
  }
  for (const program of programs) {
    if (program.name === 'direct' || program.name === 'bare') continue
    say(`${program.name}: ${JSON.stringify((await program.ask<{ queue: object }>('counts')).queue)}\n`)
    await program.stop()
  }
  await programs.find(({ name }) => name === 'bare')?.stop()
}

/** One connection, everything on one core: what a request waits for, without the luck of the scheduler. */
async function latency(): Promise<void> {
  const pin = ['taskset', '-c', '0']
  const programs = await Promise.all(['bare', 'judge'].map(start))
  const pids = [upstream, ...programs].map(({ pid }) => pid)
  const { execFileSync } = await import('node:child_process')
  for (const pid of pids) execFileSync('taskset', ['-a', '-c', '-p', '0', String(pid)], { stdio: 'ignore' })
  await inTurns(programs, 'bare', { path: GET, connections: 1, seconds: 2, before: pin }, 1)
  const rows = await inTurns(programs, 'bare', { path: GET, connections: 1, seconds, before: pin }, rounds)
  say(table('GET of 300 B, 1 connection, everything on one core', rows))
  const judge = rows.find(({ name }) => name === 'judge')
  if (judge) {
    // By the rate: a load generator that counts in whole milliseconds calls the middle 0.
    const name = 'mean latency, GET of 300 B, 1 connection, one core'
    figures.push({ part: 'proxy', name, value: 1_000 / judge.perSecond, unit: 'ms', ratio: judge.ratio, of: 'of bare' })
  }
  for (const program of programs) await program.stop()
  execFileSync('taskset', ['-a', '-c', '-p', '0-63', String(upstream.pid)], { stdio: 'ignore' })
}

/** Many clients that come at the same moment: none may be turned away that a bare proxy would have answered. */
async function connections(): Promise<void> {
  const programs = [
    ['bare', 'bare', [target]],
    ['judge', 'ours', [target, 'judge', join(folder, 'connections')]],
  ] as const
  for (const count of [500, 2_000]) {
    const taken = await bursts(programs, GET, count, quick ? 1 : 3)
    const sum = (name: string, of: (burst: Burst) => number): number =>
      (taken.get(name) ?? []).reduce((all, burst) => all + of(burst), 0)
    const failed = (name: string): number => sum(name, (burst) => burst.failed)
    const ms = (name: string): number => sum(name, (burst) => burst.ms) / (taken.get(name)?.length ?? 1)
    const rows = programs.map(([name]) => `  ${name}: ${failed(name)} failed, ${Math.round(ms(name))} ms\n`)
    say(`\n${count} new connections at once, ${taken.get('judge')?.length} times\n${rows.join('')}`)
    const name = `${count.toLocaleString('en')} new connections at once`
    const more = Math.max(0, failed('judge') - failed('bare'))
    figures.push(
      {
        part: 'proxy',
        name: `${name}: until all are answered`,
        value: ms('judge'),
        unit: 'ms',
        ratio: ms('bare') / ms('judge'),
        of: 'of bare',
      },
      { part: 'proxy', name: `${name}: more failed than bare`, value: more, unit: '', most: 0 },
    )
  }
}

/** Everything switched on, as fast as it goes: nothing may be dropped, cut or changed. */
async function faithful(): Promise<void> {
  for (const put of [false, true]) {
    const name = put ? 'PUT' : 'GET'
    const recording = join(folder, `faithful-${name}`)
    await upstream.ask('note')
    const program = await startProgram('judge', 'ours', [target, 'judge', recording, values.keep])
    const memory: number[] = []
    let requests = 0
    while (requests < wanted) {
      requests += (
        await runLoad({ url: `http://127.0.0.1:${program.port}${GET}`, connections: 16, seconds: quick ? 1 : 5, put })
      ).requests
      memory.push(program.memory())
    }
    const { queue } = await program.ask<{ queue: object }>('end')
    await program.stop()
    const log = await upstream.ask<UpstreamLog>('log')
    const size = sizeOf(recording)
    const compared = await compareWithLog(recording, log)
    say(`\n${name}: ${requests.toLocaleString('en')} exchanges with everything switched on\n`)
    say(`  queue ${JSON.stringify(queue)}\n  beside the target's own log ${JSON.stringify(compared)}\n`)
    const lost = compared.missing + compared.differing
    figures.push({
      part: 'proxy',
      name: `${name}: bodies lost or changed`,
      value: lost,
      unit: '',
      most: 0,
    })
    const peak = Math.max(...memory) / 1e6
    figures.push({ part: 'proxy', name: `${name}: resident memory after ${wanted} exchanges`, value: peak, unit: 'MB' })
    say(
      `  ${Math.round(size / compared.recorded)} bytes on disk an exchange; resident memory ${memory.map(mebibytes).join(', ')}\n`,
    )
  }
}

/** What is watched of a table: rate, time of the processor, and slow answers with everything switched on. */
function watched(rows: readonly Measured[], name: string): Figure[] {
  const row = (stage: string): Measured | undefined => rows.find((one) => one.name === stage)
  const figures: Figure[] = []
  const [judge, forward] = [row('judge'), row('forward')]
  const cpu = (what: string, { cpu: value, ratioCpu }: Measured, most: number): void => {
    figures.push({
      ...{ part: 'proxy', name: `${name}: CPU of a request, ${what}`, value, unit: 'us' },
      ...{ ratio: 1 / ratioCpu, of: 'of bare', wanted: 1 / most },
    })
  }
  if (judge) {
    const { perSecond, ratio, p99, ratio99 } = judge
    figures.push({ part: 'proxy', name, value: perSecond, unit: '/s', ratio, of: 'of bare' })
    cpu('recorded and judged', judge, MOST_CPU.judge)
    const late = { name: `${name}: 99 of 100 within`, value: p99, unit: 'ms', ratio: 1 / ratio99 }
    figures.push({ part: 'proxy', ...late, of: 'of bare' })
  }
  if (forward) cpu('only forwarded', forward, MOST_CPU.forward)
  return figures
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1_048_576)} MiB`
}
