import type { Report } from '../../schemas/types/report.ts'
import { aFinding, anExchange, aReport, aResult, aServerError } from '../testing.ts'

/** Everything that a target may say to break out of a format. */
const NASTY: string = [
  ']]><!-- & "quoted" \'x\' </failure></script><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '\u0000\u001b[2J\u001b]0;title\u0007\u202egnp.exe\u200b',
  '\r\n::error title=owned::owned\n::add-mask::x\n##[group]x',
  '`` ` ``` | [link](javascript:alert(1)) ![x](http://evil.invalid/x.png) @everyone #1 http://evil.invalid',
  '# heading\n- item\n> quote\n| a | b |\n|---|---|\n***bold***',
  '\ud800',
].join(' ')

/** A report in which every text that a target has a hand in is hostile. `repeat`: how often, to make it large. */
export function hostileReport(repeat = 1): Report {
  const text = NASTY.repeat(repeat)
  const exchange = anExchange({ method: text, url: text, requestBody: text, responseBody: text, outcome: text })
  const finding = aFinding({
    operation: text,
    case: text,
    message: text,
    expected: text,
    actual: text,
    pointer: text,
    edge: text,
    curl: text,
    reproduce: text,
    exchanges: [exchange],
  })
  return aReport({
    verdict: 'non-conformant',
    reason: text,
    target: { name: text, version: text, baseUrl: text, embedded: false },
    binding: { name: text, chain: [text], answered: [], unanswered: [] },
    suite: { name: text, version: text },
    only: [text],
    environment: { node: text },
    problems: [text],
    leftovers: [text],
    serverErrors: {
      count: 4,
      retried: 0,
      kinds: [aServerError({ operation: text, kind: text, smallest: exchange })],
    },
    results: [
      aResult({ id: 'FAIL-IT', verdict: 'fail', findings: [finding], text, section: text, category: text }),
      aResult({ id: 'WARN-IT', verdict: 'warn', findings: [finding], text, section: text }),
      aResult({ id: 'ERROR-IT', verdict: 'error', reason: text }),
      aResult({ id: 'IDLE-IT', verdict: 'not-run', reason: text }),
      aResult({ id: 'SEEN-IT', level: 'open', verdict: 'observed', evidence: { observations: { [text]: 1 } } }),
      aResult({ id: 'OK-OK' }),
    ],
  })
}

/** A report that has every part that a report can have, a few of each. */
export function wholeReport(): Report {
  const run = {
    verb: 'certify' as const,
    prefix: 'assay-000000',
    seed: 7,
    profile: 'quick' as const,
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 10,
    requests: 3,
    interrupted: false,
    shard: { index: 1, of: 2 },
    problems: ['a worker was lost'],
    environment: { node: 'v20' },
  }
  const evidence = {
    judged: 2,
    accepted: 1,
    operations: { 'get-view': 2 },
    edges: ['length 3'],
    observations: { seen: 1 },
  }
  return {
    ...aReport({
      verdict: 'non-conformant',
      reason: '1 stated requirement is broken',
      only: ['general'],
      operations: [
        {
          operation: 'get-view',
          requests: 3,
          accepted: 1,
          refused: 1,
          inconclusive: 1,
          p50Ms: 1,
          p99Ms: 2,
          maxMs: 3,
          latencies: { '3': 3 },
        },
      ],
      leftovers: ['board b1'],
      problems: ['a worker was lost'],
      results: [
        aResult({ id: 'FAIL-IT', verdict: 'fail', findings: [aFinding(), aFinding()], evidence }),
        aResult({ id: 'WARN-IT', level: 'implied', verdict: 'warn', findings: [aFinding()], evidence }),
        aResult({ id: 'ERROR-IT', verdict: 'error', reason: 'a case threw' }),
        aResult({ id: 'IDLE-IT', verdict: 'not-run', reason: 'not-claimed: nobody asked', evidence: { doubted: 2 } }),
        aResult({ id: 'SEEN-IT', level: 'open', verdict: 'observed', evidence }),
        aResult({ id: 'OK-OK', evidence }),
      ],
    }),
    configuration: { baseUrl: 'http://127.0.0.1:8080' },
    command: 'assay certify',
    slowest: [
      {
        id: 'x',
        operation: 'get-view',
        case: 'c',
        method: 'GET',
        url: '/v1/config/view',
        status: 200,
        outcome: 'complete',
        ms: 3,
        startedAt: '2026-01-01T00:00:00.000Z',
      },
    ],
    traffic: {
      startedAt: '2026-01-01T00:00:00.000Z',
      stepMs: 100,
      accepted: [1],
      refused: [1],
      limited: [0],
      failed: [1],
      lost: [0],
    },
    basis: {
      runs: [run],
      successes: 1,
      expected: ['c'],
      cases: [],
      sides: { 'OK-OK': { 'get-view': ['accepted'] } },
      broken: { 'FAIL-IT': { 'get-view': 1 } },
      selected: { requirements: ['OK-OK'], operations: ['get-view'] },
    },
    expectations: {
      source: 'known.json',
      met: ['WARN-IT'],
      unexpected: ['FAIL-IT'],
      stale: ['OK-OK'],
      unchecked: ['X'],
    },
    baseline: { source: 'before.json', worse: ['FAIL-IT'], fixed: ['OK-OK'], known: ['WARN-IT'] },
  }
}
