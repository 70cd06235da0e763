import { expect } from 'vitest'
import type { RawExchange } from '../../../fixtures/recording/raw.ts'
import { everyPlanting, planted } from '../../../fixtures/testing/planted.ts'
import { CHARSETS } from '../../../fixtures/testing/plants.ts'
import { rawExchange } from '../../../fixtures/testing/recording.ts'
import { test } from '../../testing/world.ts'
import { leftAnywhere } from '../testing/left.ts'
import { eventsOf, fetched, idsIn } from '../testing/page-told.ts'
import { rawTarget, requestOf, sendRaw } from '../testing/raw-target.ts'
import { startRecorder } from '../testing/recorder.ts'

/** Connections over which requests are sent side by side. */
const CONNECTIONS = 16
/** Requests between two looks at the page, and exchanges that it is asked for each time. */
const PART = 2_000
const SHOWN = 40

/** An exchange for one of `step` secrets that a wire carries, of each charset by turns. */
function exchanges(step: number): RawExchange[] {
  const found: RawExchange[] = []
  for (const [number, planting] of [...everyPlanting()].entries()) {
    const plant = (number + Math.floor(number / CHARSETS.length)) % step === 0 ? planted(planting, number) : undefined
    const raw = plant && rawExchange(...plant)
    if (raw?.outcome === 'complete' && !raw.responseBody.cut) found.push(raw)
  }
  return found
}

async function sendAll(port: number, requests: readonly Buffer[]): Promise<string> {
  const parts = Array.from({ length: CONNECTIONS }, (_, part) =>
    requests.filter((_request, index) => index % CONNECTIONS === part),
  )
  return (await Promise.all(parts.map((part) => sendRaw(port, part)))).join('\n')
}

/** What a recorder is told of bodies, one of how many secrets is planted, and how many are so at least. */
const KINDS: readonly (readonly [bodies: readonly string[], step: number, least: number])[] = [
  [[], 1, 20_000],
  [['--max-body', '20'], 31, 800],
  [['--max-body', '20', '--full-bodies'], 31, 800],
]

test.for(KINDS)(
  'of the secrets that a recorder (%j) forwards, nothing is in what is made of the recording',
  {
    timeout: 1_200_000,
  },
  async ([bodies, step, least], { world }) => {
    const all = exchanges(step)
    expect(all.length).toBeGreaterThan(least)
    const requests = all.map((exchange, number) => requestOf(exchange, number, 'latin1'))
    const target = await rawTarget(world, all, 'latin1')
    const said: Record<string, string> = {}
    const run = async (...args: string[]): Promise<void> => {
      const { stdout, stderr } = await world.assay(args, { longest: 300_000 })
      said[args.slice(0, 3).join(' ')] = `${stdout}\n${stderr}`
    }

    const options = ['--target', target, '--ui', '--annotate', ...bodies]
    const { url, running, stop } = await startRecorder(world, options, { longest: 500_000 })
    const { port } = new URL(url)
    const [, page = ''] = await running.said(/shown on (\S+)\//)
    const events = eventsOf(page)
    const shown = [await fetched(`${page}/`)]
    for (let start = 0; start < requests.length; start += PART) {
      await sendAll(Number(port), requests.slice(start, start + PART))
      // The page remembers the last ones.
      for (const id of idsIn(events()).slice(-SHOWN)) shown.push(await fetched(`${page}/exchange/${id}`))
    }
    const recorded = await stop()
    said.record = `${recorded.stdout}\n${recorded.stderr}`
    said['the page'] = [...shown, events()].join('\n')
    expect(recorded.stdout, recorded.stderr).toMatch(new RegExp(`exchanges +${all.length.toLocaleString('en')},`))
    expect(said['the page'].length).toBeGreaterThan(least * 10)

    await run('fixtures', 'stats', 'rec')
    await run('fixtures', 'export', 'rec', '--out', 'out.har')
    await run('fixtures', 'import', 'out.har', '--out', 'imported')
    await run('fixtures', 'distill', 'rec', '--out', 'small')
    await run('check', 'rec', '--out', 'checked', '--reporter', 'ctrf', 'markdown', 'text', 'table', 'badge-json')
    for (const format of ['junit', 'html', 'json']) await run('report', 'render', 'checked', '--format', format)
    await run('check', 'missing', '--out', 'none')
    const echo = await world.http((request, response) => {
      response.setHeader('content-type', request.headers['content-type'] ?? 'application/json')
      request.pipe(response)
    })
    await run('replay', 'rec', '--target', echo, '--out', 'replayed', '--yes-modify-target', '--full-bodies')

    const mock = world.start(['mock', 'imported'], { longest: 300_000 })
    const [, served = ''] = await mock.said(/served on http:\/\/[^:]+:(\d+)/)
    said['what the mock answers'] = await sendAll(
      Number(served),
      all
        .map(({ method, url }, number) => requestOf(rawExchange(`${method} ${url}`), number, 'latin1'))
        .filter((_, n) => n % 20 === 0),
    )
    mock.child.kill('SIGINT')
    const ended = await mock.ended
    said.mock = `${ended.stdout}\n${ended.stderr}`

    expect(leftAnywhere(said, 'latin1', world.folder)).toEqual({ told: {}, files: {} })
  },
)
