import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../schemas/types/exchange.ts'
import { createViewer } from '../core/viewer.ts'
import { createOracle } from '../oracle.ts'
import { exchange, type Given, referenceBinding } from '../testing.ts'
import { existenceOf } from './existence.ts'
import { kindOf } from './kinds.ts'
import type { Things } from './things.ts'

const binding = referenceBinding()
const { oracle } = createOracle({ binding, basePath: '', settleMs: 0 })
const viewer = createViewer(binding, oracle.validator, '')
const part = existenceOf(kindOf({ type: 'board', create: 'create-board', remove: 'delete-board' }))
const BOARDS = '/v1/config/board'

function learnt(history: readonly Exchange[]): Things {
  const known = part.init()
  for (const one of history) part.learn(known, viewer.view(one), oracle)
  return known
}

/** What is known, as plain data, in an order that does not tell when it was learnt. */
function facts({ made, shown, removed }: Things): object {
  const sorted = (map: ReadonlyMap<string, object>): object[] => [...map].sort(([a], [b]) => (a < b ? -1 : 1))
  return { made: sorted(made), shown: sorted(shown), removed: sorted(removed) }
}

interface Wish {
  readonly kind: 'make' | 'change' | 'remove' | 'read' | 'list'
  readonly thing: number
  readonly end: 'answered' | 'refused' | 'lost, done' | 'lost, not done'
}

const wish: fc.Arbitrary<Wish> = fc.record({
  kind: fc.constantFrom('make', 'change', 'remove', 'read', 'list'),
  // Mostly the same one: most of what can go wrong needs several requests about it.
  thing: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(3) }),
  end: fc.constantFrom('answered', 'answered', 'answered', 'refused', 'lost, done', 'lost, not done'),
})

/** A naive target, which does what it says, asked for one thing after the other. `there`: what it has in the end. */
function carryOut(wishes: readonly Wish[]): {
  readonly history: readonly Exchange[]
  readonly there: ReadonlySet<string>
} {
  const there = new Set<string>()
  const gone = new Set<string>()
  let made = 0
  const history = wishes.map(({ kind, thing, end }): Exchange => {
    const id = [...there][thing] ?? `none-${thing}`
    const isDone = end === 'answered' || end === 'lost, done'
    const send = (line: string, given: Given): Exchange => {
      if (end === 'refused') return exchange(line, { sent: given.sent, status: 403, got: { error: 'no' } })
      return exchange(line, { ...given, ...(end === 'answered' ? {} : { outcome: 'timeout' }) })
    }
    const shown = there.has(id) ? { got: { id } } : { status: 404 }
    if (kind === 'list') return send(`GET ${BOARDS}`, { got: [...there].map((one) => ({ id: one })) })
    if (kind === 'read') return send(`GET ${BOARDS}/${id}`, shown)
    if (kind === 'change') return send(`PUT ${BOARDS}/${id}`, { ...shown, sent: { title: 'new' } })
    if (kind === 'make') {
      made += 1
      // Some targets give an id again.
      const given = [...gone][thing] ?? `b${made}`
      if (isDone) there.add(given)
      if (isDone) gone.delete(given)
      return send(`POST ${BOARDS}`, { sent: { title: `t${made}` }, got: { id: given } })
    }
    if (isDone && there.delete(id)) gone.add(id)
    return send(`DELETE ${BOARDS}/${id}`, shown)
  })
  return { history, there }
}

describe('what exists', () => {
  test('is known rightly of a target that does what it says, whatever gets lost', () => {
    fc.assert(
      fc.property(fc.array(wish, { maxLength: 12, size: 'max' }), (wishes) => {
        const { history, there } = carryOut(wishes)
        const { made, removed, shown } = learnt(history)
        expect([...made.keys()].filter((id) => !there.has(id))).toEqual([])
        expect([...removed.keys()].filter((id) => there.has(id))).toEqual([])
        expect([...shown].filter(([id, { seen, lost }]) => seen && !lost && !there.has(id))).toEqual([])
      }),
      { numRuns: 2_000 },
    )
  })

  test('is known of all that was made where nothing gets lost', () => {
    const answered = wish.map((one): Wish => ({ ...one, end: one.end === 'refused' ? 'refused' : 'answered' }))
    fc.assert(
      fc.property(fc.array(answered, { maxLength: 40 }), (wishes) => {
        const { history, there } = carryOut(wishes)
        expect(new Set(learnt(history).made.keys())).toEqual(there)
      }),
      { numRuns: 300 },
    )
  })

  test('does not depend on the order of requests about different things', () => {
    const idOf = ({ request }: Exchange): string | undefined => /board\/(.+)$/.exec(request.url)?.[1]
    fc.assert(
      fc.property(fc.array(wish, { minLength: 2, maxLength: 40 }), fc.nat(), (wishes, at) => {
        const { history } = carryOut(wishes)
        const place = at % (history.length - 1)
        const [one, other] = history.slice(place, place + 2)
        if (!one || !other || !idOf(one) || !idOf(other) || idOf(one) === idOf(other)) return
        const swapped = [...history.slice(0, place), other, one, ...history.slice(place + 2)]
        expect(facts(learnt(swapped))).toEqual(facts(learnt(history)))
      }),
      { numRuns: 1_000 },
    )
  })

  test('stays known until a request about it, about all of them, or without an answer', () => {
    fc.assert(
      fc.property(fc.array(wish, { minLength: 1, maxLength: 40 }), (wishes) => {
        const { history } = carryOut(wishes)
        const [last] = history.slice(-1)
        const before = learnt(history.slice(0, -1))
        const after = learnt(history)
        const about = /board\/(.+)$/.exec(last?.request.url ?? '')?.[1]
        for (const [id, one] of before.made)
          if (about !== undefined && id !== about) expect(after.made.get(id)).toEqual(one)
      }),
      { numRuns: 300 },
    )
  })

  test('is forgotten where there is too much of it, and nothing follows from that', () => {
    const many = Array.from({ length: 1_010 }, (_, index): Wish => ({ kind: 'make', thing: index, end: 'answered' }))
    const { history, there } = carryOut(many)
    const { made } = learnt(history)
    expect(made.size).toBe(1_000)
    expect([...made.keys()].every((id) => there.has(id))).toBe(true)
    expect([made.has('b10'), made.has('b11'), made.has('b1010')]).toEqual([false, true, true])
  })

  test('is unknown of all that stands in something that was removed', () => {
    const routes = existenceOf(kindOf({ type: 'transform', create: 'create-transform', remove: 'delete-transform' }))
    const known = routes.init()
    const learn = (one: Exchange): void => routes.learn(known, viewer.view(one), oracle)
    const path = '/v3/pipeline/p1'
    learn(exchange(`POST ${path}/transform`, { sent: { title: 't' }, got: { data: { id: 't1' } } }))
    learn(exchange(`DELETE ${path}`, { status: 409 }))
    expect(known.made.size).toBe(1)
    learn(exchange(`DELETE ${path}`, { outcome: 'timeout' }))
    expect(known.made.size).toBe(0)
  })
})
