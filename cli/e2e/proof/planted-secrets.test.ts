import { expect, test } from 'vitest'
import { Capture } from '../../../fixtures/recording/capture.ts'
import { everyPlanting, leftIn, planted, saidBy } from '../../../fixtures/testing/planted.ts'
import { rawExchange } from '../../../fixtures/testing/recording.ts'
import { resolveBinding, shippedBinding } from '../../../schemas/binding.ts'

test('of more than 20,000 secrets, of every shape in every place, coding and charset, nothing is left', {
  timeout: 300_000,
}, () => {
  const binding = resolveBinding({ name: 'default', chain: ['default'], files: [shippedBinding('default')] })
  const capture = (key: string): Capture =>
    new Capture({ binding, baseUrl: 'https://logs.example.com', credentials: new Map(), key: Buffer.from(key) })
  const [first, other] = [capture('k'), capture('l')]
  const found: string[] = []
  let count = 0
  for (const [number, planting] of [...everyPlanting()].entries()) {
    const plant = planted(planting, number)
    if (plant === undefined) continue
    count += 1
    const left = leftIn(saidBy(first.capture(rawExchange(...plant))))
    // Now and then the digits of a pseudonym are a mark by chance: those of another key are not.
    if (left.length > 0 && leftIn(saidBy(other.capture(rawExchange(...plant)))).length > 0)
      found.push(`${planting.where}, ${planting.what}, ${planting.how}: ${left.join(' ')}`)
  }
  expect(found).toEqual([])
  expect(count).toBeGreaterThan(20_000)
})
