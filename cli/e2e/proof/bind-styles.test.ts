import { describe, expect } from 'vitest'
import { configOf, test } from '../../testing/world.ts'
import { account } from '../testing/account.ts'
import { bound, EVERYTHING, requireRight } from '../testing/bound.ts'
import { startStyled, styleOf } from '../testing/styles.ts'

const SEEDS = Array.from({ length: 20 }, (_, index) => index + 1)

describe('assay bind', { timeout: 120_000 }, () => {
  test.for(SEEDS)('asks a service of style %i', async (seed, { world }) => {
    const served = await world.serve()
    const { url, binding } = await startStyled(world, styleOf(seed), served)
    world.write('assay.config.json', configOf(served, { binding: 'default', consent: EVERYTHING }))
    const before = await account(served)
    const told = await bound(world, '--probe', url, '--yes-modify-target')
    requireRight(world, told, binding)
    expect(told.probe).toMatchObject({ left: [] })
    expect(await account(served)).toEqual(before)
  })
})
