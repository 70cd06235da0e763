import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ledger } from '../../schemas/ledger.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import { specificationSchemas } from '../../schemas/validator.ts'
import { clock, jsonl, NOW, type OneLine, page, send, timed } from '../_testing/lines.ts'
import type { Oracle } from '../core/rule.ts'
import { createViewer } from '../core/viewer.ts'
import { type Given, judgeAll, referenceBinding } from '../testing.ts'
import { linesOnceRule } from '../topics/ingestion/lines.ts'
import { expectedIn, type LinesKnown, linesPart } from './lines-store.ts'
import { selectionOf } from './selection.ts'

const { schemas, validator } = specificationSchemas()
const oracle: Oracle = { binding: referenceBinding(), validator, schemas, ledger: ledger(), settleMs: 0 }
const viewer = createViewer(oracle.binding, validator, '')

/** One request: lines that are sent, by their numbers, or that an export shows, or an exclusion rule that is made. */
type Step =
  | {
      readonly does: 'send'
      readonly numbers: readonly number[]
      readonly answer: 'taken' | 'half' | 'refused' | 'none'
    }
  | { readonly does: 'show'; readonly numbers: readonly number[]; readonly version: 1 | 2; readonly open: boolean }
  | { readonly does: 'exclude' }

const NUMBERS = Array.from({ length: 12 }, (_, index) => index)
const numbers = fc.uniqueArray(fc.constantFrom(...NUMBERS), { minLength: 1, maxLength: 6 })
const sending = fc.record({
  does: fc.constant('send' as const),
  numbers,
  answer: fc.constantFrom('taken' as const, 'half' as const, 'refused' as const, 'none' as const),
})
const showing = fc.record({
  does: fc.constant('show' as const),
  numbers,
  version: fc.constantFrom(1 as const, 2 as const),
  open: fc.boolean(),
})
const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: sending },
    { weight: 4, arbitrary: showing },
    { weight: 1, arbitrary: fc.constant({ does: 'exclude' as const }) },
  ),
  { maxLength: 14 },
)

const asLines = (some: readonly number[]): OneLine[] => some.map((number) => ({ number }))

function exchangeOf(step: Step, at: { readonly start: number }): Exchange {
  if (step.does === 'exclude') {
    return timed('POST /v1/config/ingestion/exclusions', { sent: {}, got: { id: 'e' }, ...at })
  }
  const lines = asLines(step.numbers)
  if (step.does === 'send') return send(lines, { ...ANSWERS[step.answer](lines), ...at })
  const shown = step.version === 1 ? jsonl(lines, '', at) : page(lines, null, '', at)
  const queryString = shown.request.queryString.map((one) =>
    step.open && one.name === 'to' ? { ...one, value: '0' } : one,
  )
  return { ...shown, request: { ...shown.request, queryString } }
}

const ANSWERS = {
  taken: (): Given => ({}),
  half: (lines: readonly unknown[]): Given => {
    return { status: 207, got: { status: lines.map((_, index) => (index % 2 === 0 ? 200 : 500)) } }
  },
  refused: (): Given => ({ status: 400 }),
  none: (): Given => ({ outcome: 'timeout' }),
}

function learn(history: readonly Step[]): LinesKnown {
  const known = linesPart.init()
  const next = clock()
  for (const step of history) linesPart.learn(known, viewer.view(exchangeOf(step, next())), oracle)
  return known
}

/** What is known, in words that the naive model has as well. */
interface Facts {
  /** the numbers of the lines that have to come out, each as often as it was taken */
  readonly expected: readonly number[]
  /** a line's number and what is known of it */
  readonly facts: readonly string[]
}

function factsIn(known: LinesKnown): Facts {
  const ask = viewer.view(page([], null, '', { start: NOW + 1_000_000 }))
  const numberOf = (id: string): number => Number(id.split('.')[1])
  const of = NUMBERS.flatMap((number) => {
    const id = `assay-0-x-1.${number}`
    const taken = known.taken.get(id)
    const noted = (['paged', 'closed', 'again'] as const).filter((fact) => taken?.[fact])
    return [...noted, ...(known.unsure.has(id) ? ['unsure'] : [])].map((fact) => `${number} ${fact}`)
  })
  const expected = expectedIn(known, selectionOf(ask), ask).map(({ line }) => numberOf(line.id))
  return { expected: expected.sort((a, b) => a - b), facts: of.sort() }
}

