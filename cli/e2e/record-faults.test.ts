import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { describe } from 'vitest'
import { openRecording } from '../../fixtures/recording/read.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import type { Ended, Running } from '../testing/program.ts'
import { test, type World } from '../testing/world.ts'
import { ask, type Recorder, startRecorder } from './testing/recorder.ts'

/** Loaded before the program: ends the recorder's thread when a file says so. */
const KILLER = `
import { existsSync, readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
const hoard = []
const WAYS = {
  throw() { throw new Error('planned') },
  exit() { process.exit(7) },
  memory() { for (let one = 0; one < 100; one += 1) hoard.push(new Array(1000).fill(one)) },
}
if (!isMainThread) setInterval(() => {
  if (existsSync('kill')) WAYS[readFileSync('kill', 'utf8')]()
}, 10).unref()
`

interface Summary {
  readonly exitCode: number
  readonly counts: { readonly exchanges: number }
  readonly queue: { readonly taken: number; readonly dropped: number }
  readonly recording: { readonly exchanges: number; readonly lost: number }
  readonly broken?: string
  readonly problems: readonly string[]
}

const summaryOf = ({ stdout }: Ended): Summary => JSON.parse(stdout) as Summary

/** A target that answers every request with its path. */
function echo(world: World): Promise<string> {
  return world.http((incoming, response) => {
    incoming.resume()
    response.end(JSON.stringify({ path: incoming.url, filler: 'x'.repeat(500) }))
  })
}

/** Sends requests one after the other, and returns how many were answered as the target answers. */
async function asked(url: string, from: number, count: number): Promise<number> {
  const agent = new Agent({ keepAlive: true })
  let right = 0
  for (let number = from; number < from + count; number += 1) {
    const path = `/v1/thing/${number}`
    if ((await ask(url, { path, agent })).text.includes(`${path}"`)) right += 1
  }
  agent.destroy()
  return right
}

