import { hostileReport } from '../../../reports/testing/hostile.ts'
import { bundle, deep, line, manyValues, tar } from '../testing/hostile-files.ts'
import { GIB, holdEach, type Make, replay } from '../testing/hostile-run.ts'

const header = (baseUrl: string, change: object = {}): string =>
  `${JSON.stringify({ type: 'run', formatVersion: 1, baseUrl, binding: 'reference', prefix: 'a', startedAt: '', ...change })}\n`
const making = (change: object = {}): string =>
  `${JSON.stringify({ type: 'making', entry: 'e', resource: 'board', label: 'l', params: {}, case: 'c', ...change })}\n`

const JOURNALS: Readonly<Record<string, Make>> = {
  'whose address acts on a terminal': (files) => {
    files.write('j', header('http://\u001b]0;x\u0007\u202e\n::error::x') + making())
    return { args: ['cleanup', 'j'], said: /against http:\/\/\\u001b\]0;x\\u0007\\u202e\\n::error::x, not against/ }
  },
  'that is a pipe': (files) => ({ args: ['cleanup', files.pipe('j')], said: /j: is a pipe, not a file/ }),
  'of one line of a gigabyte': (files) => {
    return { args: ['cleanup', files.sparse('j', GIB)], said: /j: line 1 is longer than any that assay writes/ }
  },
  'of many levels': (files, target) => {
    files.write('j', `${header(target)}${deep()}\n`)
    return { args: ['cleanup', 'j'], said: /j:2: is not a line of a journal/ }
  },
}

const BUNDLES: Readonly<Record<string, Make>> = {
  'that fills the disk': async (files) => {
    const whole = tar([{ name: 'evidence/exchanges-1.ndjson', size: 4 * GIB }]).subarray(0, 512)
    await files.bomb('b.tgz', 4 * GIB, whole.toString('latin1'))
    return { args: ['verify', 'b.tgz'], code: 1, said: /the archive is larger than a bundle can be when unpacked/ }
  },
  'that fills the memory with a header': async (files) => {
    const whole = tar([{ name: 'x', type: 'x', size: GIB }]).subarray(0, 512)
    await files.bomb('b.tgz', GIB, whole.toString('latin1'))
    return { args: ['verify', 'b.tgz'], code: 1, said: /the archive is damaged \(Header exceeds max size\)/ }
  },
  'of thousands of files': (files) => {
    const entries = Array.from({ length: 5_000 }, (_, at) => ({ name: `evidence/cases-${at}.ndjson`, content: '{}' }))
    files.write('b.tgz', bundle(entries))
    return { args: ['verify', 'b.tgz'], code: 1, said: /the archive holds more files than a bundle may/ }
  },
  'with a link': (files) => {
    files.write('b.tgz', bundle([{ name: 'report.json', type: '2', link: '/etc/passwd' }]))
    return { args: ['verify', 'b.tgz'], code: 1, said: /report\.json does not belong in a bundle/ }
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
  'that is a pipe': (files) => ({ args: ['verify', files.pipe('b.tgz')], said: /is a pipe, not a file/ }),
}

const REPORTS: Readonly<Record<string, Make>> = {
  'that is a pipe': (files) => ({ args: ['report', 'render', files.pipe('r.json')], said: /is a pipe, not a file/ }),
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
  'with a hundred thousand unknown fields': (files) => {
    const unknown = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`\u001b[2J${at}`, 1]))
    const args = ['report', 'render', files.write('r.json', { ...hostileReport(), ...unknown })]
    return { args, said: /r\.json#\/\\u001b\[2J\d+: unknown field/, lines: 3 }
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
  'with a binding that is a pipe': (files, target) => {
    files.write('c.json', { baseUrl: target, binding: files.pipe('b.json') })
    return { args: ['certify', '--config', 'c.json'], said: /b\.json: is a pipe, not a file/ }
  },
}

holdEach({ 'a journal': JOURNALS, 'a bundle': BUNDLES, 'a report': REPORTS, 'a configuration': CONFIGS })
