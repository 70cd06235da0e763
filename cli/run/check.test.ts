import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import { REQUIREMENT } from '../../engine/judge/facts.ts'
import type { RawExchange } from '../../fixtures/recording/raw.ts'
import { openRecording } from '../../fixtures/recording/read.ts'
import { RecordingWriter } from '../../fixtures/recording/write.ts'
import { ownFolder } from '../../fixtures/testing/folder.ts'
import { rawBody, rawExchange, recorderOf } from '../../fixtures/testing/recording.ts'
import { referenceBinding } from '../../rules/testing.ts'
import type { Report } from '../../schemas/types/report.ts'
import { ran, type Said } from '../testing.ts'

const BASE = 'http://logs.example.com'

const folder = ownFolder()

function seen(line: string, got: unknown, given: Partial<RawExchange> = {}): RawExchange {
  const requestHeaders = ['Authorization', 'Token one-of-many-tokens']
  return rawExchange(line, { requestHeaders, responseBody: rawBody(JSON.stringify(got)), ...given })
}
const key = { id: '1', key: 'zq7-made-by-somebody', name: 'n', type: 'service', created: 1 }
const good = (): RawExchange => seen('GET /v1/enterprise/keys', [key])
const bad = (): RawExchange => seen('GET /v1/enterprise/keys', [{ ...key, name: 'x'.repeat(31) }])

async function record(name: string, exchanges: readonly RawExchange[], compress = true, key = 'k'): Promise<string> {
  const capture = recorderOf({ binding: referenceBinding(), baseUrl: BASE, key: Buffer.from(key) })
  const path = join(folder, name)
  const about = { tool: 'test', startedAt: '2026-01-01T00:00:00Z', target: BASE, binding: 'reference' }
  const writer = new RecordingWriter(path, { base: BASE, about, compress })
  for (const raw of exchanges) writer.append(capture.capture(raw))
  await writer.close()
  return path
}

async function assay(...args: string[]): Promise<Said & { report: () => Report }> {
  const report = (): Report => JSON.parse(readFileSync(join(folder, 'assay-report', 'report.json'), 'utf8'))
  return { ...(await ran(args, { cwd: folder })), report }
}

