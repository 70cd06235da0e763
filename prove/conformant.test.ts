import { describe, expect, test } from 'vitest'
import { stored } from '../reference/faults/core/changes.ts'
import { overlayOfVariant, type Variant } from '../reference/variants/core/variant.ts'
import { allVariants } from '../reference/variants/index.ts'
import { casesOf, run, verdictsOf } from './testing.ts'

const REFUSING = [
  'archiving-none-refused',
  'resume-refused',
  'signing-key-once',
  'switch-once',
  'usage-ahead-refused',
  'usage-future-refused',
  'usage-nothing-empty',
  'usage-nothing-no-content',
]

function variantNamed(name: string): Variant {
  const variant = allVariants.find((one) => one.name === name)
  if (!variant) throw new Error(`there is no variant ${name}`)
  return variant
}

describe('what is refused as it is so already, cannot be yet or is not there', () => {
  test.each(REFUSING.map(variantNamed))(
    'a target with the variant $name is conformant',
    { timeout: 120_000 },
    async (variant) => {
      const trial = await run({ overlay: overlayOfVariant(variant), seed: 5, concurrency: 16 })
      const { overall, reason } = verdictsOf(trial)
      expect([overall, reason]).toEqual(['conformant', ''])
      expect(trial.records.flatMap(({ leftovers = [] }) => leftovers)).toEqual([])
    },
  )
})

describe('a switch that is refused where nothing would change', () => {
  test.each(['enabled', 'disabled'] as const)('is tried whatever a new pipeline is: %s', async (begins) => {
    const { handlers = {} } = variantNamed('switch-once').changes()
    const trial = await run({
      overlay: {
        name: 'begins',
        handlers: {
          ...handlers,
          ...stored('create-pipeline', (body) => ({ ...body, processing_status: begins })).handlers,
        },
      },
      seed: 5,
      cases: casesOf((id) => id === 'walk/1' || id.startsWith('update-processing-status/')),
    })
    expect(trial.broken).toEqual([])
    expect(trial.records.filter(({ state }) => state !== 'done')).toEqual([])
    for (const id of ['AUTH-V3-TOKEN', 'AUTH-V3-REQUIRED', 'PROCESSING-STATUS-STATUS', 'PROCESSING-STATUS-SWITCHES']) {
      expect([id, trial.tallies.of(id).evidence.judged > 0]).toEqual([id, true])
    }
  })
})
