import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../schemas/types/exchange.ts'
import { clock, FINAL, type OneLine, page, send, timed } from '../_testing/lines.ts'
import { judgeAll, toldOf } from '../testing.ts'

/** 'lost', 'in vain': a call to suspend whose answer gets lost, and that was carried out or not. */
type Step = 'look' | 'suspend' | 'confirm' | 'resume' | 'send' | 'export' | 'lost' | 'in vain'
const STATUS = '/v1/config/ingestion'

/** How a naive target may begin, or be at fault. */
interface Kind {
  /** when it is first seen, somebody has suspended it */
  readonly suspended?: boolean
  /** one call suspends */
  readonly atOnce?: boolean
  /** lines are stored while ingestion is suspended */
  readonly stores?: boolean
}

/** The exchanges with a target that does one step after the other. It answers every call with success, also one that does nothing. */
function carryOut(steps: readonly Step[], kind: Kind = {}): Exchange[] {
  const stored: OneLine[] = []
  let sent = 0
  let called = false
  let suspended = kind.suspended === true
  const next = clock()
  const call = (name: string): Exchange => timed(`POST ${STATUS}/${name}`, { got: {}, ...next() })
  return steps.map((step) => {
    switch (step) {
      case 'look':
        return timed(`GET ${STATUS}/status`, { got: { isIngesting: !suspended }, intent: FINAL, ...next() })
      case 'send': {
        sent += 1
        const line = { number: sent }
        if (!suspended || kind.stores === true) stored.push(line)
        return send([line], next())
      }
      case 'export':
        return page([...stored], null, '', next())
      case 'resume':
        called = false
        suspended = false
        return call('resume')
      case 'confirm':
        if (called) suspended = true
        called = false
        return call('suspend/confirm')
      default:
        if (step !== 'in vain') called = true
        if (kind.atOnce === true) suspended = true
        return step === 'suspend' ? call('suspend') : timed(`POST ${STATUS}/suspend`, { outcome: 'timeout', ...next() })
    }
  })
}

const broken = (exchanges: readonly Exchange[]): string[] =>
  judgeAll(exchanges).flatMap(({ outcome, requirement }) => (outcome === 'broken' ? [requirement] : []))
const plain = ({ _case, _intent, ...rest }: Exchange): Exchange => rest
const calls = fc.constantFrom<Step>('suspend', 'confirm', 'resume')
const others = fc.constantFrom<Step>('look', 'send', 'export')
const lost = fc.constantFrom<Step>('lost', 'in vain')
const step = fc.oneof(
  { weight: 10, arbitrary: calls },
  { weight: 12, arbitrary: others },
  { weight: 1, arbitrary: lost },
)
const steps = fc.array(step, { minLength: 5, maxLength: 30 })

describe('a target that suspends by two calls and resumes by one', () => {
  test('is not blamed, whatever it is asked for', () => {
    fc.assert(
      fc.property(steps, fc.boolean(), (asked, suspended) => {
        const exchanges = carryOut(asked, { suspended })
        const found = [...broken(exchanges), ...toldOf('broken', exchanges.map(plain))]
        expect(found.filter((requirement) => requirement.startsWith('SUSPENSION'))).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  test('is blamed after whatever was asked before, where it is at fault', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('look', 'send', 'export'), { maxLength: 8 }), (before) => {
        const atOnce = carryOut([...before, 'resume', 'look', 'suspend', 'look'], { atOnce: true })
        const stores = carryOut([...before, 'look', 'suspend', 'confirm', 'look', 'send', 'export'], { stores: true })
        expect(broken(atOnce)).toContain('SUSPENSION-GUARD')
        expect(broken(stores)).toContain('SUSPENSION-STOPS-LINES')
      }),
    )
  })
})
