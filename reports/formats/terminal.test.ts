import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import type { Report } from '../../schemas/types/report.ts'
import { aFinding, anExchange, anUpdateFinding, aReport, aResult, aServerError } from '../testing.ts'
import { widthOf } from '../text.ts'
import { renderTerminal } from './terminal.ts'

const plain = (report: Report, columns = 80): string => renderTerminal(report, { columns, color: false })

const failed = aResult({ verdict: 'fail', findings: [aFinding(), aFinding()] })
const warned = aResult({
  id: 'TAP-EDGE-ID-MIN',
  level: 'implied',
  verdict: 'warn',
  findings: [
    aFinding({ message: 'an empty edge_id was accepted', reproduce: 'npx assay certify x --only TAP-EDGE-ID-MIN' }),
  ],
})
const idle = ['AUTH-A', 'AUTH-B', 'AUTH-C', 'AUTH-D', 'AUTH-E', 'AUTH-F'].map((id) =>
  aResult({ id, verdict: 'not-run', reason: 'not-claimed: the feature ingestion is not claimed' }),
)
const gap = aResult({ id: 'TAP-LIMIT', verdict: 'not-run', reason: 'gap-unanswered: GAP-TAP-ANSWER' })
const broken = aResult({ id: 'TAP-FILTER', verdict: 'error', reason: 'the rule threw: x is undefined' })

const report = aReport({
  verdict: 'non-conformant',
  reason: '1 stated requirement is broken',
  results: [aResult({ id: 'NODE-TITLE-MIN' }), warned, gap, ...idle, broken, failed],
  problems: ['worker 2 was lost'],
  leftovers: ['pipeline 1234'],
})

describe('the order of a summary', () => {
  test('failures, errors, warnings, not run, counts, verdict', () => {
    const text = plain(report)
    const places = [
      'FAIL ',
      'ERROR ',
      'worker 2 was lost',
      'WARN ',
      'LEFT BEHIND 1 thing',
      'pipeline 1234',
      'NOT RUN',
      '10,482',
      'non-conformant:',
    ]
    const found = places.map((place) => text.indexOf(place))
    expect(found.every((index) => index >= 0)).toBe(true)
    expect(found).toEqual([...found].sort((a, b) => a - b))
  })

  test('tells of a bad day in one line, and of a good one nothing', () => {
    const failures = { serverErrors: 1_431, unanswered: 1, repeated: 0 }
    expect(plain(aReport({ failures }))).toContain('\n1,431 server errors, 1 request without a whole response\n')
    const repeated = { serverErrors: 1, unanswered: 0, repeated: 2 }
    expect(plain(aReport({ failures: repeated }))).toContain('\n1 server error, 2 requests sent again\n')
    expect(plain(aReport())).not.toMatch(/server error|sent again/)
  })

  test('tells of bodies that were left out of the evidence', () => {
    const environment = { ...aReport().environment, 'bodies left out': '3: the search for secrets took too long' }
    expect(plain(aReport({ environment }))).toContain('bodies left out: 3: the search for secrets took too long\n')
  })

  test('the last lines are the verdict with its reason, and what to do next', () => {
    expect(plain(report).trimEnd().split('\n').slice(-2)).toEqual([
      'non-conformant: example 1.0: 1 stated requirement is broken',
      'next: mend the first failure; the command under it repeats it alone',
    ])
    expect(plain(aReport()).trimEnd().split('\n').at(-1)).toBe(
      'conformant: example 1.0: every stated requirement of pipelines holds',
    )
    expect(
      plain(aReport({ verdict: 'partial', results: [gap, ...idle] }), 200)
        .trimEnd()
        .split('\n')
        .at(-1),
    ).toBe(
      'next: Answer it in the binding; `assay explain GAP-TAP-ANSWER` says how. (the binding does not answer GAP-TAP-ANSWER: 1 requirement)',
    )
  })
})

test('where a part was selected, nothing is said about the rest', () => {
  const left = aResult({ id: 'NODE-TITLE-MIN', verdict: 'not-run', reason: 'disabled: left out by --only' })
  const text = plain(aReport({ results: [aResult({}), left], only: ['NODE-TITLE-MAX'], verdict: 'partial' }))
  expect(text).not.toContain('NOT RUN')
  expect(text).toMatch(/^stated +1 +0 +0 +0 +0 +0$/m)
})

