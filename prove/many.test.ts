import { expect, test } from 'vitest'
import type { Answer } from '../reference/core/message.ts'
import type { Overlay } from '../reference/core/overlay.ts'
import { collections } from '../schemas/service.ts'
import { allCases } from '../suites/cases/index.ts'
import { runTrial, type Trial } from './trial.ts'

const TYPES = ['board', 'view', 'category', 'alert', 'screen', 'key', 'pipeline', 'gateway-route', 'group']
const listed = collections.filter(({ type }) => TYPES.includes(type))
const creations = new Set(listed.map(({ create }) => create))
const requirements = listed.map((one) => one.listed).sort()

function run(changes: Omit<Overlay, 'name'>): Promise<Trial> {
  return runTrial({
    overlay: { name: 'many', ...changes },
    seed: 1,
    profile: 'thorough',
    cases: allCases().filter(({ id }) => id.endsWith('/life') && creations.has(id.replace('/life', ''))),
    concurrency: 8,
    enough: () => false,
  })
}

/** Lists hold their first elements. `headers`: what a list that was cut has besides. */
function cut(most: number, headers?: Answer['headers']): Pick<Overlay, 'answer'> {
  return {
    answer(answer, _request, operation) {
      const { json } = answer
      const data = Array.isArray(json) ? json : (json as { readonly data?: unknown } | undefined)?.data
      if (!operation?.startsWith('list-') || !Array.isArray(data) || data.length <= most) return answer
      const first = data.slice(0, most)
      return { ...answer, json: data === json ? first : { data: first }, ...(headers && { headers }) }
    },
  }
}

function red({ broken, faults, records }: Trial): string[] {
  expect(faults).toEqual([])
  expect(records.filter(({ state }) => state !== 'done')).toEqual([])
  expect(records.flatMap(({ leftovers = [] }) => leftovers)).toEqual([])
  return [...new Set(broken.map(({ requirement }) => requirement))].sort()
}

/** How often it was observed that a list may be a page. */
function pages({ tallies }: Trial): number {
  return Object.keys(tallies.of('GAP-LIST-PAGES').evidence.observations).length
}

test('lists that are cut are found by a thorough run', { timeout: 240_000 }, async () => {
  expect(requirements).toHaveLength(TYPES.length)
  expect(red(await run(cut(27)))).toEqual(requirements)
})

test.each([
  ['have as many elements as pages', cut(25)],
  ['say that they go on', cut(27, { link: '</more>; rel="next"' })],
])('a thorough run observes lists that %s', { timeout: 240_000 }, async (_, changes) => {
  const trial = await run(changes)
  expect(red(trial)).toEqual([])
  expect(pages(trial)).toBeGreaterThan(0)
})
