// A report of a long run against a poor target, made of exchanges by the very code that makes real ones.

/** `load`: imports a module of the compiled program. */
export async function reportOf(load, { requirements, exchanges }) {
  const { buildReport } = await load('reports/build.js')
  const { createCounter } = await load('engine/judge/counts.js')
  const { readData } = await load('schemas/load.js')
  const ledger = readData('requirements.json').requirements.slice(0, requirements)
  const random = generator(42)

  const counter = createCounter()
  for (let index = 0; index < exchanges; index += 1)
    counter.add({ exchange: exchangeOf(index, random), operation: undefined })
  const { operations, slowest, traffic } = counter.counts()

  return buildReport({
    specification: '2.1',
    suite: { name: 'assay', version: '0.1.0' },
    verdict: 'non-conformant',
    reason: 'much failed',
    strict: false,
    target: { name: 'poor', version: '1.0', baseUrl: 'http://127.0.0.1:8080', embedded: false },
    binding: { name: 'reference', chain: ['reference', 'default'], answered: [], unanswered: [] },
    features: ['pipelines'],
    seed: 42,
    profile: 'thorough',
    only: [],
    requests: exchanges,
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 90_000,
    results: ledger.map((entry, index) => resultOf(entry, index, random)),
    operations,
    slowest,
    traffic,
    environment: { node: process.version },
    leftovers: [],
    problems: [],
  })
}

/** A third is broken, in five ways each, with three exchanges of two kilobytes behind each. */
function resultOf({ id, level, category, feature, section, text }, index, random) {
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

function findingOf(requirement, way, random) {
  const body = () =>
    JSON.stringify({ title: word(random, 40), fields: Array.from({ length: 60 }, () => word(random, 24)) })
  const exchange = (role, step) => ({
    id: `case/${step}`,
    role,
    method: 'PUT',
    url: `http://127.0.0.1:8080/v3/pipeline/${word(random, 36)}/transform/${word(random, 36)}`,
    requestBody: body(),
    status: 200,
    responseBody: body(),
    outcome: 'complete',
    startedAt: new Date(1_767_225_600_000 + step * 40).toISOString(),
    ms: 12,
  })
  const exchanges = [exchange('before', 1), exchange('control', 2), exchange('deciding', 3)]
  return {
    requirement,
    operation: 'update-transform',
    case: 'update-transform/title',
    message: `a value that is forbidden was accepted (way ${way})`,
    expected: 'refused: /title must not have more than 512 characters',
    actual: 'status 200',
    pointer: '/title',
    edge: 'length 513',
    exchanges,
    curl: `curl -X PUT --data-raw '${exchanges[2].requestBody}' ${exchanges[2].url}`,
    reproduce: `npx assay certify http://127.0.0.1:8080 --only ${requirement} --seed 42`,
  }
}

function exchangeOf(index, random) {
  const time = 2 + 40 * random() ** 6 + (random() < 0.001 ? 4000 * random() : 0)
  const status = random() < 0.6 ? 200 : random() < 0.01 ? 503 : 400
  const start = 1_767_225_600_000 + index * 1.8
  return {
    _id: `case/${index}`,
    _case: 'case',
    _operation: `operation-${index % 90}`,
    _start: start,
    _end: start + time,
    _outcome: 'complete',
    startedDateTime: new Date(start).toISOString(),
    time,
    request: { method: 'GET', url: `http://127.0.0.1:8080/v1/config/keys/${index}` },
    response: { status },
  }
}

function word(random, length) {
  return Array.from({ length }, () => 'abcdefghijklmnopqrstuvwxyz0123456789-'[Math.floor(random() * 37)]).join('')
}

/** The same numbers every time. */
function generator(seed) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
