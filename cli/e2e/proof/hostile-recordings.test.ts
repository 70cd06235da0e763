import { join } from 'node:path'
import { deep, HEADER, line, manyValues, posting } from '../testing/hostile-files.ts'
import { GIB, holdEach, type Make, PRIVATE, replay } from '../testing/hostile-run.ts'

/** A name of a body as long as one has to be. */
const NAME = 'a'.repeat(64)

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
  'a body that was exchanged, to be sent': (files, target) => {
    files.recording('r', [posting(NAME)])
    files.write(`r/bodies/${NAME}`, PRIVATE)
    return { args: replay('r', target), said: /a{64} was changed: its name is not the hash of what it holds/ }
  },
  'a line of a gigabyte, to be judged': (files) => {
    files.sparse('r/exchanges-000001.ndjson', GIB, `${JSON.stringify(HEADER)}\n{"i":"`)
    return { args: ['check', 'r'], said: /exchanges-000001\.ndjson:2 has more than 128 MiB/ }
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
  'a binding that is a file': (files, target) => {
    // A configuration that names a binding of its own is believed first.
    files.write('assay.config.json', { baseUrl: target })
    files.recording('r', [line()], {
      about: { tool: 'x', startedAt: '', target: 'http://a.invalid', binding: '/dev/zero' },
    })
    return {
      args: ['check', 'r'],
      said: /r: the recording names the binding "\/dev\/zero", which does not ship with assay/,
    }
  },
  'an endless device': () => ({ args: ['check', '/dev/zero'], said: /\/dev\/zero is a device, not a file/ }),
  'facts of many levels': (files) => {
    files.recording('r', [line()])
    files.write('r/run.json', deep())
    return { args: ['check', 'r'], said: /run\.json: is nested more than 200 levels deep/ }
  },
  'facts of a gigabyte': (files, target) => {
    files.write('assay.config.json', { baseUrl: target })
    files.recording('r', [line()])
    files.sparse('r/run.json', GIB)
    return { args: ['mock', 'r', '--port', '0'], said: /run\.json: has more than 32 MiB/ }
  },
}

const HARS: Readonly<Record<string, Make>> = {
  'a pipe': (files) => ({ args: ['check', files.pipe('x.har')], said: /x\.har is a pipe, not a file/ }),
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
  'as many entries as may be, each nothing': (files) => ({
    args: ['check', files.write('x.har', `{"log":{"entries":[${'{},'.repeat(2_990_000)}{}]}}`)],
    said: /x\.har: no request in it belongs to the service/,
  }),
}

holdEach({ 'a recording with': RECORDINGS, 'a HAR file of': HARS })
