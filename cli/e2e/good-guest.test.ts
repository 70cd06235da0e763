import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { configOf, type Served, test, type World } from '../testing/world.ts'
import { account } from './testing/account.ts'
import { errorLines, found, readReport } from './testing/expectations.ts'
import { journalIn } from './testing/journals.ts'
import { forward } from './testing/listeners.ts'

/** A reference behind a server that notes what is asked of it; `stops`: requests that never get there. */
async function watched(
  world: World,
  stops: (method: string, path: string) => boolean = () => false,
): Promise<{ served: Served; url: string; asked: { method: string; path: string; body: string }[] }> {
  const served = await world.serve()
  const onward = forward(served.url)
  const asked: { method: string; path: string; body: string }[] = []
  const listener: RequestListener = (request, response) => {
    const entry = { method: request.method ?? '', path: request.url ?? '', body: '' }
    asked.push(entry)
    if (stops(entry.method, entry.path)) return
    request.on('data', (chunk: Buffer) => {
      entry.body += chunk.toString()
    })
    onward(request, response)
  }
  return { served, url: await world.http(listener), asked }
}

describe('a run', () => {
  test.concurrent('that may only read needs no consent, sends reads and says what it left', async ({ world }) => {
    const { served, url, asked } = await watched(world)
    const before = await account(served)
    world.write('assay.config.json', configOf(served, { baseUrl: url, consent: {}, readOnly: true }))
    const ended = await world.assay(['certify', '--profile', 'quick'])
    expect({ code: ended.code, lines: errorLines(ended) }).toEqual({ code: 4, lines: [] })
    expect([...new Set(asked.map(({ method }) => method))]).toEqual(['GET'])
    expect(asked.length).toBeGreaterThan(20)
    expect(await account(served)).toEqual(before)
    const report = readReport(join(world.folder, 'assay-report'))
    expect(found(report, 'fail', 'warn', 'error')).toEqual([])
    expect(found(report, 'pass')).toEqual(
      expect.arrayContaining(['ENT-KEYS-LIST-STATUS', 'USAGE-TAGS-DAY', 'AUTH-ENTERPRISE-REQUIRED']),
    )
    const reason = report.requirements.find(({ id }) => id === 'NODE-TITLE-MAX')?.reason
    expect(reason).toMatch(/^disabled: (?:create|update)-(?:transform|source) changes the target \(--read-only\)$/)
  })

  test.concurrent('sends no more lines, and no more bytes of them, than it may', async ({ world }) => {
    const { served, url, asked } = await watched(world)
    world.write('assay.config.json', configOf(served, { baseUrl: url, maxIngestBytes: 6_000 }))
    const only = ['--only', 'LINES-COME-OUT', 'EXPORT-V2-TOKEN-TIED']
    const ended = await world.assay(['certify', '--profile', 'quick', ...only])
    expect({ code: ended.code, lines: errorLines(ended) }).toEqual({ code: 4, lines: [] })
    const sent = asked.filter(({ path }) => path.startsWith('/logs/ingest'))
    expect(sent.length).toBeGreaterThan(0)
    expect(sent.reduce((bytes, { body }) => bytes + Buffer.byteLength(body), 0)).toBeLessThanOrEqual(6_000)
    const report = readReport(join(world.folder, 'assay-report'))
    const paging = report.requirements.find(({ id }) => id === 'EXPORT-V2-TOKEN-TIED')
    expect(paging?.reason).toMatch(/^disabled: it sends \d+ bytes of lines, more than --max-ingest-bytes leaves/)
  })

  test.concurrent('writes to the sink, and to nobody else', async ({ world }) => {
    const { served, url, asked } = await watched(world)
    const sink = { email: 'qa@lab.invalid', url: 'https://sink.invalid/in' }
    world.write('assay.config.json', configOf(served, { baseUrl: url, sink }))
    const only = ['PRESET-UPDATE-APPLIES', 'CHANNEL-URL-TYPE', 'MEMBER-DELETE-REMOVES', 'EXPORT-V1-MAIL-CONFIRMS']
    const ended = await world.assay(['certify', '--profile', 'quick', '--only', ...only])
    expect({ code: ended.code, lines: errorLines(ended) }).toEqual({ code: 0, lines: [] })
    const report = readReport(join(world.folder, 'assay-report'))
    expect(found(report, 'pass')).toEqual(expect.arrayContaining(only))
    expect(report.leftovers).toEqual([])
    const texts = asked.map(({ path, body }) => `${decodeURIComponent(path)} ${body}`)
    expect(texts.filter((text) => text.includes('example.com'))).toEqual([])
    for (const wanted of ['qa+assay', 'https://sink.invalid/in/']) {
      expect(texts.filter((text) => text.includes(wanted)).length).toBeGreaterThan(0)
    }
  })
})

