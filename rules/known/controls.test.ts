import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Judgement } from '../core/judgement.ts'
import type { Oracle } from '../core/rule.ts'
import type { ExchangeView } from '../core/view.ts'
import { controlsWith, type Verdict, verdicts } from './controls.ts'

const oracle = {} as Oracle

/** A control that is accepted or refused, or a request with a verdict that wants controls. */
type Sent = 'accepted' | 'refused' | Verdict['control']

const history: fc.Arbitrary<readonly Sent[]> = fc.array(
  fc.constantFrom<Sent>('accepted', 'refused', 'either', 'both', 'none'),
  { maxLength: 20 },
)

function viewOf(sent: Sent, index: number): ExchangeView {
  const control = sent === 'accepted' || sent === 'refused'
  const intent = { kind: control ? 'base' : 'refuse', group: 'g', edge: sent }
  return { id: `${index}`, intent, accepted: sent === 'accepted', violations: [] } as unknown as ExchangeView
}

const rule = controlsWith(({ id, intent }) => {
  if (intent?.kind === 'base') return []
  const claim = { requirement: 'R', operation: '', caseId: '', exchanges: [id] }
  return verdicts(intent?.edge as Verdict['control'], { ...claim, outcome: 'held' })
})

function saidOf(sent: readonly Sent[]): Judgement[] {
  let state = rule.init()
  const said = sent.map(viewOf).flatMap((view) => {
    const next = rule.step(state, view, oracle)
    state = next.state
    return next.judgements
  })
  return [...said, ...rule.end(state, oracle)]
}

/** The expected judgement of each request with a verdict, computed from the whole history. */
function naive(sent: readonly Sent[]): string[] {
  return sent.flatMap((one, index) => {
    if (one === 'accepted' || one === 'refused') return []
    const before = sent.slice(0, index).includes('accepted')
    const after = sent.slice(index).includes('accepted')
    const isSure = one === 'none' || (one === 'either' ? before || after : before && after)
    return [`${index} ${isSure ? 'held' : 'inconclusive'}`]
  })
}

const told = (said: readonly Judgement[]): string[] =>
  said.map(({ exchanges, outcome }) => `${exchanges.at(-1)} ${outcome}`)
const byNumber = (a: string, b: string): number => Number.parseInt(a, 10) - Number.parseInt(b, 10)

describe('a request beside its controls', () => {
  test('is judged once, where the controls that it wants were accepted', () => {
    fc.assert(
      fc.property(history, (sent) => {
        expect(told(saidOf(sent)).sort(byNumber)).toEqual(naive(sent))
      }),
    )
  })

  test('names the accepted controls nearest to it', () => {
    expect(saidOf(['accepted', 'accepted', 'either']).map(({ exchanges }) => exchanges)).toEqual([['1', '2']])
    expect(saidOf(['either', 'refused', 'accepted', 'accepted']).map(({ exchanges }) => exchanges)).toEqual([
      ['2', '0'],
    ])
    expect(saidOf(['accepted', 'both', 'accepted']).map(({ exchanges }) => exchanges)).toEqual([['2', '0', '1']])
  })
})