/** The same from the whole history at once, as somebody would work it out with a pencil. */
function naive(history: readonly Step[]): Facts {
  const takenOf = (step: Step): readonly number[] => {
    if (step.does !== 'send' || step.answer === 'refused' || step.answer === 'none') return []
    return step.numbers.filter((_, index) => step.answer === 'taken' || index % 2 === 0)
  }
  const excluded = history.findIndex(({ does }) => does === 'exclude')
  const before = excluded < 0 ? history : history.slice(0, excluded)
  const facts = NUMBERS.flatMap((number) => {
    const first = history.findIndex((step) => takenOf(step).includes(number))
    const shows = history.flatMap((step, place) =>
      step.does === 'show' && first >= 0 && place > first && step.numbers.includes(number) ? [step] : [],
    )
    const found: string[] = []
    if (shows.some(({ version }) => version === 2)) found.push('paged')
    if (shows.some(({ open }) => !open)) found.push('closed')
    if (history.some((step) => step.does === 'send' && step.answer === 'none' && step.numbers.includes(number)))
      found.push('unsure')
    if (history.filter((step) => takenOf(step).includes(number)).length > 1) found.push('again')
    return found.map((fact) => `${number} ${fact}`)
  })
  return { expected: before.flatMap(takenOf).sort((a, b) => a - b), facts: facts.sort() }
}

describe('what is known of lines', () => {
  test('is what a naive model knows', () => {
    fc.assert(
      fc.property(steps, (history) => {
        expect(factsIn(learn(history))).toEqual(naive(history))
      }),
    )
  })

  test('is forgotten with the oldest lines, and then no line is held to have been sent once', () => {
    const many = (from: number, count: number): OneLine[] => asLines(Array.from({ length: count }, (_, i) => from + i))
    const again = [0, 1].map((number) => send(asLines([number])))
    const history = [
      send(many(0, 2)),
      send(many(10, 150_000)),
      ...again.slice(0, 1),
      send(many(200_000, 50_001)),
      ...again.slice(1),
    ]
    const known = linesPart.init()
    for (const one of history) linesPart.learn(known, viewer.view(one), oracle)
    expect([known.taken.size, ...[0, 1].map((number) => known.taken.get(`assay-0-x-1.${number}`)?.again)]).toEqual([
      50_003,
      true,
      false,
    ])
    expect(known.sent.all.map(({ exchange }) => exchange)).toEqual(history.slice(2).map(({ _id }) => _id))
    expect(linesOnceRule.judge(viewer.view(page(asLines([1, 1]), null)), known, oracle)).toEqual([])
  })
})

describe('exports in progress', () => {
  /** Pages of several exports of the same lines, each of its own size, in the order in which they are asked for. */
  const plans = fc
    .tuple(
      fc.integer({ min: 3, max: 12 }),
      fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 }),
    )
    .chain(([count, sizes]) => {
      const pages = sizes.flatMap((size) => Array.from({ length: Math.ceil(count / size) }, () => size))
      return fc.record({ count: fc.constant(count), turns: fc.shuffledSubarray(pages, { minLength: pages.length }) })
    })

  interface Plan {
    readonly count: number
    /** whose turn it is: the size of the export */
    readonly turns: readonly number[]
  }

  /** `lost`: a line that the export of the first turn leaves out */
  function asked({ count, turns }: Plan, lost?: number): Exchange[] {
    const pages = new Map<number, number>()
    const next = clock()
    return [
      send(asLines(NUMBERS.slice(0, count)), next()),
      ...turns.map((size) => {
        const index = pages.get(size) ?? 0
        pages.set(size, index + 1)
        const lines = NUMBERS.slice(0, count).slice(index * size, (index + 1) * size)
        const token = (index + 1) * size < count ? `T${size}-${index + 1}` : null
        const query = `&size=${size}${index === 0 ? '' : `&pagination_id=T${size}-${index}`}`
        return page(asLines(lines.filter((number) => size !== turns[0] || number !== lost)), token, query, next())
      }),
    ]
  }

  test('are joined page by page, however they are interleaved', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const judgements = judgeAll(asked(plan)).filter(({ requirement }) => requirement.startsWith('EXPORT-V2'))
        expect(judgements.filter(({ outcome }) => outcome !== 'held')).toEqual([])
        const said = (requirement: string): number => judgements.filter((one) => one.requirement === requirement).length
        const sizes = new Set(plan.turns)
        const several = [...sizes].filter((size) => size < plan.count).length
        expect([said('EXPORT-V2-LAST-PAGE'), said('EXPORT-V2-COMPLETE')]).toEqual([sizes.size, several])
        expect(said('EXPORT-V2-NEXT-PAGE')).toBe(plan.turns.length - sizes.size)
      }),
      { numRuns: 40 },
    )
  })

  test('lack a line where one is left out of one of them, and only there', () => {
    fc.assert(
      fc.property(plans, fc.nat(), (plan, some) => {
        fc.pre((plan.turns[0] ?? 0) > 1 && (plan.turns[0] ?? 0) < plan.count)
        const incomplete = judgeAll(asked(plan, some % plan.count)).filter(
          ({ requirement, outcome }) => requirement === 'EXPORT-V2-COMPLETE' && outcome === 'broken',
        )
        expect(incomplete).toHaveLength(1)
      }),
      { numRuns: 40 },
    )
  })
})
