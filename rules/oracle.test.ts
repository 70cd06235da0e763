import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Exchange } from '../schemas/types/exchange.ts'
import { historyRules } from './all.ts'
import type { Judgement } from './core/judgement.ts'
import type { ExchangeView } from './core/view.ts'
import { controlsWith } from './known/controls.ts'
import { createOracle } from './oracle.ts'
import { exchange, judgeAll, newJudge, referenceBinding } from './testing.ts'

const LINES = [
  'DELETE /v1/config/screen/s1',
  'GET /v1/config/screen',
  'GET /v1/config/screen/s1',
  'PATCH /v3/pipeline/gateway-route/r',
  'GET /v3/pipeline/gateway-route/r',
  'POST /v1/config/presetalert',
  'GET /v1/config/presetalert',
  'PUT /v3/pipeline/p/processing-status',
  'GET /v3/pipeline/p',
]

const bodies = fc.constantFrom<unknown>(
  { title: 'a', description: 'b' },
  { title: 'x'.repeat(600) },
  { processing_status: 'enabled' },
  { name: 'n', channels: [] },
  '{"cut',
  undefined,
)
const answers = fc.constantFrom<unknown>(
  { deleted: true },
  [{ id: 's1', name: 'n' }],
  [],
  { data: { title: 'a', processing_status: 'enabled' } },
  undefined,
)
const intents = fc.constantFrom(
  undefined,
  { kind: 'base' as const, group: 'g' },
  { kind: 'refuse' as const, group: 'g', requirement: 'ROUTE-TITLE-TYPE' },
  { kind: 'provoke' as const, group: 'g', probe: 'unknown-screen' },
  { kind: 'observe' as const, requirement: 'GAP-LENGTH-UNIT', edge: 'x' },
)

const history = (name: string): fc.Arbitrary<Exchange[]> =>
  fc
    .array(
      fc.record({
        line: fc.constantFrom(...LINES),
        status: fc.constantFrom(200, 200, 200, 204, 400, 404, 429, 500),
        sent: bodies,
        got: answers,
        intent: intents,
      }),
      { maxLength: 12 },
    )
    .map((steps) =>
      steps.map(({ line, status, sent, got, intent }, index) =>
        exchange(line, {
          id: `${name}${index}`,
          case: name,
          status,
          sent,
          got,
          start: index * 100,
          ...(intent ? { intent } : {}),
        }),
      ),
    )

const about = (judgements: readonly Judgement[], name: string): Judgement[] =>
  judgements.filter(({ caseId }) => caseId === name)

describe('judging', () => {
  test('does not change when an exchange went through JSON', () => {
    fc.assert(
      fc.property(history('a'), (exchanges) => {
        expect(judgeAll(JSON.parse(JSON.stringify(exchanges)) as Exchange[])).toEqual(judgeAll(exchanges))
      }),
    )
  })

  test('of one case does not change with what other cases do in between', () => {
    fc.assert(
      fc.property(history('a'), history('b'), fc.infiniteStream(fc.boolean()), (ours, theirs, turns) => {
        const [mine, others] = [[...ours], [...theirs]]
        const mixed: Exchange[] = []
        for (const turn of turns) {
          const next = (turn || others.length === 0 ? mine : others).shift()
          if (!next) break
          mixed.push(next)
        }
        mixed.push(...mine, ...others)
        expect(about(judgeAll(mixed), 'a')).toEqual(judgeAll(ours))
      }),
    )
  })
})

test('a history that is given up is lost, never a finding', () => {
  const judge = newJudge()
  const LONG = {
    user_config: {},
    generation_id: 1,
    inputs: [],
    title: 'x'.repeat(513),
    description: 'd',
    deploy_type: 'saas',
  }
  const probe = (group: string): Exchange =>
    exchange('PUT /v3/pipeline/p/transform/t', {
      sent: LONG,
      status: 200,
      intent: { kind: 'refuse', group, requirement: 'NODE-TITLE-MAX' },
    })
  const said: Judgement[] = []
  const { bound } = controlsWith(() => [])
  for (let count = 0; count <= bound; count += 1) said.push(...judge.judge(probe(`g${count}`)).judgements)
  expect(said.map(({ outcome }) => outcome)).toEqual(['lost'])
  const late = exchange('PUT /v3/pipeline/p/transform/t', {
    sent: { ...LONG, title: 'a' },
    intent: { kind: 'base', group: 'g0' },
  })
  expect(judge.judge(late).judgements.filter(({ requirement }) => requirement === 'NODE-TITLE-MAX')).toEqual([
    expect.objectContaining({ outcome: 'lost' }),
  ])
  expect(new Set(judge.end().map(({ outcome }) => outcome))).toEqual(new Set(['inconclusive']))
})

/** A good and a missing answer of every operation, with and without an intent, in a case and in traffic. */
function* everyKind(): Generator<ExchangeView> {
  const { binding } = createOracle({ binding: referenceBinding(), basePath: '', settleMs: 0 }).oracle
  for (const operation of binding.operations.values()) {
    const path = operation.path.replaceAll(/\{[^}]+\}/g, 'x')
    for (const status of [200, 404]) {
      const { _intent, _case, ...plain } = exchange(`${operation.method} ${path}?pipeline_id=x`, {
        status,
        sent: { pipeline_id: 'x', name: 'n', title: 't', email: 'e' },
        got: { id: 'x', deleted: true, data: { id: 'x' } },
        intent: { kind: 'base', group: 'g', probe: 'owner' },
      })
      const intents = _intent ? [{ _intent }, {}] : []
      for (const intent of intents) {
        for (const own of [{ _case: _case ?? 'c' }, {}]) {
          const { view } = newJudge().judge({ ...plain, ...intent, ...own })
          if (view.operation?.id === operation.id) yield view
        }
      }
    }
  }
}

describe('the operations that a rule names', () => {
  const { oracle } = createOracle({ binding: referenceBinding(), basePath: '', settleMs: 0 })

  test('are those that a history rule looks at', () => {
    const named = historyRules.flatMap((rule) => {
      const operations = rule.operations?.(oracle.binding)
      return operations ? [{ rule, operations: new Set(operations) }] : []
    })
    expect(named.length).toBeGreaterThan(40)
    const looked = new Set<string>()
    for (const view of everyKind())
      for (const { rule, operations } of named)
        if (operations.has(view.operation?.id) && rule.key(view, oracle) !== undefined) looked.add(rule.name)
    expect([...new Set(named.map(({ rule }) => rule.name))].filter((name) => !looked.has(name))).toEqual([])
  })

  test('are needed of every history rule that does not hang on what a run intends', () => {
    const intended = historyRules.filter((rule) => rule.intended === true)
    expect(intended.map(({ name }) => name)).toContain('controls')
    for (const rule of historyRules) expect(rule.intended ?? rule.operations, rule.name).toBeDefined()
    for (const view of everyKind()) {
      if (view.intent) continue
      for (const rule of intended) expect(rule.key(view, oracle), rule.name).toBeUndefined()
    }
  })
})