async function recorded(world: World): Promise<{ numbers: number[]; problems: string[] }> {
  const numbers: number[] = []
  const problems: string[] = []
  const recording = await openRecording(join(world.folder, 'rec'))
  const read: AsyncIterable<Exchange> = recording.exchanges({ onProblem: ({ message }) => problems.push(message) })
  for await (const { request: sent } of read) numbers.push(Number(sent.url.split('/').at(-1)))
  return { numbers, problems }
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

const start = (world: World, target: string, node: readonly string[] = []): Promise<Recorder> =>
  startRecorder(world, ['--target', target, '--json'], { node })

test.concurrent.for([
  ['throw', 'planned'],
  ['exit', 'its thread ended with 7'],
  ['memory', 'memory limit'],
] as const)('a recorder that breaks (%s) is missed, but not by clients', async ([way, said], { world, expect }) => {
  const target = await echo(world)
  const killer = world.write('killer.mjs', KILLER)
  const limits = way === 'memory' ? ['--max-old-space-size=80'] : []
  const { url, running, stop } = await start(world, target, ['--import', killer, ...limits])
  expect(await asked(url, 1, 30)).toBe(30)
  await until(world, 30, 0)
  world.write('kill', way)
  const [line] = await running.said(/problem: .*/)
  expect(line).toContain(`the recorder broke (`)
  expect(line.toLowerCase()).toContain(said)
  expect(await asked(url, 31, 20)).toBe(20)
  const ended = await stop()
  expect(ended.code, ended.stderr).toBe(5)
  expect(ended.stderr.match(/problem: /g)?.length).toBe(1)
  const summary = summaryOf(ended)
  expect(summary).toMatchObject({
    exitCode: 5,
    counts: { exchanges: 30 },
    queue: { taken: 30, dropped: 20 },
    recording: { exchanges: 30, lost: 20 },
  })
  expect(summary.broken?.toLowerCase()).toContain(said)
  expect((await recorded(world)).numbers).toEqual(upTo(30))
  expect(JSON.parse(readFileSync(join(world.folder, 'rec', 'summary.json'), 'utf8'))).toEqual(summary)
})

test.concurrent('what was planted in its folder is neither followed nor waited for', async ({ world, expect }) => {
  const out = join(world.folder, 'rec')
  mkdirSync(out)
  const theirs = join(world.folder, 'theirs')
  writeFileSync(theirs, 'theirs')
  symlinkSync(theirs, join(out, 'summary.json.part'))
  execFileSync('mkfifo', [join(out, 'summary.json')])
  const { url, stop } = await startRecorder(world, ['--target', await echo(world)])
  expect(await asked(url, 1, 3)).toBe(3)
  const ended = await stop()
  expect(ended.stderr).not.toContain('problem')
  expect(readFileSync(theirs, 'utf8')).toBe('theirs')
  expect(JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8'))).toMatchObject({ counts: { exchanges: 3 } })
})

/** Makes the recorder's thread take a second of a processor for each lot. */
const SLOW = `
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
const used = (before) => process.cpuUsage(before).user / 1e6
if (!isMainThread) parentPort.on('message', ({ type }) => {
  if (type !== 'exchanges' || workerData.ends[0] === 1) return
  for (const before = process.cpuUsage(); used(before) < 1; );
})
`

test('a recorder that is far behind ends soon, and counts what it had not taken', async ({ world, expect }) => {
  const { url, stop } = await start(world, await echo(world), ['--import', world.write('slow.mjs', SLOW)])
  expect(await asked(url, 1, 150)).toBe(150)
  const ended = await stop()
  const summary = summaryOf(ended)
  const { exchanges, lost } = summary.recording
  expect([ended.code, exchanges + lost, summary.queue.taken, lost > 0]).toEqual([5, 150, 150, true])
  const { numbers, problems } = await recorded(world)
  expect(numbers).toEqual(upTo(exchanges))
  expect(problems.join()).toContain(`says that ${lost} exchanges are missing: the recording ended before their turn`)
})

/** Lets no file of a process grow beyond so many bytes, as a full disk would; `unlimited` ends that. */
function limitFiles(running: Running, bytes: number | 'unlimited'): void {
  execFileSync('prlimit', ['--pid', String(running.child.pid), `--fsize=${bytes}:unlimited`])
}

const hasLimits = spawnSync('prlimit', ['--version']).error === undefined

/** Waits until what is recorded is as many exchanges, and as many are noted as missing; at most 20 seconds. */
async function until(world: World, exchanges: number, missing: number): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) {
    const { numbers, problems } = await recorded(world)
    const noted = missing === 0 || problems.some((problem) => problem.includes(`${missing} exchanges are missing`))
    if (numbers.length === exchanges && noted) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

describe.runIf(hasLimits)('a disk that takes no more', () => {
  test.concurrent.for([
    ['stays full', false],
    ['has room again', true],
  ] as const)('and %s costs the recording, and no client', async ([, room], { world, expect }) => {
    const { url, running, stop } = await start(world, await echo(world))
    expect(await asked(url, 1, 20)).toBe(20)
    await until(world, 20, 0)
    const segment = join(world.folder, 'rec', 'exchanges-000001.ndjson')
    // Not even a note that something is missing finds room.
    limitFiles(running, statSync(segment).size + 40)
    expect(await asked(url, 21, 20)).toBe(20)
    const [line] = await running.said(/problem: .*/)
    expect(line).toMatch(/exchanges-000001.ndjson is full, and exchanges are lost until there is room: EFBIG/)
    const kept = upTo(19)
    await until(world, 19, 21)
    expect(await recorded(world)).toEqual({
      numbers: kept,
      problems: [expect.stringContaining('21 exchanges are missing'), expect.stringContaining('was not closed')],
    })
    if (room) {
      limitFiles(running, 'unlimited')
      expect(await asked(url, 41, 20)).toBe(20)
      await running.said(/there is room again; 21 exchanges are missing/)
      for (let number = 41; number <= 60; number += 1) kept.push(number)
    }
    const ended = await stop()
    expect(ended.code, ended.stderr).toBe(5)
    expect(ended.stderr.match(/problem: /g)?.length).toBe(room ? 2 : 1)
    expect(summaryOf(ended)).toMatchObject({ queue: { dropped: 0 }, recording: { exchanges: kept.length, lost: 21 } })
    const after = await recorded(world)
    expect(after).toEqual({ numbers: kept, problems: [expect.stringContaining('21 exchanges are missing')] })
    const repaired = await world.assay(['fixtures', 'repair', 'rec'])
    expect(repaired.stdout).toContain(`${kept.length} exchanges can be read; 21 more were never written`)
  })
})
