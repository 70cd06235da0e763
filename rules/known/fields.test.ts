import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Exchange, Intent } from '../../schemas/types/exchange.ts'
import { createOracle } from '../oracle.ts'
import { exchange, type Given, judgeAll, newJudge, referenceBinding } from '../testing.ts'
import { updatedFieldsReadBack } from '../topics/general/fields-read-back.ts'
import { fieldsOf } from './fields.ts'
import { historyOf } from './part.ts'

/** What a run asks for, one request after the other, of a target that keeps transforms, routes and state variables. */
interface Step {
  readonly kind: 'transform' | 'route' | 'variables'
  readonly thing: number
  readonly does: 'write' | 'read' | 'look'
  readonly field: 'title' | 'description'
  readonly value: number
  /** refused: not carried out; lost: a server error, whether it was carried out or not */
  readonly end: 'done' | 'refused' | 'lost after' | 'lost before'
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('transform', 'route', 'variables'),
  thing: fc.nat(1),
  does: fc.constantFrom('write', 'read', 'read', 'look'),
  field: fc.constantFrom('title', 'description'),
  value: fc.nat(3),
  end: fc.constantFrom('done', 'done', 'done', 'refused', 'lost after', 'lost before'),
})
const steps = fc.array(step, { minLength: 2, maxLength: 40, size: 'max' })

const THINGS = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222']

type Stored = Record<string, Record<string, unknown>>

/** Sends the steps to a naive target. `forgets`: the number of the good write that it answers and does not carry out. */
function carryOut(all: readonly Step[], forgets: number = -1): Exchange[] {
  const stored: Stored = {}
  let writes = -1
  return all.map(({ kind, thing, does, field, value, end }) => {
    const id = THINGS[thing] ?? ''
    const own = { transform: `/v3/pipeline/p/transform/${id}`, route: `/v3/pipeline/gateway-route/${id}` }
    const path = kind === 'variables' ? '/v3/pipeline/state-variable' : own[kind]
    stored[`${kind} ${id}`] ??= { title: 'made', description: 'made' }
    const before = stored[`${kind} ${id}`] ?? {}
    if (does !== 'write') {
      const record = { ...before }
      const probe = does === 'look' ? ({ probe: 'left-alone' } as const) : {}
      const intent: Intent = { kind: 'read', final: true, ...probe }
      const query = kind === 'variables' ? `?pipeline_id=${id}` : ''
      return exchange(`GET ${path}${query}`, {
        got: { data: kind === 'variables' ? { state: record } : record },
        intent,
      })
    }
    const part = { [field]: `value ${value}` }
    const sent = kind === 'transform' ? { ...whole, ...part } : part
    if (end === 'done') writes += 1
    const isCarriedOut = (end === 'done' && writes !== forgets) || end === 'lost after'
    if (isCarriedOut) stored[`${kind} ${id}`] = { ...before, ...sent }
    const given: Given =
      end === 'done'
        ? { intent: { kind: 'base' }, got: {} }
        : end === 'refused'
          ? { status: 401, intent: { kind: 'auth', requirement: 'AUTH-V3-REQUIRED', data: { right: false } } }
          : { status: 500, intent: { kind: 'base' } }
    const line = `${kind === 'transform' ? 'PUT' : 'PATCH'} ${path}`
    return exchange(line, { sent: kind === 'variables' ? { pipeline_id: id, state: part } : sent, ...given })
  })
}

const whole = {
  title: 'value 0',
  description: 'value 0',
  user_config: {},
  generation_id: 1,
  inputs: [],
  deploy_type: 'saas',
}

/** Rules about shapes are left out: the naive target has none. */
const ABOUT_FIELDS = /^(TRANSFORM-UPDATE-REPLACES|ROUTE-PATCH-(APPLIES|PARTIAL)|STATEVAR-|AUTH-V3-REQUIRED)/
const told = (history: readonly Exchange[]): string[] =>
  judgeAll(history)
    .filter(({ requirement, edge }) => ABOUT_FIELDS.test(requirement) && edge !== 'none')
    .map(({ requirement, outcome, edge = '', exchanges }) => `${outcome} ${requirement} ${edge} ${exchanges.join()}`)
