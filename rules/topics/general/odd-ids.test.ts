import { describe, expect, test } from 'vitest'
import { type IntentData, probes } from '../../../schemas/intents.ts'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { exchange, failing, type Given, judgeAll } from '../../testing.ts'

const deleted = (): Exchange =>
  exchange('DELETE /v1/config/screen/s', { got: { deleted: true }, intent: { kind: 'base', group: 'g' } })
const odd = (given: Given = {}, condition: IntentData['condition'] & string = probes.unknownScreen): Exchange =>
  exchange('DELETE /v1/config/screen/a%20b', {
    status: 404,
    got: '',
    intent: { kind: 'provoke', probe: probes.oddId, edge: 'an id with a blank', group: 'g', data: { condition } },
    ...given,
  })

function outcomes(...history: readonly Exchange[]): string[] {
  return judgeAll(history).flatMap(({ outcome, requirement }) =>
    outcome === 'broken' || requirement.startsWith('SCREEN-DELETE-UNKNOWN') ? [`${requirement} ${outcome}`] : [],
  )
}

describe('an id of an unusual form that nothing has', () => {
  test.each([400, 404, 409, 410, 422])('is refused with %i, whatever the answer says besides', (status) => {
    for (const got of ['', '<html>', { message: 'bad id' }, { error: 'x', code: 'BadRequest', status: 'error' }]) {
      expect(outcomes(deleted(), odd({ status, got }))).toEqual(['SCREEN-DELETE-UNKNOWN-REFUSED held'])
    }
  })

  test('is not answered with success', () => {
    expect(outcomes(deleted(), odd({ status: 200, got: { deleted: true } }))).toEqual([
      'SCREEN-DELETE-UNKNOWN-REFUSED broken',
    ])
  })

  test('and breaks the server is found when it stays', () => {
    expect(outcomes(deleted(), odd({ status: 500 }), odd({ status: 500 }))).toEqual([])
    expect(outcomes(deleted(), ...failing(odd))).toEqual(['SCREEN-DELETE-UNKNOWN-REFUSED broken'])
  })

  test.each([302, 401, 403, 405, 414, 429, 431, 501, 502, 503, 520])('says nothing with %i', (status) => {
    expect(outcomes(deleted(), odd({ status }), odd({ status }))).toEqual([])
  })

  test('is judged only where the text says that it is refused, beside a deletion that was carried out', () => {
    expect(outcomes(deleted(), odd({ status: 200, got: { deleted: true } }, probes.unknownExclusion))).toEqual([])
    expect(outcomes(odd({ status: 200, got: { deleted: true } }))).toEqual([
      'SCREEN-DELETE-UNKNOWN-REFUSED inconclusive',
    ])
  })
})
