import { readdirSync, readFileSync, statSync } from 'node:fs'
import { type RequestListener, request } from 'node:http'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect } from 'vitest'
import type { ReplayReport } from '../../../schemas/types/replay.ts'
import { configOf, test, type World } from '../../testing/world.ts'
import { errorLines, found, readReport } from '../testing/expectations.ts'

const SECRET = 'S3cret-of-the-depths'
const PAIRS = 20_000
const INSIDE = `${'{"a":['.repeat(PAIRS)}"${SECRET}"${']}'.repeat(PAIRS)}`
/** More levels than any walk through them has room for, with secrets among them that only what is around them tells. */
const DEEP = `{"name":"a","password":{"n":1,"one":"${SECRET}","more":${INSIDE}}}`
const JSON_TYPE = { 'content-type': 'application/json' }
const PRESETS = '/v1/config/presetalert'

const answersDeep: RequestListener = (asked, response) => {
  asked.resume().on('end', () => response.writeHead(200, JSON_TYPE).end(DEEP))
}

/** Lets another server do what it is asked, and answers deeply in place of what it answered to some requests with success. */
function deepInPlaceOf(url: string, some: RegExp): RequestListener {
  const { hostname, port } = new URL(url)
  return (incoming, response) => {
    const { method = '', headers, url: path = '' } = incoming
    const onward = request({ hostname, port, path, method, headers }, (answer) => {
      const isDeep = answer.statusCode === 200 && some.test(`${method} ${path}`)
      if (isDeep) answer.resume().on('end', () => response.writeHead(200, JSON_TYPE).end(DEEP))
      else answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.rawHeaders))
    })
    incoming.pipe(onward)
  }
}

/** Everything that is written below a folder, uncompressed. */
function everything(folder: string): string {
  const paths = readdirSync(folder, { recursive: true }).map((path) => join(folder, String(path)))
  const read = (path: string): string => {
    const bytes = readFileSync(path)
    return `${path}\n${(path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')}`
  }
  return paths
    .filter((path) => statSync(path).isFile())
    .map(read)
    .join('\n')
}

/** What a browser noted of one request with a deep body, and of its deep answer. */
const har = (target: string): object => ({
  log: {
    version: '1.2',
    creator: { name: 'a browser', version: '1' },
    entries: [
      {
        startedDateTime: '2026-01-02T03:04:05.678Z',
        time: 1,
        request: {
          method: 'POST',
          url: `${target}${PRESETS}`,
          headers: [{ name: 'content-type', value: 'application/json' }],
          postData: { mimeType: 'application/json', text: DEEP },
        },
        response: { status: 200, headers: [], content: { mimeType: 'application/json', text: DEEP } },
      },
    ],
  },
})

/** Runs a command that has to end without an error, and returns what it said. */
async function ran(world: World, code: number, ...args: string[]): Promise<string> {
  const ended = await world.assay(args)
  expect({ args, code: ended.code, errors: errorLines(ended) }).toEqual({ args, code, errors: [] })
  const said = `${ended.stdout}${ended.stderr}`
  expect(said).not.toMatch(new RegExp(`${SECRET}|RangeError|call stack`))
  return said
}

test.concurrent.for([
  ['watching', []],
  ['with annotations', ['--annotate']],
  ['with bodies kept whole', ['--max-body', '100', '--full-bodies']],
  ['with bodies cut', ['--max-body', '20000']],
  ['on guard', ['--mode', 'guard']],
] as const)(
  'what passes a recorder is forwarded, counted and not written, however deep it is: %s',
  async ([, more], { world }) => {
    const target = await world.http(answersDeep)
    const config = world.write('config.json', {
      baseUrl: target,
      binding: 'default',
      credentials: { accessToken: 't' },
    })
    const running = world.start(['record', '--config', config, '--listen', '127.0.0.1:0', '--out', 'rec', ...more])
    const [, url = ''] = await running.said(/Recording on (\S+),/)
    const answer = await fetch(`${url}${PRESETS}`, { method: 'POST', headers: JSON_TYPE, body: DEEP })
    expect([answer.status, await answer.text()]).toEqual([200, DEEP])
    running.child.kill('SIGINT')
    const { code, stdout, stderr } = await running.ended
    // Its only exchange could not be judged, and that is not good news.
    expect({ code, stderr }).toEqual({ code: 5, stderr: expect.not.stringMatching(/problem|RangeError/) })
    expect(stdout).toContain('Nothing could be judged')
    expect(stdout).toMatch(/exchanges +1,/)
    expect(everything(join(world.folder, 'rec'))).not.toContain(SECRET)
  },
)