const blamed = (history: readonly Exchange[]): string[] => told(history).filter((one) => one.startsWith('broken'))

describe('what is known of the fields of a target that does what it says', () => {
  test('never contradicts it, wherever the recording begins', () => {
    fc.assert(
      fc.property(steps, fc.nat(20), (all, from) => {
        expect(blamed(carryOut(all).slice(from))).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  test('is the same in whatever order exchanges about different things come', () => {
    fc.assert(
      fc.property(steps, (all) => {
        // Whether server errors stay depends on what worked between them.
        const history = carryOut(all.filter(({ end }) => !end.startsWith('lost')))
        const isOfFirst = ({ request }: Exchange): boolean => JSON.stringify(request).includes(THINGS[0] ?? '')
        const sorted = [...history.filter(isOfFirst), ...history.filter((one) => !isOfFirst(one))]
        expect(told(sorted).sort()).toEqual(told(history).sort())
      }),
      { numRuns: 100 },
    )
  })

  test('is nothing after a change of which nobody knows what it did, until the next change', () => {
    fc.assert(
      fc.property(steps, fc.constantFrom('route', 'transform', 'variables'), (all, kind) => {
        const about = (does: Step['does'], end: Step['end']): Step => {
          return { kind, thing: 0, does, field: 'title', value: 3, end }
        }
        const history = carryOut([...all, about('write', 'lost after'), about('read', 'done')])
        const last = history.at(-1)?._id ?? ''
        expect(told(history).filter((one) => one.endsWith(last))).toEqual([])
      }),
      { numRuns: 100 },
    )
  })

  test('is less where there is too much to keep, and nothing else', () => {
    const { oracle } = createOracle({ binding: referenceBinding(), basePath: '', settleMs: 0 })
    const part = fieldsOf({ type: 'transform' })
    const rule = updatedFieldsReadBack({ id: 'update-transform', resource: 'transform', verb: 'change', applies: 'R' })
    const { step: next, key, init } = historyOf(part, [rule])
    const judge = newJudge()
    const said = (history: readonly Exchange[], bound: number): string[] => {
      const states = new Map<string, ReturnType<typeof init>>()
      return history.flatMap((one) => {
        const { view } = judge.judge(one)
        const own = key(view, oracle)
        if (own === undefined) return []
        const state = states.get(own) ?? init()
        states.delete(own)
        states.set(own, state)
        const [oldest = ''] = states.keys()
        if (states.size > bound) states.delete(oldest)
        return next(state, view, oracle).judgements.map((judgement) => JSON.stringify(judgement))
      })
    }
    fc.assert(
      fc.property(steps, fc.nat(9), (all, forgets) => {
        const history = carryOut(all, forgets)
        const complete = new Set(said(history, 9))
        expect(said(history, 1).filter((one) => !complete.has(one))).toEqual([])
      }),
      { numRuns: 100 },
    )
  })
})

describe('a target that forgets a change', () => {
  const applies = {
    transform: 'TRANSFORM-UPDATE-REPLACES',
    route: 'ROUTE-PATCH-APPLIES',
    variables: 'STATEVAR-APPLIES',
  }

  test('is found by the next read, and only what was sent is blamed', () => {
    fc.assert(
      fc.property(steps, fc.constantFrom('route', 'transform', 'variables'), (all, kind) => {
        const calm = all.map((one): Step => ({ ...one, end: 'done' }))
        const good = calm.filter(({ does }) => does === 'write').length
        const write: Step = { kind, thing: 0, does: 'write', field: 'title', value: 9, end: 'done' }
        const history = carryOut([...calm, write, { ...write, does: 'read' }], good)
        const findings = blamed(history).map((one) => one.split(' ')[1])
        expect([...new Set(findings)]).toEqual([applies[kind]])
      }),
      { numRuns: 100 },
    )
  })
})
