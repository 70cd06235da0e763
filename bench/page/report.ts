import { createCounter } from '../../engine/judge/counts.ts'
import { fromCompact } from '../../fixtures/segments/compact.ts'
import { buildReport } from '../../reports/build.ts'
import { builtPage } from '../../reports/formats/html.ts'
import type { ExchangeView } from '../../rules/core/view.ts'
import { createViewer } from '../../rules/core/viewer.ts'
import { resolveBinding, shippedBinding } from '../../schemas/binding.ts'
import { ledger, type Requirement } from '../../schemas/ledger.ts'
import type { Finding, FindingExchange, Report, RequirementResult } from '../../schemas/types/report.ts'
import { specificationSchemas } from '../../schemas/validator.ts'

/** A number of at least 0 and less than 1. */
type Random = () => number

export const REQUIREMENTS = 300
/** The page without data. */
export const TEMPLATE: string = builtPage('page.html') ?? ''
const TARGET = 'http://127.0.0.1:8080'
const START = 1_767_225_600_000

/** A report of a long run against a poor target. Its exchanges are counted by the code that counts real ones. */
export function reportOf(exchanges: number): Report {
  const random = generator(42)
  const binding = resolveBinding({ name: 'default', chain: ['default'], files: [shippedBinding('default')] })
  const viewer = createViewer(binding, specificationSchemas().validator, '')
  const counter = createCounter()
  for (let index = 0; index < exchanges; index += 1) counter.add(viewer.view(exchangeOf(index, random)))
  const { operations, slowest, traffic } = counter.counts()

  return buildReport({
    specification: '2.1',
    suite: { name: 'assay', version: '0.1.0' },
    verdict: 'non-conformant',
    reason: 'much failed',
    strict: false,
    target: { name: 'poor', version: '1.0', baseUrl: TARGET, embedded: false },
    binding: { name: 'reference', chain: ['reference', 'default'], answered: [], unanswered: [] },
    features: ['pipelines'],
    seed: 42,
    profile: 'thorough',
    only: [],
    requests: exchanges,
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 90_000,
    results: [...ledger().values()].slice(0, REQUIREMENTS).map((entry, index) => resultOf(entry, index, random)),
    operations: [...operations],
    slowest: [...slowest],
    ...(traffic ? { traffic } : {}),
    environment: { node: process.version },
    leftovers: [],
    problems: [],
  })
}

/** A third is broken, in five ways each, with three exchanges of two kilobytes behind each. */
function resultOf(entry: Requirement, index: number, random: Random): RequirementResult {
  const { id, level, category, feature, section, text } = entry
  const broken = index % 3 === 0 && level === 'stated'
  const findings = broken ? Array.from({ length: 5 }, (_, way) => findingOf(id, way, random)) : []
  return {
    id,
    level,
    category,
    feature,
    section,
    text,
    verdict: broken ? 'fail' : level === 'open' ? 'observed' : 'pass',
    reason: '',
    evidence: {
      judged: 400,
      accepted: 100,
      refused: 300,
      inconclusive: 0,
      broken: findings.length,
      operations: { 'update-transform': 200, 'update-source': 200 },
      edges: Array.from({ length: 40 }, (_, edge) => `length ${edge}`),
      observations: level === 'open' ? { 'a 400': 12, 'a 404': 3 } : {},
    },
    findings,
  }
}

function findingOf(requirement: string, way: number, random: Random): Finding {
  const body = (): string =>
    JSON.stringify({ title: word(random, 40), fields: Array.from({ length: 60 }, () => word(random, 24)) })
  const exchange = (role: FindingExchange['role'], step: number): FindingExchange => ({
    id: `case/${step}`,
    role,
    method: 'PUT',
    url: `${TARGET}/v3/pipeline/${word(random, 36)}/transform/${word(random, 36)}`,
    requestBody: body(),
    status: 200,
    responseBody: body(),
    outcome: 'complete',
    startedAt: new Date(START + step * 40).toISOString(),
    ms: 12,
  })
  const deciding = exchange('deciding', 3)
  return {
    requirement,
    operation: 'update-transform',
    case: 'update-transform/title',
    message: `a value that is forbidden was accepted (way ${way})`,
    expected: 'refused: /title must not have more than 512 characters',
    actual: 'status 200',
    pointer: '/title',
    edge: 'length 513',
    exchanges: [exchange('before', 1), exchange('control', 2), deciding],
    curl: `curl -X PUT --data-raw '${deciding.requestBody}' ${deciding.url}`,
    reproduce: `npx assay certify ${TARGET} --only ${requirement} --seed 42`,
  }
}

function exchangeOf(index: number, random: Random): ExchangeView['exchange'] {
  const time = 2 + 40 * random() ** 6 + (random() < 0.001 ? 4000 * random() : 0)
  const status = random() < 0.6 ? 200 : random() < 0.01 ? 503 : 400
  const place = { i: `case/${index}`, C: 'case', p: `operation-${index % 90}`, s: START + index * 1.8, e: time }
  return fromCompact({ ...place, m: 'GET', u: `/v1/config/keys/${index}`, h: [], S: status, H: [] }, { base: TARGET })
}

function word(random: Random, length: number): string {
  return Array.from({ length }, () => 'abcdefghijklmnopqrstuvwxyz0123456789-'[Math.floor(random() * 37)]).join('')
}

/** The same numbers every time. */
function generator(seed: number): Random {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