describe('assay check', () => {
  test('finds nothing in good traffic, and says what was not seen', async () => {
    const { code, out, report } = await assay('check', await record('r', [good(), good()]))
    expect(code).toBe(4)
    expect(out).toMatch(/NOT SEEN \d+/)
    expect(out).toContain('2 recorded exchanges with http://logs.example.com')
    expect(report()).toMatchObject({ verdict: 'partial', requests: 2, features: ['enterprise-keys'], problems: [] })
    expect(report().reason).toContain('seen whole in this traffic')
    expect(report().requirements.find(({ id }) => id === 'KEY-NAME-MAX')?.verdict).toBe('pass')
    expect((await assay('check', join(folder, 'r'), '--allow-partial')).code).toBe(0)
  })
  test('finds what is broken, in recordings and in the HAR that they become', async () => {
    const path = await record('r', [good(), bad()])
    const { code, out } = await assay('check', path)
    expect(code).toBe(1)
    expect(out).toContain('KEY-NAME-MAX')
    expect((await assay('fixtures', 'export', path, '--out', 'x.har')).code).toBe(0)
    const again = await assay('check', 'x.har', '--target', BASE, '--binding', 'reference')
    expect(again.code).toBe(1)
    expect(again.report().requests).toBe(2)
  })
  test('compares nothing that was written under another key, and says so', async () => {
    const view = {
      name: 'orders',
      query: 'level:error',
      hosts: ['web-1'],
      apps: [],
      levels: ['error'],
      tags: [],
      category: [],
    }
    const requestBody = rawBody(JSON.stringify(view))
    const made = await record('made', [seen('POST /v1/config/view', { ...view, viewid: 'v1' }, { requestBody })])
    const brokenBy = async (key: string, shown: object): Promise<string[]> => {
      const read = await record(
        `read-${key}-${Object.keys(shown).length}`,
        [seen('GET /v1/config/view/v1', shown)],
        true,
        key,
      )
      const { out, report } = await assay('check', made, read, '--alone', '--strict', '--clock-skew', '0')
      expect(out.includes('under another key')).toBe(key !== 'k')
      return report()
        .requirements.filter(({ verdict }) => verdict === 'fail')
        .map(({ id }) => id)
    }
    expect(await brokenBy('k', { ...view, viewid: 'v1', hosts: ['web-2'] })).toContain('VIEW-READ')
    expect(await brokenBy('k', { ...view, viewid: 'v1', more: 1 })).toEqual([])
    expect(await brokenBy('l', { ...view, viewid: 'v1' })).toEqual([])
  })
  test('says how it is run again with all that it depends on, and leaves no placeholder', async () => {
    await record('my rec', [good(), bad()])
    const { out, report } = await assay('check', 'my rec', '--binding', 'reference', '--strict', '--alone')
    const again = "npx assay check 'my rec' --binding reference --strict --alone"
    expect(out).toContain(again)
    expect(report().command).toBe(again)
    const files = readdirSync(join(folder, 'assay-report')).map((name) => join(folder, 'assay-report', name))
    for (const file of files) expect(readFileSync(file, 'utf8')).not.toContain(REQUIREMENT)
  })
  test.each([
    ['keeps', 'pass', 4],
    ['loses', 'fail', 1],
  ])(
    'takes several recordings for one, in the order of time: a target %s what was written',
    async (_, verdict, code) => {
      const by: [RawExchange[], RawExchange[]] = [[], []]
      for (let turn = 0; turn < 6; turn += 1) {
        const [startedAt, path] = [Date.UTC(2026, 0, 1) + turn * 100_000, '/v3/pipeline/gateway-route/r1']
        const data = {
          id: 'r1',
          title: verdict === 'pass' ? `title ${turn}` : 'none',
          description: 'd',
          legacy_routing: false,
        }
        const requestBody = rawBody(JSON.stringify({ title: `title ${turn}` }))
        by[turn % 2]?.push(seen(`PATCH ${path}`, {}, { requestBody, startedAt, endedAt: startedAt + 5 }))
        by[(turn + 1) % 2]?.push(
          seen(`GET ${path}`, { data }, { startedAt: startedAt + 50_000, endedAt: startedAt + 50_005 }),
        )
      }
      const ended = await assay('check', await record('b', by[1]), await record('a', by[0]), '--alone')
      expect([ended.code, ended.report().requests]).toEqual([code, 12])
      expect(ended.report().requirements.find(({ id }) => id === 'ROUTE-PATCH-APPLIES')?.verdict).toBe(verdict)
    },
  )
  test('counts nothing twice', async () => {
    const path = await record('a', [good()], false)
    for (const other of [path, join(path, 'exchanges-000001.ndjson')]) {
      const { code, err } = await assay('check', path, other)
      expect(code).toBe(2)
      expect(err).toMatch(/exchanges-000001\.ndjson: it is named twice/)
    }
  })
  test('blames nobody for clocks of two machines that are apart', async () => {
    const ROUTE = '/v3/pipeline/gateway-route/r1'
    const sent = JSON.stringify({ title: 'new' })
    const change = seen(`PATCH ${ROUTE}`, {}, { requestBody: rawBody(sent) })
    const data = { id: 'r1', title: 'old', description: 'd', legacy_routing: false }
    const early = seen(`GET ${ROUTE}`, { data })
    const paths = [await record('a', [change]), await record('b', [early])]
    const careful = await assay('check', ...paths, '--alone', '--allow-partial')
    expect(careful.code).toBe(0)
    expect(careful.err).toContain('requests within 1,000 ms of each other are not used against each other')
    expect(careful.report().environment['clocks apart by up to']).toBe('1000 ms')
    const exact = await assay('check', ...paths, '--alone', '--clock-skew', '0')
    expect({ code: exact.code, err: exact.err }).toEqual({
      code: 1,
      err: 'read by the binding "reference" (the recording names it)\n',
    })
    expect(exact.report().command).toContain('--clock-skew 0')
  })
  test('reports what it read before a recording breaks off, and names the line', async () => {
    const path = await record('r', [good(), good(), good()], false)
    const segment = join(path, 'exchanges-000001.ndjson')
    truncateSync(segment, readFileSync(segment).length - 90)
    const cut = await assay('check', path)
    expect(cut.code).toBe(4)
    expect(cut.err).toContain(`${segment}:4 was cut off`)
    expect(cut.report().environment['exchanges missing']).toBe('1')
    writeFileSync(segment, `${readFileSync(segment, 'utf8')}\n{}\n`)
    const broken = await assay('check', path)
    expect(broken.code).toBe(5)
    expect(broken.report()).toMatchObject({ requests: 2, verdict: 'invalid', problems: [`${segment}:4 is not JSON`] })
  })

  test('counts server errors where the configuration says so', async () => {
    const path = await record('r', [good(), seen('GET /v1/enterprise/keys', {}, { status: 500 })])
    const configuration = { baseUrl: BASE, binding: 'reference', failOn: ['server-error'] }
    writeFileSync(join(folder, 'assay.config.json'), JSON.stringify(configuration))
    const { code, report } = await assay('check', path, '--config', 'assay.config.json', '--allow-partial')
    expect([code, report().serverErrors?.count]).toEqual([1, 1])
  })

  test('counts bodies that were cut, and judges nothing by them', async () => {
    const body = { bytes: 5_000_000, kept: Buffer.from('[{"id":"1","key":"x"},{"id":'), cut: true }
    const { code, report } = await assay(
      'check',
      await record('r', [good(), seen('GET /v1/enterprise/keys', [], { responseBody: body })]),
    )
    expect(code).toBe(4)
    expect(report().environment['bodies cut']).toMatch(/^1: /)
  })
  test.each<[string, string | Buffer | undefined, RegExp]>([
    ['nothing', undefined, /nothing does not exist/],
    ['x.txt', 'x', /x\.txt:1:1 is neither HAR nor a segment/],
    ['x.har', '{"log":{"entries":[]}}', /no request in it belongs to the service/],
    ['cut.har', '{"log":{"entries":[{"request":', /cut\.har:1:31 is neither HAR nor a segment: .* ends too early/],
    ['packed.har', gzipSync('{"log":{"entries":[]}}'), /packed\.har is compressed \(gzip\); unpack it first/],
    ['wide.har', Buffer.from('\ufeff{"log":{"entries":[]}}', 'utf16le'), /wide\.har is in UTF-16; save it as UTF-8/],
  ])('cannot read %s, says so in one line, and writes no report', async (name, content, message) => {
    if (content !== undefined) writeFileSync(join(folder, name), content)
    const { code, err } = await assay('check', name, ...(name === 'x.har' ? [] : ['--target', BASE]))
    expect({ code, report: existsSync(join(folder, 'assay-report', 'report.json')) }).toEqual({
      code: 2,
      report: false,
    })
    expect(err).toMatch(message)
    expect(err.trim().split('\n').length).toBeLessThan(3)
  })
})

