import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Exchange } from '../../schemas/types/exchange.ts'
import { exchange, type Given, judgeAll } from '../testing.ts'

type Does = 'add' | 'patch' | 'replace' | 'read'

interface Step {
  readonly does: Does
  readonly end: 'done' | 'refused' | 'lost after' | 'lost before'
}

const step: fc.Arbitrary<Step> = fc.record({
  does: fc.constantFrom('add', 'add', 'patch', 'replace', 'read', 'read'),
  end: fc.constantFrom('done', 'done', 'done', 'refused', 'lost after', 'lost before'),
})
const steps = fc.array(step, { minLength: 2, maxLength: 30, size: 'max' })

const ROUTE = '/v3/pipeline/gateway-route/r'
const LINES: Readonly<Record<Does, string>> = {
  add: `PUT ${ROUTE}/signing-key`,
  patch: `PATCH ${ROUTE}`,
  replace: `PUT ${ROUTE}`,
  read: `GET ${ROUTE}`,
}

/** A naive target: keys stand beside each other, and a replacement takes all of them. `loses`: the step that takes one besides. */
function carryOut(all: readonly Step[], loses: number = -1): Exchange[] {
  let keys: readonly string[] = []
  return all.map(({ does, end }, index) => {
    const isDone = does !== 'read' && (end === 'done' || end === 'lost after')
    if (isDone && does === 'add') keys = [...keys, `k${index}`]
    if (isDone && does === 'replace') keys = []
    if (index === loses) keys = keys.slice(1)
    const got = { data: { signing_keys: keys } }
    const sent = does === 'add' ? { key: `k${index}` } : { title: `t${index}` }
    if (does === 'read') return exchange(LINES.read, { got, intent: { kind: 'read', final: true } })
    const given: Given = end === 'done' ? { got } : end === 'refused' ? { status: 400 } : { status: 500 }
    return exchange(LINES[does], { sent, intent: { kind: 'base' }, ...given })
  })
}

const ABOUT_KEYS = /^SIGNING-KEY(-ADDS|S-KEPT)$/
const blamed = (history: readonly Exchange[]): string[] =>
  judgeAll(history)
    .filter(({ requirement, edge }) => ABOUT_KEYS.test(requirement) || edge === 'signing keys')
    .flatMap(({ requirement, outcome }) => (outcome === 'broken' ? [requirement] : []))

test('what is known of signing keys never contradicts a target that keeps them, wherever the recording begins', () => {
  fc.assert(
    fc.property(steps, fc.nat(15), (all, from) => {
      expect(blamed(carryOut(all).slice(from))).toEqual([])
    }),
    { numRuns: 300 },
  )
})

test.each<[Does, string]>([
  ['add', 'SIGNING-KEYS-KEPT'],
  ['patch', 'ROUTE-PATCH-PARTIAL'],
])(
  'a target that loses one with the last %s is found by the next read, and nothing else is blamed',
  (last, requirement) => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom<Does>('patch', 'add', 'read'), { maxLength: 10 }), (before) => {
        const all = (['add', 'add', ...before, 'read', last, 'read'] as const).map(
          (does): Step => ({ does, end: 'done' }),
        )
        expect(blamed(carryOut(all, all.length - 2))).toEqual([requirement])
      }),
    )
  },
)
