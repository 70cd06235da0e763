import { describe, expect, test } from 'vitest'
import { overlayOf } from '../reference/faults/core/fault.ts'
import { allFaults } from '../reference/faults/index.ts'
import { allCases } from '../suites/cases/index.ts'
import { withWalks } from '../suites/run/select.ts'
import { run } from './testing.ts'
import type { Trial, TrialOptions } from './trial.ts'

const walks = (count: number, more: Partial<TrialOptions> = {}): Promise<Trial> =>
  run({
    seed: 3,
    profile: 'standard',
    cases: withWalks(allCases(), count).filter(({ looksLast }) => looksLast === true),
    concurrency: count,
    ...more,
  })

/** What was sent, without what each target makes up. */
function sent({ exchanges }: Trial): string[] {
  return [...exchanges.values()]
    .filter(({ _intent }) => _intent?.kind === 'base')
    .map(
      ({ _operation, request }) =>
        `${_operation} ${(request.postData?.text ?? '').replaceAll(/[0-9a-f-]{36}|\d{13}/g, '')}`,
    )
}

describe('a walk', () => {
  test('takes every operation that changes something, blames nobody and leaves nothing', async () => {
    const trial = await walks(3)
    expect(trial.broken).toEqual([])
    expect(trial.records.map(({ state, leftovers }) => [state, leftovers])).toEqual([1, 2, 3].map(() => ['done', []]))
    const operations = new Set([...trial.exchanges.values()].map(({ _operation }) => _operation))
    expect(operations.size).toBeGreaterThan(75)
  })

  test('sends the same with the same seed, whatever runs beside it', async () => {
    const [alone, beside] = [await walks(1, { profile: 'quick' }), await walks(1, { profile: 'quick', concurrency: 8 })]
    expect(sent(alone)).toEqual(sent(beside))
    expect(sent(await walks(1, { profile: 'quick', seed: 4 }))).not.toEqual(sent(alone))
  })

  test.each([
    ['update-gateway-route-disables-pipelines', 4],
    ['delete-source-deletes-boards', 6],
    ['board-vanishes', 2],
    ['screen-comes-back', 3],
  ])('is made shorter where it finds %s: at most %d changes', async (name, most) => {
    const fault = allFaults().find((one) => one.name === name)
    if (!fault) throw new Error(`there is no fault ${name}`)
    const { broken, exchanges } = await walks(1, { overlay: overlayOf(fault), profile: 'quick' })
    const lengths = broken
      .filter(({ requirement }) => fault.kills.includes(requirement))
      .map((judgement) => {
        const deciding = exchanges.get(judgement.exchanges.at(-1) ?? '')
        const own = [...exchanges.values()].filter(({ _intent }) => _intent?.group === deciding?._intent?.group)
        const before = own.slice(0, own.indexOf(deciding as never))
        return before.filter(({ request, response }) => request.method !== 'GET' && response.status < 300).length
      })
    expect(Math.min(...lengths)).toBeLessThanOrEqual(most)
  })
})