describe('assay fixtures', () => {
  test('stats shows operations, sizes and requirements', async () => {
    const path = await record('r', [good(), bad()])
    const { code, out } = await assay('fixtures', 'stats', path)
    expect(code).toBe(0)
    expect(out).toMatch(/list-enterprise-keys +2/)
    expect(out).toContain('broken: KEY-NAME-MAX')
    const { out: json } = await assay('fixtures', 'stats', path, '--json')
    expect(JSON.parse(json)).toMatchObject({ exchanges: 2, operations: [{ statuses: { '200': 2 } }] })
  })
  test('distill keeps what shows the same', async () => {
    const path = await record('r', [...Array.from({ length: 60 }, good), bad(), ...Array.from({ length: 60 }, bad)])
    const { code, out } = await assay('fixtures', 'distill', path, '--out', 'small')
    expect(code).toBe(0)
    expect(Number(/: (\d+) of 121 exchanges/.exec(out)?.[1])).toBeLessThan(6)
    const [before, after] = [await assay('check', path), await assay('check', 'small')]
    expect(after.code).toBe(before.code)
    expect(after.report().requirements.map(({ verdict }) => verdict)).toEqual(
      before.report().requirements.map(({ verdict }) => verdict),
    )
    const replayed = await assay('replay', join(folder, 'small'), '--target', BASE, '--yes-modify-target')
    expect(replayed.err).toContain('note: the recording was distilled: requests lack what they build on')
    await assay('fixtures', 'import', 'small', '--out', 'copy')
    expect((await openRecording(join(folder, 'copy'))).about).toMatchObject({ distilled: 121 })
  })
  test('import and anonymise leave no secret in what they write', async () => {
    const entry = {
      startedDateTime: '2026-01-01T00:00:00.000Z',
      time: 5,
      request: {
        method: 'GET',
        url: `${BASE}/v1/enterprise/keys`,
        headers: [{ name: 'enterprise-servicekey', value: 'very-secret-1234' }],
      },
      response: { status: 200, headers: [], content: { mimeType: 'application/json', text: JSON.stringify([key]) } },
    }
    writeFileSync(join(folder, 'in.har'), JSON.stringify({ log: { entries: [entry] } }))
    expect((await assay('fixtures', 'anonymise', 'in.har', '--out', 'out.har')).code).toBe(0)
    const clean = readFileSync(join(folder, 'out.har'), 'utf8')
    expect(clean).not.toMatch(/very-secret-1234|zq7-made/)
    expect((await assay('fixtures', 'import', 'in.har', '--out', 'rec', '--key-file', 'key')).code).toBe(0)
    expect((await assay('check', 'rec')).report()).toMatchObject({ requests: 1, features: ['enterprise-keys'] })
    expect((await assay('fixtures', 'import', 'in.har', '--out', 'rec')).code).toBe(2)
  })
  test.each([
    [0, 'fail'],
    [28_000, 'pass'],
  ])('of a HAR file in which a tap waited %i ms for a connection: its timeout is %s', async (blocked, verdict) => {
    const body = (value: object): object => ({ mimeType: 'application/json', text: JSON.stringify(value) })
    const postData = body({ limit: 2, timeout: 1 })
    const request = { method: 'POST', url: `${BASE}/v3/pipeline/p/tap/s`, headers: [], postData }
    const response = { status: 200, headers: [], content: body({ data: { events: [] } }) }
    const timings = { blocked, send: 0, wait: 30_000 - blocked, receive: 0 }
    const entry = { startedDateTime: '2026-01-01T00:00:00.000Z', time: 30_000, timings, request, response }
    writeFileSync(join(folder, 'in.har'), JSON.stringify({ log: { entries: [entry] } }))
    expect((await assay('fixtures', 'import', 'in.har', '--out', 'rec')).code).toBe(0)
    for (const path of ['in.har', 'rec']) {
      const { requirements } = (await assay('check', path, '--binding', 'reference')).report()
      expect(requirements.find(({ id }) => id === 'TAP-TIMEOUT')?.verdict).toBe(verdict)
    }
  })
  describe('of a HAR file with other addresses in it', () => {
    const entry = (url: string): object => ({
      startedDateTime: '2026-01-01T00:00:00.000Z',
      time: 5,
      request: { method: 'GET', url, headers: [] },
      response: { status: 200, headers: [], content: { mimeType: 'application/json', text: JSON.stringify([key]) } },
    })
    const path = '/v1/enterprise/keys'
    const read = 'read by the binding "default" (nobody names another)\n'
    const words = '2 of 5 entries go to other addresses, such as https://other.example.net, https://logs.example.com'
    beforeEach(() => {
      const urls = [
        `http://user:SECRETPASS99@logs.example.com${path}`,
        `http://LOGS.example.com:80${path}`,
        `https://other:SECRETPASS98@other.example.net${path}?token=SECRETQUERY97`,
        `https://logs.example.com${path}`,
        `${BASE}${path}`,
      ]
      writeFileSync(join(folder, 'in.har'), JSON.stringify({ log: { entries: urls.map(entry) } }))
    })

    test('import leaves them out and says so, and takes every spelling of the target', async () => {
      const { code, out, err } = await assay('fixtures', 'import', 'in.har', '--target', BASE, '--out', 'rec', '--json')
      expect({ code, ...(JSON.parse(out) as object) }).toMatchObject({ code: 0, exchanges: 3, elsewhere: 2 })
      expect(err).toBe(`${read}${words}: left out\n`)
    })
    test('check judges what is the target, and names the rest', async () => {
      const { err, report } = await assay('check', 'in.har', '--target', BASE)
      expect(err).toContain(`in.har: ${words}: not judged`)
      expect(report()).toMatchObject({ requests: 3, environment: { 'entries that were not judged': words } })
    })
    test('the target is found whatever its spelling, and never shown with a password', async () => {
      const { out, report } = await assay('check', 'in.har')
      expect(report()).toMatchObject({ requests: 3, target: { baseUrl: BASE } })
      expect(out + JSON.stringify(report())).not.toContain('SECRET')
    })
    test('anonymise keeps them without their secrets, and they stay no evidence', async () => {
      const made = await assay('fixtures', 'anonymise', 'in.har', '--target', BASE, '--out', 'out.har', '--json')
      expect({ code: made.code, ...(JSON.parse(made.out) as object) }).toMatchObject({
        code: 0,
        entries: 5,
        elsewhere: 2,
      })
      expect(made.err).toBe(`${read}${words}: kept, without their secrets\n`)
      const clean = readFileSync(join(folder, 'out.har'), 'utf8')
      expect(clean).not.toContain('SECRET')
      expect(clean).not.toContain(key.key)
      expect(clean).toContain('"https://other.example.net/v1/enterprise/keys?token=')
      const { err, report } = await assay('check', 'out.har', '--target', BASE)
      expect(err).toContain('2 of 5 entries go to other addresses')
      expect(report().requests).toBe(3)
    })
    test.each([
      ['stats', 'not counted', []],
      ['distill', 'left out', ['--out', 'small']],
    ])('%s says that they are %s', async (verb, said, more) => {
      const { out, err } = await assay('fixtures', verb, 'in.har', '--target', BASE, '--json', ...more)
      expect(err).toBe(`${read}${words}: ${said}\n`)
      expect(JSON.parse(out)).toMatchObject({ elsewhere: 2 })
    })
  })
  test('repair leaves out what cannot be read, and says so', async () => {
    const path = await record('r', [good(), good(), good()], false)
    const segment = join(path, 'exchanges-000001.ndjson')
    const lines = readFileSync(segment, 'utf8').split('\n')
    lines[2] = '{"i":'
    writeFileSync(segment, lines.join('\n').slice(0, -40))
    const { code, out } = await assay('fixtures', 'repair', path)
    expect(code).toBe(0)
    expect(out).toContain(`${segment}: line 3`)
    expect(out).toContain('can be read; at least')
    const open = `${segment} was not closed: whatever wrote it was killed, had no room left or still writes; up to 2 s of traffic`
    expect(out).toContain(open)
    const checked = await assay('check', path)
    expect(checked.code).toBe(4)
    expect(checked.err).toContain(open)
    expect(checked.report().environment['segments that were not closed']).toMatch(/^1: traffic before the end/)
    expect(checked.out).toContain('segments that were not closed: 1: traffic before the end')
    const again = await assay('fixtures', 'repair', path)
    expect(again.out).toContain('nothing was broken')
    expect(again.out).toContain(open)
    const stats = await assay('fixtures', 'stats', path, '--json')
    expect(stats.err).toContain(open)
    expect(JSON.parse(stats.out)).toMatchObject({ notClosed: 1 })
  })
})
