import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect } from 'vitest'
import { hostileReport } from '../../../reports/testing/hostile.ts'
import { test } from '../../testing/world.ts'
import {
  bundle,
  deep,
  HEADER,
  type HostileFiles,
  hostileFiles,
  line,
  manyValues,
  posting,
  tar,
} from '../testing/hostile-files.ts'

/** Milliseconds, on a machine that has nothing else to do; and bytes. */
const LONGEST_MS = 5_000
const MOST_BYTES = 300 * 1024 * 1024
const GIB = 1024 ** 3
/** What stands in a file of this machine, and is nobody's business. */
const PRIVATE = 'assay-private-5c1d20'

/** `args` begin with the verb. `target`: an address that counts what it is sent. */
interface Given {
  readonly args: readonly string[]
  /** default: 2 */
  readonly code?: number
  readonly said: RegExp
  /** of the message; default: 1 */
  readonly lines?: number
}

type Make = (files: HostileFiles, target: string) => Given | Promise<Given>

/** Notes what a process took when it ends: bytes of memory, and milliseconds of a processor. */
const PEAK =
  'data:text/javascript,import{writeFileSync}from"node:fs";process.on("exit",()=>{const{maxRSS,userCPUTime,systemCPUTime}=process.resourceUsage();writeFileSync(process.env.PEAK_FILE,JSON.stringify({bytes:maxRSS*1024,ms:(userCPUTime+systemCPUTime)/1000}))})'

/** A name of a body as long as one has to be. */
const NAME = 'a'.repeat(64)

const replay = (path: string, target: string): string[] => [
  'replay',
  path,
  '--target',
  target,
  '--binding',
  'reference',
  '--yes-modify-target',
]