describe('a run that is killed while ingestion is suspended', () => {
  test.concurrent('is finished by cleanup, before which the next one does not start', async ({ world }) => {
    // From the second of the two calls on nobody gets through who would resume.
    let held = false
    const { served, url, asked } = await watched(world, (_method, path) => {
      if (path.endsWith('/suspend/confirm')) held = true
      return held && path.endsWith('/resume')
    })
    const headers = { authorization: `Token ${served.credentials.accessToken}` }
    const status = new URL('/v1/config/ingestion/status', served.url)
    const isIngesting = async (): Promise<unknown> => (await fetch(status, { headers })).json()
    const consent = { modifyTarget: true, suspend: true }
    world.write('assay.config.json', configOf(served, { baseUrl: url, consent }))
    const args = ['certify', '--profile', 'quick', '--only', 'SUSPENSION-SUSPENDS']
    const running = world.start(args)
    const isHeld = (): boolean => held && asked.at(-1)?.path.endsWith('/resume') === true
    for (let waited = 0; waited < 60_000 && !isHeld(); waited += 20) await sleep(20)
    running.child.kill('SIGKILL')
    expect((await running.ended).code).toBeNull()
    expect(await isIngesting()).toEqual({ isIngesting: false })
    const again = await world.assay(args)
    expect(again.code).toBe(2)
    expect(errorLines(again)).toEqual([
      expect.stringMatching(
        /an earlier run ended while it tried to suspend ingestion here.*resume it first: .* cleanup .*journal-/,
      ),
    ])
    held = false
    const journal = journalIn(join(world.folder, 'assay-report')) ?? ''
    const cleaned = await world.assay(['cleanup', journal, '--config', 'assay.config.json'])
    expect({ code: cleaned.code, lines: errorLines(cleaned) }).toEqual({ code: 0, lines: [] })
    expect(await isIngesting()).toEqual({ isIngesting: true })
  })
})

test('what nothing removes is said before the first request, used again and again, and named with the reason', async ({
  world,
}) => {
  const served = await world.serve()
  const operations = Object.fromEntries(['delete-pipeline'].map((id) => [id, { offered: false }]))
  const binding = world.write('partly.json', { formatVersion: 1, name: 'partly', extends: 'reference', operations })
  world.write('assay.config.json', configOf(served, { binding }))
  const ended = await world.assay(['certify', '--profile', 'quick', '--only', 'NODE-TITLE-MAX', 'NODE-TITLE-MIN'])
  expect(ended.stderr.split('\n')[0]).toBe(
    'the binding cannot remove: pipeline; the run reuses one of each where it can, and leaves it on the target',
  )
  const report = readReport(join(world.folder, 'assay-report'))
  expect(report.leftovers).toEqual([
    expect.stringMatching(/^pipeline \S+ \(assay-\S+\): .* does not offer delete-pipeline/),
  ])
  expect(ended.stdout).toMatch(/^LEFT BEHIND 1 thing, such as$/m)
  const journal = journalIn(join(world.folder, 'assay-report')) ?? ''
  const cleaned = await world.assay(['cleanup', journal])
  expect(cleaned).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(
      /^left: pipeline .*: the binding says that the target does not offer delete-pipeline \(.*partly\.json#/m,
    ),
  })
})