describe('a failure', () => {
  const text = plain(aReport({ results: [failed] }))

  test('leaves out what only prepared the scene', () => {
    const exchanges = [anExchange({ id: '0', role: 'setup', method: 'POST' }), ...aFinding().exchanges]
    const prepared = plain(aReport({ results: [aResult({ verdict: 'fail', findings: [aFinding({ exchanges })] })] }))
    expect(prepared).toContain('control   PUT')
    expect(prepared).not.toMatch(/setup|POST|earlier requests/)
  })

  test.each([
    'NODE-TITLE-MAX (stated)',
    'The title of a pipeline node is at most 512 characters long.',
    'Pipeline node common fields)',
    'a title of 513 characters was accepted',
    'expected  refused, as the same request with 512 characters was accepted',
    'actual    200',
    'at        update-transform, /title, length 513',
    'control   PUT /v3/pipeline/1/transform/2 -> 200',
    '{"title":"aaaaaa…[512×a]"}',
    'request   PUT /v3/pipeline/1/transform/2 -> 200',
    '{"title":"aaaaaa…[513×a]"}',
    'response  {"data":{"id":"2"}}',
    'and 1 more finding of this kind, in the report',
    '--only NODE-TITLE-MAX --seed 42',
  ])('shows %s', (part) => {
    expect(text).toContain(part)
  })

  test('its curl line can be pasted as it is printed', () => {
    const traffic = aResult({ verdict: 'fail', findings: [aFinding({ reproduce: '' })] })
    const lines = plain(aReport({ results: [traffic] })).split('\n')
    const start = lines.findIndex((line) => line.startsWith('curl '))
    let end = start
    while (lines[end]?.endsWith('\\')) end += 1
    const script = `curl() { printf '%s\\0' "$@"; }; ${lines.slice(start, end + 1).join('\n')}`
    const env = { ASSAY_ACCESS_TOKEN: 'token', SHLVL: '1' }
    const args = execFileSync('bash', ['--norc', '-c', script], { env, encoding: 'utf8' }).split('\0')
    expect(args).toContain(`{"title":"${'a'.repeat(513)}"}`)
    expect(args).toContain('authorization: Token token')
  })

  test('a curl line too long for a screen is only named', () => {
    const finding = aFinding({ reproduce: '', curl: `curl --data-raw '${'a'.repeat(3000)}' http://x` })
    const text = plain(aReport({ results: [aResult({ verdict: 'fail', findings: [finding] })] }))
    expect(text).toContain('(3,027 characters long: it stands in report.json)')
    expect(text.length).toBeLessThan(2500)
  })

  test('an exchange without an answer says how it ended', () => {
    const finding = aFinding({ exchanges: [anExchange({ status: 0, outcome: 'timeout', responseBody: '' })] })
    expect(plain(aReport({ results: [aResult({ verdict: 'fail', findings: [finding] })] }))).toContain('-> timeout')
  })

  test('of many exchanges the last two are shown, and of a long body what differs', () => {
    const long = (end: string): string => `{"fields":[${'"some words", '.repeat(40)}"${end}"]}`
    const exchanges = ['one', 'two', 'three'].map((end) =>
      anExchange({ role: 'before', url: `http://x/${end}`, requestBody: long(end) }),
    )
    const text = plain(aReport({ results: [aResult({ verdict: 'fail', findings: [aFinding({ exchanges })] })] }))
    expect(text).not.toContain('http://x/one')
    expect(text).toMatch(
      /before +PUT http:\/\/x\/two -> 200\n +….*"two"\]\}\n +request +PUT http:\/\/x\/three -> 200\n +….*"three"\]\}/,
    )
    expect(text).toMatch(/request +PUT http:\/\/x\/three -> 200\n +….*three"\]\}/)
  })

  test('has at most fifteen lines and its command', () => {
    const lines = text.split('\n')
    expect(lines.findIndex((line) => line.includes('again:'))).toBeLessThan(15)
  })
})

/** The report of one run. */
function ofRun(made: Report, verb: string, interrupted = false): Report {
  const run = { verb, prefix: '', startedAt: '', seed: 0, requests: 9, interrupted }
  return { ...made, basis: { ...made.basis, runs: [run] } as unknown as NonNullable<Report['basis']> }
}

describe('a change that a later read does not show', () => {
  const shown = (exchanges = anUpdateFinding().exchanges): string =>
    plain(aReport({ results: [aResult({ verdict: 'fail', findings: [anUpdateFinding({ exchanges })] })] }), 120)

  test('stands before the read', () => {
    expect(shown()).toMatch(
      /\n +change +PUT .*\n +\{"title":"new"\}\n +request +GET .*\n +response +\{"title":"old"\}\n/,
    )
  })

  test('stands there as well if many reads lie between', () => {
    const reads = Array.from({ length: 9 }, () => anExchange({ role: 'before', method: 'GET' }))
    const text = shown(anUpdateFinding().exchanges.toSpliced(2, 0, ...reads))
    expect(text).toMatch(/\n +change +PUT .*\n +\{"title":"new"\}\n +request +GET/)
  })

  test('is shown as well if it made what the case needs', () => {
    const [, change, read] = anUpdateFinding().exchanges
    if (!change || !read) throw new Error('no exchanges')
    const made = (operation: string): string => shown([{ ...change, role: 'setup', operation }, read])
    expect(made('update-transform')).toMatch(/\n +change +PUT .*\n +\{"title":"new"\}\n +request +GET/)
    expect(made('create-pipeline')).not.toMatch(/(change|setup) +PUT/)
  })

  test('is not looked for where a change or an export decides', () => {
    const [, change, read] = anUpdateFinding().exchanges
    if (!change || !read) throw new Error('no exchanges')
    expect(shown([change, { ...read, method: 'PUT' }])).not.toContain('change ')
    expect(shown([change, { ...read, operation: 'export-v2' }])).not.toContain('change ')
    expect(
      shown([
        { ...change, startedAt: '2026-01-02' },
        { ...read, startedAt: '2026-01-01' },
      ]),
    ).not.toContain('change ')
  })
})