const RECORDINGS: Readonly<Record<string, Make>> = {
  'a segment that is a link': (files) => {
    const elsewhere = files.recording('elsewhere', [line()])
    files.link('r/exchanges-000001.ndjson', join(elsewhere, 'exchanges-000001.ndjson'))
    return { args: ['check', 'r'], said: /exchanges-000001\.ndjson is a link, which is not followed/ }
  },
  'a segment that is a pipe': (files) => {
    files.pipe('r/exchanges-000001.ndjson')
    return { args: ['check', 'r'], said: /is a pipe, not a file/ }
  },
  'a segment that leads to a device': (files) => {
    files.link('r/exchanges-000001.ndjson', '/dev/zero')
    return { args: ['mock', 'r', '--port', '0'], said: /is a link, which is not followed/ }
  },
  'a segment that is a folder': (files) => {
    files.write('r/exchanges-000001.ndjson/x', '')
    return { args: ['fixtures', 'stats', 'r'], said: /exchanges-000001\.ndjson is a folder/ }
  },
  'a segment that is a socket': async (files) => {
    const server = createServer().listen(files.at('r/exchanges-000001.ndjson'))
    await once(server, 'listening')
    server.unref()
    return { args: ['check', 'r'], said: /is a socket, not a file/ }
  },
  'a segment that is a pipe, to be repaired': (files) => {
    files.pipe('r/exchanges-000001.ndjson')
    return { args: ['fixtures', 'repair', 'r'], said: /is a pipe, not a file/ }
  },
  'bodies in a folder of somebody else': (files, target) => {
    files.recording('r', [posting(NAME)])
    files.write(`other/${NAME}`, PRIVATE)
    files.link('r/bodies', files.at('other'))
    return { args: replay('r', target), said: /bodies is not a folder of the recording's own/ }
  },
  'a body that leads to a private key, to be sent': (files, target) => {
    files.recording('r', [posting(NAME)])
    files.link(`r/bodies/${NAME}`, files.write('id_ed25519', PRIVATE))
    return { args: replay('r', target), said: /a{64} is not a file of the recording's own/ }
  },
  'a body that leads to a file of the system, to be served': (files) => {
    files.recording('r', [line({ B: { t: '[', c: 1, f: NAME } })])
    files.link(`r/bodies/${NAME}`, '/etc/passwd')
    return { args: ['mock', 'r', '--port', '0'], said: /a{64} is not a file of the recording's own/ }
  },
  'a body that leads to a device, to be exported': (files) => {
    files.recording('r', [line({ B: { t: '[', c: 1, f: NAME } })])
    files.link(`r/bodies/${NAME}`, '/dev/zero')
    return { args: ['fixtures', 'export', 'r', '--out', 'x.har'], said: /a{64} is not a file of the recording's own/ }
  },
  'a body that is a pipe': (files, target) => {
    files.recording('r', [posting(NAME)])
    files.pipe(`r/bodies/${NAME}`)
    return { args: replay('r', target), said: /a{64} is not a file of the recording's own/ }
  },
  'a body that was exchanged, to be sent': (files, target) => {
    files.recording('r', [posting(NAME)])
    files.write(`r/bodies/${NAME}`, PRIVATE)
    return { args: replay('r', target), said: /a{64} was changed: its name is not the hash of what it holds/ }
  },
  'a body that was exchanged, to be served': (files) => {
    files.recording('r', [line({ B: { t: '[', c: 1, f: NAME } })])
    files.write(`r/bodies/${NAME}`, PRIVATE)
    return { args: ['mock', 'r', '--port', '0'], said: /was changed: its name is not the hash of what it holds/ }
  },
  'a body that was exchanged, to be judged': (files) => {
    files.recording('r', [line({ B: { t: '[', c: 1, f: NAME } })])
    files.write(`r/bodies/${NAME}`, PRIVATE)
    return { args: ['check', 'r'], said: /was changed: its name is not the hash of what it holds/ }
  },
  'a body that was exchanged, to be copied': (files) => {
    files.recording('r', [line({ B: { t: '[', c: 1, f: NAME } })])
    files.write(`r/bodies/${NAME}`, PRIVATE)
    return { args: ['fixtures', 'distill', 'r', '--out', 'x'], said: /was changed: its name is not the hash/ }
  },
  'a line of a gigabyte, to be judged': (files) => {
    files.sparse('r/exchanges-000001.ndjson', GIB, `${JSON.stringify(HEADER)}\n{"i":"`)
    return { args: ['check', 'r'], said: /exchanges-000001\.ndjson:2 has more than 128 MiB/ }
  },
  'a line of a gigabyte, to be served': (files) => {
    files.sparse('r/exchanges-000001.ndjson', GIB, `${JSON.stringify(HEADER)}\n{"i":"`)
    return { args: ['mock', 'r', '--port', '0'], said: /:2 has more than 128 MiB/ }
  },
  'a line of a gigabyte, compressed': async (files, target) => {
    await files.bomb('r/exchanges-000001.ndjson.gz', GIB, `${JSON.stringify(HEADER)}\n{"i":"`)
    return { args: replay('r', target), said: /ndjson\.gz:2 has more than 128 MiB/ }
  },
  'a first line of a gigabyte': (files) => {
    files.sparse('r/exchanges-000001.ndjson', GIB)
    return { args: ['fixtures', 'stats', 'r'], said: /:1 has more than 128 MiB/ }
  },
  'a line of millions of values': (files) => {
    files.recording('r', [manyValues(60)])
    return { args: ['check', 'r'], said: /:2 holds more than 1,000,000 values/ }
  },
  'a line of many levels': (files) => {
    files.recording('r', [deep(), line()])
    return { args: ['check', 'r'], said: /:2 is not an exchange/ }
  },
  'an intent of many levels': (files) => {
    const text = JSON.stringify(line({ I: { kind: 'read', data: '@' } })).replace('"@"', `{"a":${deep(20_000)}}`)
    files.recording('r', [text])
    return { args: ['check', 'r'], said: /:2 is not an exchange/ }
  },
  'a header of many levels': (files) => {
    files.write('r/exchanges-000001.ndjson', JSON.stringify({ ...HEADER, x: '@' }).replace('"@"', deep()))
    return { args: ['fixtures', 'stats', 'r'], said: /:1 is not the first line of a segment: is nested more than 200/ }
  },
  'a header whose address is none': (files, target) => {
    files.recording('r', [line()], { base: { a: 1 } })
    return { args: replay('r', target), said: /:1 is not the first line of a segment: \/base must be string/ }
  },
  'a method that is a number': (files) => {
    files.recording('r', [line({ m: 7 })])
    return { args: ['check', 'r'], said: /:2 is not an exchange/ }
  },
  'header fields that are an object': (files) => {
    files.recording('r', [line({ H: { length: 2, 0: 'a', 1: 'b' } })])
    return { args: ['mock', 'r', '--port', '0'], said: /:2 is not an exchange/ }
  },
  'a body whose text is a list': (files, target) => {
    files.recording('r', [line({ m: 'POST', b: { t: [1] } })])
    return { args: replay('r', target), said: /:2 is not an exchange/ }
  },
  'a moment beyond all time': (files) => {
    files.recording('r', [JSON.stringify(line()).replace('"e":10', '"e":1e300')])
    return { args: ['fixtures', 'stats', 'r'], said: /:2 is not an exchange/ }
  },
  'lines that are noise': (files) => {
    files.write('r/exchanges-000001.ndjson', Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 73) % 256)))
    return { args: ['check', 'r'], said: /:\d is not (JSON|the first line)/ }
  },
  'a compressed segment that is none': (files) => {
    files.write('r/exchanges-000001.ndjson.gz', 'no gzip at all')
    return { args: ['check', 'r'], said: /exchanges-000001\.ndjson\.gz: incorrect header check/ }
  },
  'a binding that is a file': (files) => {
    files.recording('r', [line()], {
      about: { tool: 'x', startedAt: '', target: 'http://a.invalid', binding: '/dev/zero' },
    })
    return {
      args: ['check', 'r'],
      said: /r: the recording names the binding "\/dev\/zero", which does not ship with assay/,
    }
  },
  'an endless device': () => ({ args: ['check', '/dev/zero'], said: /\/dev\/zero is a device, not a file/ }),
  'facts that are a link': (files) => {
    files.recording('r', [line()])
    files.link('r/run.json', files.write('private.json', { key: PRIVATE }))
    return { args: ['check', 'r'], said: /run\.json: is a link, which is not followed/ }
  },
  'facts that are a pipe': (files) => {
    files.recording('r', [line()])
    files.pipe('r/run.json')
    return { args: ['fixtures', 'distill', 'r', '--out', 'x'], said: /run\.json: is a pipe, not a file/ }
  },
  'facts of many levels': (files) => {
    files.recording('r', [line()])
    files.write('r/run.json', deep())
    return { args: ['check', 'r'], said: /run\.json: is nested more than 200 levels deep/ }
  },
  'facts of a gigabyte': (files) => {
    files.recording('r', [line()])
    files.sparse('r/run.json', GIB)
    return { args: ['mock', 'r', '--port', '0'], said: /run\.json: has more than 32 MiB/ }
  },
  'facts that are none': (files) => {
    files.recording('r', [line()])
    files.write('r/run.json', { binding: { files: [{ operations: { x: null } }] } })
    return { args: ['check', 'r'], said: /run\.json#\/\w+: not as a run leaves it/ }
  },
}

const HARS: Readonly<Record<string, Make>> = {
  'a pipe': (files) => ({ args: ['check', files.pipe('x.har')], said: /x\.har is a pipe, not a file/ }),
  'a link to a device': (files) => {
    return { args: ['mock', files.link('x.har', '/dev/zero'), '--port', '0'], said: /x\.har is a device, not a file/ }
  },
  'a gigabyte': (files) => {
    return { args: ['fixtures', 'import', files.sparse('x.har', GIB), '--out', 'o'], said: /has more than 500 MiB/ }
  },
  'millions of values': (files) => {
    return { args: ['check', files.write('x.har', manyValues(40))], said: /x\.har holds more than 6,000,000 values/ }
  },
  'many levels': (files) => {
    const args = ['fixtures', 'export', files.write('x.har', deep()), '--out', 'o.har']
    return { args, said: /x\.har is nested more than 200 levels deep/ }
  },
  'what is no JSON': (files) => ({
    args: ['check', files.write('x.har', '{"log":')],
    said: /neither HAR nor a segment/,
  }),
  'no entries': (files) => ({ args: ['check', files.write('x.har', '{"log":7}')], said: /has no list log\.entries/ }),
  'entries that are no such': (files) => {
    const entries = [null, 7, [], { request: 1 }, { request: { method: 1, url: {} } }]
    const args = ['fixtures', 'import', files.write('x.har', { log: { entries } }), '--out', 'o']
    return { args, said: /no request in it looks like one of the service/ }
  },
}

const header = (baseUrl: string, change: object = {}): string =>
  `${JSON.stringify({ type: 'run', formatVersion: 1, baseUrl, binding: 'reference', prefix: 'a', startedAt: '', ...change })}\n`
const making = (change: object = {}): string =>
  `${JSON.stringify({ type: 'making', entry: 'e', resource: 'board', label: 'l', params: {}, case: 'c', ...change })}\n`

const JOURNALS: Readonly<Record<string, Make>> = {
  'of another host': (files) => {
    files.write('j', header('http://127.0.0.1:9') + making())
    return { args: ['cleanup', 'j'], said: /j: is of a run against http:\/\/127\.0\.0\.1:9, not against / }
  },
  'of another path of the host': (files, target) => {
    files.write('j', header(`${target}/other`) + making())
    return { args: ['cleanup', 'j'], said: /j: is of a run against / }
  },
  'whose address acts on a terminal': (files) => {
    files.write('j', header('http://\u001b]0;x\u0007\u202e\n::error::x') + making())
    return { args: ['cleanup', 'j'], said: /against http:\/\/\\u001b\]0;x\\u0007\\u202e\\n::error::x, not against/ }
  },
  'that is a pipe': (files) => ({ args: ['cleanup', files.pipe('j')], said: /j: is a pipe, not a file/ }),
  'that leads to a device': (files) => {
    return { args: ['cleanup', files.link('j', '/dev/zero')], said: /j: is a device, not a file/ }
  },
  'of one line of a gigabyte': (files) => {
    return { args: ['cleanup', files.sparse('j', GIB)], said: /j: line 1 is longer than any that assay writes/ }
  },
  'that chooses the file of a binding': (files, target) => {
    files.write('assay.config.json', { baseUrl: target, credentials: { accessToken: 'assay-secret-3f9a71' } })
    files.write('evil.json', { formatVersion: 1, name: 'evil' })
    files.write('j', header(target, { binding: './evil.json' }) + making())
    return { args: ['cleanup', 'j'], said: /names the binding "\.\/evil\.json", which does not ship with assay/ }
  },
  'with an id that leads to another path': (files, target) => {
    files.write('j', header(target) + making({ params: { pipeline_id: '..' } }))
    return { args: ['cleanup', 'j'], said: /j:2: is not a line of a journal/ }
  },
  'with fields of other types': (files, target) => {
    files.write('j', header(target) + making({ label: { length: 3 } }))
    return { args: ['cleanup', 'j'], said: /j:2: is not a line of a journal/ }
  },
  'of many levels': (files, target) => {
    files.write('j', `${header(target)}${deep()}\n`)
    return { args: ['cleanup', 'j'], said: /j:2: is not a line of a journal/ }
  },
  'of nothing': (files) => ({
    args: ['cleanup', files.write('j', '')],
    said: /j:1: is not the first line of a journal/,
  }),
}

const BUNDLES: Readonly<Record<string, Make>> = {
  'that fills the disk': async (files) => {
    const whole = tar([{ name: 'evidence/exchanges-1.ndjson', size: 4 * GIB }]).subarray(0, 512)
    await files.bomb('b.tgz', 4 * GIB, whole.toString('latin1'))
    return { args: ['verify', 'b.tgz'], code: 1, said: /the archive unpacks to more than a bundle holds/ }
  },
  'that fills the memory with a header': async (files) => {
    const whole = tar([{ name: 'x', type: 'x', size: GIB }]).subarray(0, 512)
    await files.bomb('b.tgz', GIB, whole.toString('latin1'))
    return { args: ['verify', 'b.tgz'], code: 1, said: /the archive is damaged \(Header exceeds max size\)/ }
  },
  'of thousands of files': (files) => {
    const entries = Array.from({ length: 5_000 }, (_, at) => ({ name: `evidence/cases-${at}.ndjson`, content: '{}' }))
    files.write('b.tgz', bundle(entries))
    return { args: ['verify', 'b.tgz'], code: 1, said: /the archive holds more files than a bundle/ }
  },
  'with a link': (files) => {
    files.write('b.tgz', bundle([{ name: 'report.json', type: '2', link: '/etc/passwd' }]))
    return { args: ['verify', 'b.tgz'], code: 1, said: /report\.json does not belong into a bundle/ }
  },
  'with a path that leads out': (files) => {
    files.write('b.tgz', bundle([{ name: '../../evil', content: 'x' }]))
    return { args: ['verify', 'b.tgz'], code: 1, said: /\.\.\/\.\.\/evil does not belong into a bundle/ }
  },
  'with a name that acts on a terminal': (files) => {
    files.write('b.tgz', bundle([{ name: 'evidence/\u001b[2J\u202ex', content: 'x' }]))
    return { args: ['verify', 'b.tgz'], code: 1, said: /evidence\/\\u001b\[2J\\u202ex does not belong/ }
  },
  'with a manifest of many levels': (files) => {
    files.write('b.tgz', bundle([{ name: 'bundle.json', content: deep() }]))
    return { args: ['verify', 'b.tgz'], code: 1, said: /bundle\.json is nested more than 200 levels deep/ }
  },
  'with a manifest of ten megabytes': (files) => {
    files.write('b.tgz', bundle([{ name: 'bundle.json', content: `"${'x'.repeat(10 << 20)}"` }]))
    return { args: ['verify', 'b.tgz'], code: 1, said: /bundle\.json has more than 1 MiB/ }
  },
  'with a manifest that is none': (files) => {
    files.write('b.tgz', bundle([{ name: 'bundle.json', content: '[null]' }]))
    return { args: ['verify', 'b.tgz'], code: 1, said: /bundle\.json must be an object, not an array/ }
  },
  'that is a pipe': (files) => ({ args: ['verify', files.pipe('b.tgz')], said: /is a pipe, not a file/ }),
  'that is none': (files) => {
    files.write('b.tgz', 'hello')
    return { args: ['verify', 'b.tgz'], code: 1, said: /the archive is damaged/ }
  },
}

const REPORTS: Readonly<Record<string, Make>> = {
  'that is a pipe': (files) => ({ args: ['report', 'render', files.pipe('r.json')], said: /is a pipe, not a file/ }),
  'that leads to a device': (files) => {
    return { args: ['report', 'render', files.link('r.json', '/dev/zero')], said: /is a device, not a file/ }
  },
  'of a gigabyte': (files) => {
    const report = files.sparse('r.json', GIB)
    return { args: ['report', 'compare', report, report], said: /r\.json: has more than 32 MiB/ }
  },
  'of many levels': (files) => {
    const text = JSON.stringify({ ...hostileReport(), configuration: '@' }).replace('"@"', deep())
    return { args: ['report', 'render', files.write('r.json', text)], said: /is nested more than 200 levels deep/ }
  },
  'of millions of values': (files) => {
    return {
      args: ['report', 'merge', files.write('r.json', manyValues(30))],
      said: /holds more than 2,000,000 values/,
    }
  },
  'with fields of other types': (files) => {
    const args = ['report', 'render', files.write('r.json', { ...hostileReport(), problems: 7 })]
    return { args, said: /r\.json#\/problems: must be an array, not a number/ }
  },
  'with a hundred thousand unknown fields': (files) => {
    const unknown = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`\u001b[2J${at}`, 1]))
    const args = ['report', 'render', files.write('r.json', { ...hostileReport(), ...unknown })]
    return { args, said: /r\.json#\/\\u001b\[2J\d+: unknown field/, lines: 3 }
  },
  'that would be markup where a page is expected': (files) => {
    const report = files.write('r.json', hostileReport())
    const args = ['report', 'compare', report, report, '--format', 'text', '--out', 'x.html']
    return { args, said: /x\.html: browsers take a \.html file for markup, and the format "text" is none/ }
  },
  'held to a list of many levels': (files) => {
    files.recording('r', [line()])
    return { args: ['check', 'r', '--expect', files.write('e.json', deep())], said: /e\.json: is nested more than 200/ }
  },
  'replayed with ignored places from a pipe': (files, target) => {
    files.recording('r', [line()])
    return { args: [...replay('r', target), '--ignore', files.pipe('i.json')], said: /i\.json: is a pipe, not a file/ }
  },
}

const CONFIGS: Readonly<Record<string, Make>> = {
  'that is a pipe': (files) => {
    return { args: ['certify', '--config', files.pipe('c.json')], said: /c\.json: is a pipe, not a file/ }
  },
  'that leads to a device': (files) => {
    return {
      args: ['certify', '--config', files.link('c.json', '/dev/zero')],
      said: /c\.json: is a device, not a file/,
    }
  },
  'of a gigabyte': (files) => {
    return { args: ['certify', '--config', files.sparse('c.json', GIB)], said: /c\.json: has more than 32 MiB/ }
  },
  'of many levels': (files) => {
    return { args: ['certify', '--config', files.write('c.json', deep())], said: /c\.json: is nested more than 200/ }
  },
  'of twenty megabytes that are no JSON': (files) => {
    const args = ['certify', '--config', files.write('c.json', `[${'"a",'.repeat(5 << 20)}`.slice(0, 20 << 20))]
    return { args, said: /c\.json: holds more than 2,000,000 values/ }
  },
  'with an authority that is a device': (files, target) => {
    files.write('c.json', { baseUrl: target, tls: { ca: '/dev/zero' } })
    return { args: ['certify', '--config', 'c.json'], said: /c\.json#\/tls\/ca: .*is a device, not a file/ }
  },
  'with an authority that is a pipe': (files, target) => {
    files.write('c.json', { baseUrl: target, tls: { ca: files.pipe('ca.pem') } })
    return { args: ['certify', '--config', 'c.json'], said: /c\.json#\/tls\/ca: .*is a pipe, not a file/ }
  },
  'with a binding that is a pipe': (files, target) => {
    files.write('c.json', { baseUrl: target, binding: files.pipe('b.json') })
    return { args: ['certify', '--config', 'c.json'], said: /b\.json: is a pipe, not a file/ }
  },
  'with a binding of many levels': (files, target) => {
    files.write('c.json', { baseUrl: target, binding: files.write('b.json', deep()) })
    return { args: ['certify', '--config', 'c.json'], said: /b\.json: is nested more than 200 levels deep/ }
  },
}

const CASES: (readonly [string, Make])[] = Object.entries({
  'a recording with': RECORDINGS,
  'a HAR file of': HARS,
  'a journal': JOURNALS,
  'a bundle': BUNDLES,
  'a report': REPORTS,
  'a configuration': CONFIGS,
}).flatMap(([kind, made]) => Object.entries(made).map(([name, make]) => [`${kind} ${name}`, make] as const))

test('there are at least sixty kinds of bad files', () => {
  expect(CASES.length).toBeGreaterThanOrEqual(60)
})

test.for(CASES)('%s ends with one clear line, in time and in little memory', async ([, make], { world, expect }) => {
  let asked = 0
  const target = await world.http((_, response) => {
    asked += 1
    response.end('{}')
  })
  const files = hostileFiles(world.folder)
  files.write('assay.config.json', {
    baseUrl: target,
    binding: 'reference',
    credentials: { accessToken: 'assay-secret-3f9a71' },
  })
  const { args, code = 2, said, lines: count = 1 } = await make(files, target)
  const peak = files.at('peak')
  const ended = await world.assay(args, { node: ['--import', PEAK], env: { PEAK_FILE: peak }, longest: 60_000 })
  const lines = `${ended.stdout}${ended.stderr}`
    .split('\n')
    .filter((text) => text !== '' && !/^(reading|removing|verifying) /.test(text))
  expect({ code: ended.code, lines }).toEqual({ code, lines: Array(count).fill(expect.stringMatching(said)) })
  expect(lines[0]).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]|assay itself failed/u)
  expect(lines[0]).not.toContain(PRIVATE)
  expect(lines[0]?.length).toBeLessThan(1_000)
  expect(asked).toBe(0)
  // A process that waits takes no time of a processor, and one on a busy machine waits for one.
  expect(ended.ms).toBeLessThan(4 * LONGEST_MS)
  const taken = JSON.parse(readFileSync(peak, 'utf8')) as { readonly bytes: number; readonly ms: number }
  expect(taken.bytes).toBeLessThan(MOST_BYTES)
  expect(taken.ms).toBeLessThan(LONGEST_MS)
})
