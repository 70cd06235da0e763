import { expect, test } from 'vitest'
import { createCapture } from '../../../fixtures/recording/capture.ts'
import { everyPlanting, leftIn, planted, saidBy } from '../../../fixtures/testing/planted.ts'
import { rawExchange } from '../../../fixtures/testing/recording.ts'
import { resolveBinding, shippedBinding } from '../../../schemas/binding.ts'

test('of more than 20,000 secrets, of every shape in every place, coding and charset, nothing is left', {
  timeout: 300_000,
}, () => {
  const binding = resolveBinding({ name: 'default', chain: ['default'], files: [shippedBinding('default')] })
  const capture = createCapture({
    binding,
    baseUrl: 'https://logs.example.com',
    credentials: new Map(),
    key: Buffer.from('k'),
  })
  const found: string[] = []
  let count = 0
  for (const [number, planting] of [...everyPlanting()].entries()) {
    const plant = planted(planting, number)
    if (plant === undefined) continue
    count += 1
    const left = leftIn(saidBy(capture.capture(rawExchange(...plant))))
    if (left.length > 0) found.push(`${planting.where}, ${planting.what}, ${planting.how}: ${left.join(' ')}`)
  }
  expect(found).toEqual([])
  expect(count).toBeGreaterThan(20_000)
})
