import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Judgement } from '../core/judgement.ts'
import type { Oracle } from '../core/rule.ts'
import type { ExchangeView } from '../core/view.ts'
import { type GroupRule, groupsWith } from './groups.ts'

/** Requests that are kept for a rule. */
const MOST = 200
const oracle = {} as Oracle

interface Asked {
  readonly group: 'g' | 'h' | undefined
  readonly about: 'red' | 'blue' | 'nothing'
}

const history: fc.Arbitrary<readonly Asked[]> = fc.array(
  fc.record({
    group: fc.constantFrom('g' as const, 'h' as const, undefined),
    about: fc.constantFrom('red' as const, 'blue' as const, 'nothing' as const),
  }),
  { maxLength: 30 },
)

const viewOf = ({ group, about }: Asked, index: number): ExchangeView =>
  ({ id: `${index}`, intent: { kind: 'read', edge: about, ...(group && { group }) } }) as ExchangeView

/** A rule that says which requests it was asked about, the judged one last. */
const rule = (name: string, seen: readonly Asked['about'][]): GroupRule => ({
  sees: ({ intent }) => seen.some((one) => one === intent?.edge),
  judge: (view, before) => [
    {
      requirement: name,
      outcome: 'observed',
      operation: '',
      caseId: '',
      exchanges: [...before, view].map(({ id }) => id),
    },
  ],
})
const SEEN = { red: ['red'], both: ['red', 'blue'] } as const
const RULES = Object.entries(SEEN).map(([name, seen]) => rule(name, seen))

/** As the oracle does: each group has a state of its own. */
function saidOf(views: readonly ExchangeView[]): string[] {
  const groups = groupsWith(RULES)
  const states = new Map<string, ReturnType<typeof groups.init>>()
  return views.flatMap((view) => {
    const key = groups.key(view, oracle)
    if (key === undefined) return []
    const state = states.get(key) ?? groups.init()
    states.set(key, state)
    return groups.step(state, view, oracle).judgements.map(told)
  })
}

function told({ requirement, exchanges }: Judgement): string {
  return `${requirement} ${exchanges.join()}`
}

/** The same, by looking through the whole history each time. */
function naive(asked: readonly Asked[]): string[] {
  const all = asked.map((one, index) => ({ ...one, id: `${index}` }))
  return all.flatMap((now, index) => {
    if (now.group === undefined) return []
    const own = all.slice(0, index + 1).filter(({ group }) => group === now.group)
    return Object.entries<readonly Asked['about'][]>(SEEN).flatMap(([name, about]) => {
      const seen = own.filter((one) => about.includes(one.about))
      return seen.at(-1) === now ? [`${name} ${seen.map(({ id }) => id).join()}`] : []
    })
  })
}

describe('the requests of a group', () => {
  test('are those that a rule sees, the oldest first', () => {
    fc.assert(
      fc.property(history, (asked) => {
        expect(saidOf(asked.map(viewOf))).toEqual(naive(asked))
      }),
    )
  })

  test('are the newest: a long history only loses its beginning', () => {
    const views = Array.from({ length: MOST + 50 }, (_, index) => viewOf({ group: 'g', about: 'red' }, index))
    const last = saidOf(views).findLast((one) => one.startsWith('red '))
    const kept = views.slice(-MOST - 1).map(({ id }) => id)
    expect(last).toBe(`red ${kept.join()}`)
  })
})
