import { readdirSync, rmSync } from 'node:fs'
import type { RawExchange } from '../../../fixtures/recording/raw.ts'
import { another, everyPlanting, leftIn, planted } from '../../../fixtures/testing/planted.ts'
import { CHARSETS } from '../../../fixtures/testing/plants.ts'
import { rawExchange } from '../../../fixtures/testing/recording.ts'
import { test } from '../../testing/world.ts'
import { leftAnywhere } from '../testing/left.ts'

/** One of so many secrets is planted: each costs a run of a rule, a request and a comparison. */
const STEP = 11

/** Secrets of each shape in each place, as a browser or another tool writes them into HAR. */
function entries(target: string): object[] {
  const found: object[] = []
  const [charset] = CHARSETS
  for (const [number, planting] of [...everyPlanting()].filter((one) => one.charset === charset).entries()) {
    const plant = number % STEP === 0 ? planted(planting, number) : undefined
    if (plant && !planting.where.startsWith('a body')) found.push(entryOf(rawExchange(...plant), target))
  }
  return found
}

function entryOf(raw: RawExchange, target: string): object {
  const fields = (flat: readonly string[]): object[] =>
    Array.from({ length: flat.length / 2 }, (_, index) => ({ name: flat[index * 2], value: flat[index * 2 + 1] }))
  const type = raw.requestHeaders[raw.requestHeaders.indexOf('content-type') + 1] ?? ''
  const sent = raw.requestBody.kept.toString()
  return {
    startedDateTime: new Date(raw.startedAt).toISOString(),
    time: 2,
    request: {
      method: raw.method,
      url: `${target}${raw.url}`,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: fields(raw.requestHeaders),
      queryString: [],
      headersSize: -1,
      bodySize: -1,
      ...(sent === '' ? {} : { postData: { mimeType: type, text: sent } }),
    },
    response: {
      status: raw.status || 200,
      statusText: raw.statusText,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: fields(raw.responseHeaders),
      content: { size: raw.responseBody.bytes, mimeType: 'application/json', text: raw.responseBody.kept.toString() },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: 2, receive: 0 },
  }
}

test('secrets of a HAR file are in nothing that is imported, exported, checked, served or replayed', {
  timeout: 240_000,
}, async ({ world, expect }) => {
  const echo = await world.http((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk as Buffer))
    request.on('end', () => {
      response.setHeader('content-type', request.headers['content-type'] ?? 'application/json')
      response.end(chunks.length === 0 ? '{}' : Buffer.concat(chunks))
    })
  })
  const all = entries(echo)
  expect(all.length).toBeGreaterThan(700)
  const given = world.write('given.har', {
    log: { version: '1.2', creator: { name: 'x', version: '1' }, entries: all },
  })
  const said: Record<string, string> = {}
  const served: string[] = []
  const run = async (...args: string[]): Promise<void> => {
    const { stdout, stderr } = await world.assay(args)
    said[args.slice(0, 3).join(' ')] = `${stdout}\n${stderr}`
  }
  const here = ['--target', echo, '--binding', 'default']
  await run('fixtures', 'import', 'given.har', '--out', 'rec', ...here)
  await run('fixtures', 'export', 'given.har', '--out', 'out.har', ...here)
  await run('fixtures', 'export', 'rec', '--out', 'again.har')
  await run('check', 'given.har', ...here, '--out', 'report', '--reporter', 'ctrf', 'markdown', 'text')
  await run('report', 'render', 'report', '--format', 'junit', '--out', 'junit.xml')
  await run('check', 'rec', '--out', 'report-2', '--json')
  await run(
    'replay',
    'given.har',
    ...here,
    '--out',
    'replayed',
    '--yes-modify-target',
    '--speed',
    'max',
    '--full-bodies',
  )

  const mock = world.start(['mock', 'given.har', '--binding', 'default'])
  const [, url = ''] = await mock.said(/served on (http:\S+)/)
  for (const entry of all as { request: { method: string; url: string; postData?: { text: string } } }[]) {
    const { method, url: asked, postData } = entry.request
    // A client gets its own values back. It has others of the same form, so that all that is left comes from the HAR file.
    const path = another(asked.slice(echo.length))
    const body = postData && another(postData.text)
    if (leftIn(`${path} ${body}`).length > 0) continue
    const answer = await fetch(url + path, { method, redirect: 'manual', ...(body === undefined ? {} : { body }) })
    served.push(JSON.stringify([...answer.headers]), await answer.text())
  }
  mock.child.kill('SIGINT')
  const ended = await mock.ended
  said.mock = `${ended.stdout}\n${ended.stderr}`

  expect(served.join('').length).toBeGreaterThan(50_000)
  rmSync(given)
  expect(readdirSync(world.folder).length).toBeGreaterThan(6)
  expect(leftAnywhere({ ...said, served: served.join('\n') }, 'utf8', world.folder)).toEqual({ told: {}, files: {} })
})