test('what was not run is a list of things to do, and of what needs nothing', () => {
  expect(plain(report)).toContain(
    [
      'NOT RUN 7',
      '  what to do, most requirements first:',
      '  1         the binding does not answer GAP-TAP-ANSWER. Answer it in the',
      '            binding; `assay explain GAP-TAP-ANSWER` says how.',
      '            TAP-LIMIT',
      '  6         need nothing (why: --all)',
      '',
    ].join('\n'),
  )
  const all = renderTerminal(report, { columns: 80, color: false, all: true })
  expect(all).toContain(
    [
      '  6         need nothing:',
      '            6 belong to a feature that is not claimed (ingestion)',
      '            AUTH-A, AUTH-B, AUTH-C, AUTH-D, AUTH-E, AUTH-F',
      '',
    ].join('\n'),
  )
  expect(all).not.toContain('--all')
})

test('of many causes the greatest are shown, unless all are asked for', () => {
  const results = Array.from({ length: 30 }, (_, index) =>
    aResult({ id: `A-${index}`, verdict: 'not-run', reason: `gap-unanswered: GAP-${index}` }),
  )
  expect(plain(aReport({ results }))).toContain('  26        for 26 other causes (--all)\n')
  const all = renderTerminal(aReport({ results }), { columns: 80, color: false, all: true })
  expect(all).toContain('does not answer GAP-29')
})

test('pointers of the binding that no response has are named, each with its place', () => {
  const place = 'binding.json#/operations/get-board/answer/record'
  const none = { requests: 3, refused: 0, inconclusive: 0, p50Ms: 1, p99Ms: 1, maxMs: 1 }
  const operations = [{ operation: 'get-board', accepted: 3, ...none, unmatched: { [place]: '/dta' } }]
  expect(plain({ ...report, operations }, 120)).toContain(
    `BINDING 1 pointer that no response has\n  ${place}: /dta is in none of 3 good responses\n`,
  )
  expect(plain(report)).not.toContain('BINDING')
})

test('the table counts by level and verdict', () => {
  expect(plain(report)).toContain(
    [
      '          pass  fail  warn  observed  not-run  error',
      'stated       1     1     0         0        7      1',
      'implied      0     0     1         0        0      0',
    ].join('\n'),
  )
  expect(plain(report, 40)).toMatch(/stated {4}1 pass, 1 fail, 0 warn, 0\n {10}observed, 7 not-run, 1 error/)
})

test('a field has the target’s own name beside ours', () => {
  const finding = aFinding({ here: '/shape/heading' })
  const text = plain(aReport({ results: [aResult({ verdict: 'fail', findings: [finding] })] }))
  expect(text).toContain('at        update-transform, /title (`/shape/heading` here), length 513')
})

describe('a part that --only selected', () => {
  const partOf = (...results: ReturnType<typeof aResult>[]): string => {
    const left = aResult({ id: 'AUTH-A', verdict: 'not-run', reason: 'disabled: left out by --only' })
    const only = results.map(({ id }) => id)
    const text = plain(aReport({ verdict: 'partial', reason: 'only a part', only, results: [left, ...results] }), 200)
    return text.split('\n').find((line) => /^(passed|partial)/.test(line)) ?? ''
  }
  const one = aResult({ id: 'NODE-TITLE-MAX' })
  const two = aResult({ id: 'NODE-TITLE-MIN' })

  test('and that passed whole is said to have passed', () => {
    expect(partOf(one, two)).toMatch(/^passed: .*the 2 selected requirements$/)
    expect(partOf(one)).toMatch(/^passed: .*the selected requirement, NODE-TITLE-MAX$/)
  })
  test('and of which something was not judged is partial', () => {
    const open = aResult({ id: 'NODE-TITLE-MIN', verdict: 'not-run', reason: 'inconclusive: who knows' })
    expect(partOf(one, open)).toMatch(/^partial: .*only a part$/)
  })
})

