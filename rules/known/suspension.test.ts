import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../schemas/types/exchange.ts'
import { FINAL, type OneLine, page, send, timed } from '../_testing/lines.ts'
import { judgeAll, toldOf } from '../testing.ts'

const STEPS = ['look', 'suspend', 'confirm', 'resume', 'send', 'export', 'lose'] as const
type Step = (typeof STEPS)[number]
const STATUS = '/v1/config/ingestion'

/** What a naive target can be asked for, and how it may be at fault. */
interface Faults {
  /** one call suspends */
  readonly atOnce?: boolean
  /** lines are stored while ingestion is suspended */
  readonly stores?: boolean
}

/** The exchanges with a target that does one step after the other. 'lose': a call to suspend whose answer gets lost. */
function carryOut(steps: readonly Step[], faults: Faults = {}): Exchange[] {
  const stored: OneLine[] = []
  let sent = 0
  let called = false
  let suspended = false
  const call = (name: string, status = 200): Exchange => timed(`POST ${STATUS}/${name}`, { got: {}, status })
  return steps.map((step) => {
    switch (step) {
      case 'look':
        return timed(`GET ${STATUS}/status`, { got: { isIngesting: !suspended }, intent: FINAL })
      case 'send': {
        sent += 1
        const line = { number: sent }
        if (!suspended || faults.stores === true) stored.push(line)
        return send([line])
      }
      case 'export':
        return page([...stored], null)
      case 'resume':
        called = false
        suspended = false
        return call('resume')
      case 'confirm': {
        const takes = called
        if (takes) suspended = true
        called = false
        return call('suspend/confirm', takes ? 200 : 400)
      }
      default:
        called = true
        if (faults.atOnce === true) suspended = true
        return step === 'suspend' ? call('suspend') : timed(`POST ${STATUS}/suspend`, { outcome: 'timeout' })
    }
  })
}

const broken = (exchanges: readonly Exchange[]): string[] =>
  judgeAll(exchanges).flatMap(({ outcome, requirement }) => (outcome === 'broken' ? [requirement] : []))
const plain = ({ _case, _intent, ...rest }: Exchange): Exchange => rest
const steps = fc.array(fc.constantFrom(...STEPS), { maxLength: 25 })

describe('a target that suspends by two calls and resumes by one', () => {
  test('is not blamed, whatever it is asked for', () => {
    fc.assert(
      fc.property(steps, (asked) => {
        const exchanges = carryOut(asked)
        const found = [...broken(exchanges), ...toldOf('broken', exchanges.map(plain))]
        expect(found.filter((requirement) => requirement.startsWith('SUSPENSION'))).toEqual([])
      }),
    )
  })

  test('is blamed after whatever was asked before, where it is at fault', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('look', 'send', 'export'), { maxLength: 8 }), (before) => {
        const atOnce = carryOut([...before, 'look', 'suspend', 'look'], { atOnce: true })
        const stores = carryOut([...before, 'look', 'suspend', 'confirm', 'look', 'send', 'export'], { stores: true })
        expect(broken(atOnce)).toContain('SUSPENSION-GUARD')
        expect(broken(stores)).toContain('SUSPENSION-STOPS-LINES')
      }),
    )
  })
})
