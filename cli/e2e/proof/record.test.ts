import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { openRecording } from '../../../fixtures/recording/read.ts'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import type { Report } from '../../../schemas/types/report.ts'
import { ALL_CONSENT, configOf, test, type World } from '../../testing/world.ts'
import { readReplay } from '../testing/expectations.ts'
import { startRecorder } from '../testing/recorder.ts'

/** Milliseconds after which what was recorded has to be on the disk, with room for a busy machine. */
const SYNCED_MS = 1_000 + 1_500

/** The number in an address: thousands and the rest, since a recording keeps numbers of up to four digits. */
function numberIn(url: string): number {
  const [thousands = 0, rest = 0] = url.split('/').at(-1)?.split('-').map(Number) ?? []
  return 1_000 * thousands + rest
}

/** Keeps eight requests under way; each answer's number and the time that it came are noted. */
function load(url: string, answered: Map<number, number>): () => void {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  let next = 0
  let ended = false
  const one = (): void => {
    if (ended) return
    next += 1
    const number = next
    const asked = request(`${url}/v1/thing/${Math.floor(number / 1_000)}-${number % 1_000}`, { agent }, (answer) => {
      answer.resume()
      answer.on('end', () => {
        answered.set(number, Date.now())
        one()
      })
    })
    asked.on('error', () => {
      if (!ended) setTimeout(one, 50)
    })
    asked.end()
  }
  for (let lane = 0; lane < 8; lane += 1) one()
  return () => {
    ended = true
    agent.destroy()
  }
}

async function numbersIn(folder: string): Promise<Set<number>> {
  const found = new Set<number>()
  for await (const { request: sent, response } of (await openRecording(folder)).exchanges()) {
    const number = numberIn(sent.url)
    expect(JSON.parse(response.content.text ?? '')).toEqual({ number })
    found.add(number)
  }
  return found
}

describe('killed under load', () => {
  test.for(Array.from({ length: 20 }, (_, index) => index))(
    'what was older than the interval of syncing can be read (%i)',
    async (turn, { world }) => {
      const target = await world.http((incoming, response) => {
        response.setHeader('Content-Type', 'application/json')
        response.end(JSON.stringify({ number: numberIn(incoming.url ?? '') }))
      })
      const { url, running } = await startRecorder(world, ['--target', target])
      const answered = new Map<number, number>()
      const stop = load(url, answered)
      await new Promise((resolve) => setTimeout(resolve, SYNCED_MS + 300 + turn * 61))
      const killedAt = Date.now()
      running.child.kill('SIGKILL')
      await running.ended
      stop()
      const old = [...answered].filter(([, time]) => time < killedAt - SYNCED_MS).map(([number]) => number)
      const recorded = await numbersIn(join(world.folder, 'rec'))
      expect(old.length).toBeGreaterThan(20)
      expect(old.filter((number) => !recorded.has(number))).toEqual([])
    },
  )
})

/** Verdict and reason of every requirement, and of the run. */
function verdictsIn(world: World, folder: string): Record<string, string> {
  const report = JSON.parse(readFileSync(join(world.folder, folder, 'report.json'), 'utf8')) as Report
  return Object.fromEntries([['run', report.verdict], ...report.requirements.map(({ id, verdict }) => [id, verdict])])
}

test('a run gives the same verdicts straight and through the proxy, whose recording is judged and replayed as it was', async ({
  world,
}) => {
  const run = ['--profile', 'quick', '--seed', '42', '--allow-partial']
  const first = await world.serve()
  const straight = world.write('straight.json', configOf(first, { consent: ALL_CONSENT }))
  const one = await world.assay(['certify', '--config', straight, '--out', 'straight', ...run])
  expect(one.code, one.stdout).toBe(0)

  const second = await world.serve()
  const direct = world.write('direct.json', configOf(second, { consent: ALL_CONSENT }))
  const { url, stop } = await startRecorder(world, ['--config', direct, '--full-bodies', '--json'])
  const through = world.write('through.json', configOf({ ...second, url }, { consent: ALL_CONSENT }))
  const two = await world.assay(['certify', '--config', through, '--out', 'through', ...run])
  expect(two.code, two.stdout).toBe(0)
  const ended = await stop()
  expect(verdictsIn(world, 'through')).toEqual(verdictsIn(world, 'straight'))

  const summary = JSON.parse(ended.stdout) as { counts: { exchanges: number; failures: number }; findings: unknown[] }
  expect(summary.findings, ended.stdout).toEqual([])
  expect(ended.code, `${ended.stdout}${ended.stderr}`).toBe(0)
  const report = JSON.parse(readFileSync(join(world.folder, 'through', 'report.json'), 'utf8')) as Report
  expect(summary.counts.exchanges).toBeGreaterThanOrEqual(report.requests)
  const recorded: Exchange[] = []
  for await (const exchange of (await openRecording(join(world.folder, 'rec'))).exchanges()) recorded.push(exchange)
  expect(recorded.length).toBe(summary.counts.exchanges)

  const checked = await world.assay(['check', 'rec', '--config', direct, '--out', 'checked'])
  expect(checked.code, checked.stderr).toBe(4)
  const live = verdictsIn(world, 'through')
  const differing = Object.entries(verdictsIn(world, 'checked')).filter(
    ([id, verdict]) => id !== 'run' && verdict !== 'not-run' && verdict !== live[id],
  )
  expect(differing).toEqual([])

  const replay = await world.assay(['replay', 'rec', '--embedded', '--out', 'again'])
  const replayed = readReplay(join(world.folder, 'again'))
  expect({ code: replay.code, differences: replayed.differences }, replay.stdout).toEqual({ code: 0, differences: [] })
  expect(replayed.notCarried).toEqual([])
  // The requests with keys that the run made are not sent: no configuration holds those keys.
  const reasons = replayed.notSent.map(({ count, reason }) => `${count}: ${reason.split(' that ')[0]}`)
  expect(reasons.sort()).toEqual(['1: the enterprise-key', '1: the ingestion-key'])
  const { counts } = replayed
  expect(counts).toMatchObject({ sent: summary.counts.exchanges - 2, notSent: 2, notKept: 0, different: 0 })
  // Requests under way beside a change of the same thing are named as such. They are few.
  expect(counts.raced).toBeLessThan(0.08 * counts.sent)
  expect(counts.compared + counts.raced + counts.inconclusive).toBe(counts.sent)
}, 300_000)