describe('server errors', () => {
  const kinds = [aServerError(), aServerError({ kind: 'good request', count: 0, retried: 1, statuses: [502, 503] })]
  const found = { count: 4, retried: 1, kinds }

  test('are shown with their smallest request, and break nothing', () => {
    const lines = plain(aReport({ serverErrors: found })).split('\n')
    const start = lines.indexOf('SERVER ERRORS 4 server errors, and 1 that a repetition made up for')
    expect(lines.slice(start + 1, start + 8)).toEqual([
      expect.stringContaining('they break no requirement'),
      expect.stringContaining('them count)'),
      '  update-transform, /title: length 512: status 500, 4 times',
      '      request   PUT /v3/pipeline/1/transform/2 -> 500',
      '                {"title":"a"}',
      '      response  oops',
      '  and 1 more kind, in the report',
    ])
    expect(plain(aReport({ serverErrors: { count: 0, retried: 0, kinds: [] } }))).not.toContain('SERVER ERRORS')
  })
  test('are the last line where they make the command fail', () => {
    const text = plain(aReport({ serverErrors: found, failOn: ['server-error'] })).trimEnd()
    expect(text.split('\n').at(-1)).toBe('failed: there are server errors (--fail-on server-error)')
  })
})

describe('a hostile target', () => {
  const nasty = '\u001b[2J\u001b]0;owned\u0007\u202e\r\n\u009b31m漢字😀 \ud800 '
  const hostile = aFinding({
    message: nasty.repeat(50),
    expected: nasty,
    actual: `${'x'.repeat(3_000_000)}`,
    edge: nasty,
    operation: nasty,
    exchanges: [
      anExchange({ url: `http://x/${nasty.repeat(99)}`, responseBody: `<html>${nasty.repeat(2000)}`, role: nasty }),
    ],
    curl: `curl ${nasty} '${'漢'.repeat(600)}'`,
    reproduce: nasty,
  })
  const results = Array.from({ length: 500 }, (_, index) =>
    aResult({ id: `X-${index}`, verdict: index % 2 ? 'fail' : 'warn', reason: nasty, findings: [hostile] }),
  )
  const bad = aReport({
    results: [...results, aResult({ verdict: 'not-run', reason: nasty }), aResult({ verdict: 'error', reason: nasty })],
    reason: nasty,
    problems: [nasty],
    leftovers: [nasty],
    serverErrors: {
      count: 4,
      retried: 0,
      kinds: Array.from({ length: 50 }, () => aServerError({ kind: nasty, smallest: anExchange({ url: nasty }) })),
    },
    only: [nasty],
    target: { name: nasty, version: nasty, baseUrl: nasty, embedded: false },
  })

  test.each([40, 80, 120])('in %i columns nothing acts on the terminal and every line fits', (columns) => {
    const text = plain(bad, columns)
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cs}\u202e]/u)
    expect(text).toContain('\\u001b[2J')
    expect(Math.max(...text.split('\n').map(widthOf))).toBeLessThanOrEqual(columns)
  })

  test('the summary has a bounded length', () => {
    expect(plain(bad).length).toBeLessThan(400_000)
    expect(plain(bad)).toContain('FAILED 250, of 1 cause')
  })

  test('in colour the only escapes are those of colours', () => {
    const text = renderTerminal(bad, { columns: 80, color: true })
    const colours = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g')
    expect(text).toMatch(colours)
    expect(text.replaceAll(colours, '').replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
  })
})

describe('recorded traffic', () => {
  const doubtful = aResult({ id: 'NODE-TITLE-MIN', verdict: 'pass' })
  const traffic = (results: readonly ReturnType<typeof aResult>[]): Report =>
    ofRun(aReport({ verdict: 'partial', results }), 'check')
  test('says what others may have done, and how it is judged where there are none', () => {
    const evidence = { ...doubtful.evidence, doubted: 7 }
    const text = plain(traffic([{ ...doubtful, evidence }]))
    expect(text).toMatch(/IN DOUBT 1\n.*--alone\s+rules\s+that\s+out\s+and\s+judges\s+it\n\s+NODE-TITLE-MIN 7×/s)
    expect(plain(traffic([doubtful]))).not.toContain('IN DOUBT')
  })
  test('is told apart by id and time of the request that decides', () => {
    const exchanges = [anExchange({ id: 'm-0000042', startedAt: '2026-01-01T00:00:00.100Z' })]
    const found = aResult({ verdict: 'fail', findings: [aFinding({ exchanges })] })
    expect(plain(traffic([found]))).toContain('recorded  m-0000042, 2026-01-01T00:00:00.100Z')
    expect(plain({ ...traffic([found]), verdict: 'non-conformant' })).toMatch(/\nnext: .* record the traffic again: /)
    expect(plain(aReport({ results: [found] }))).not.toContain('recorded  ')
  })
})