test.concurrent('a HAR file with such bodies is read by every verb, and none of them writes them', async ({
  world,
}) => {
  const target = await world.http(answersDeep)
  const file = world.write('session.har', har(target))
  const source = ['--target', target, '--binding', 'default']
  await ran(world, 5, 'check', 'session.har', ...source)
  await ran(world, 0, 'fixtures', 'stats', 'session.har', ...source)
  await ran(world, 0, 'fixtures', 'anonymise', 'session.har', ...source, '--out', 'clean.har')
  await ran(world, 0, 'fixtures', 'import', 'session.har', ...source, '--out', 'imported')
  await ran(world, 0, 'fixtures', 'distill', 'imported', '--out', 'small')
  await ran(world, 0, 'fixtures', 'export', 'imported', '--out', 'again.har')
  await ran(world, 5, 'check', 'imported')
  const replayed = ['--target', target, '--binding', 'default', '--yes-modify-target']
  expect(await ran(world, 5, 'replay', 'session.har', ...replayed)).toMatch(
    /Not sent:\s+1: the recording holds nothing of its body/,
  )
  const all = everything(world.folder).replace(readFileSync(file, 'utf8'), '')
  expect(all).toContain(PRESETS)
  expect(all).not.toContain(SECRET)
})

test.concurrent('a mock does not know such a request, and shows nothing of it', async ({ world }) => {
  const target = await world.http(answersDeep)
  world.write('session.har', har(target))
  const running = world.start(['mock', 'session.har', '--binding', 'default', '--port', '0'])
  const [url = ''] = (await running.said(/http:\/\/127\.0\.0\.1:\d+(?=[^\n]*Ctrl-C|\s)/)) ?? []
  const answer = await fetch(`${url}${PRESETS}`, { method: 'POST', headers: JSON_TYPE, body: DEEP })
  const text = await answer.text()
  running.child.kill('SIGINT')
  const { code, stdout, stderr } = await running.ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringMatching(/RangeError|failed/) })
  expect({ status: answer.status, text }).toEqual({ status: 501, text: expect.stringMatching(/asked \d+ characters/) })
  expect(text + stdout + stderr).not.toContain(SECRET)
})

test.concurrent('a target that answers so is asked on, and nothing of it is judged', async ({ world }) => {
  const served = await world.serve()
  const url = await world.http(deepInPlaceOf(served.url, /^PUT |^GET \/v1\/(enterprise\/keys|usage)/))
  world.write('assay.config.json', configOf(served, { baseUrl: url }))
  const only = ['--only', 'list-enterprise-keys', 'list-usage-by-tag', 'add-signing-key', '--profile', 'quick']
  await ran(world, 4, 'certify', ...only, '--record', 'rec')
  const report = readReport(join(world.folder, 'assay-report'))
  expect(report).toMatchObject({ verdict: 'partial', problems: [], leftovers: [] })
  expect(found(report, 'fail', 'warn', 'error')).toEqual([])
  const written = everything(world.folder)
  // as the compact lines of recordings say it
  expect(written).toMatch(/"c":1\b/)
  expect(written).not.toContain(SECRET)
  await ran(world, 4, 'check', 'rec', '--out', 'checked')
})

test.concurrent('what a replay is answered so is not compared', async ({ world }) => {
  const served = await world.serve()
  const run = ['certify', '--embedded', '--profile', 'quick', '--only', 'SCREEN-DELETE-REMOVES']
  await ran(world, 0, ...run, '--record', 'rec')
  const url = await world.http(deepInPlaceOf(served.url, /^GET /))
  world.write('config.json', configOf(served, { baseUrl: url, settleTimeout: 0 }))
  await ran(world, 1, 'replay', 'rec', '--config', 'config.json', '--full-bodies')
  const text = readFileSync(join(world.folder, 'assay-replay', 'replay.json'), 'utf8')
  const { counts } = JSON.parse(text) as ReplayReport
  expect(counts.notKept).toBeGreaterThan(0)
  expect(everything(join(world.folder, 'assay-replay'))).not.toContain(SECRET)
})
