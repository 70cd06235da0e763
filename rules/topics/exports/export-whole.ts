import type { Judgement } from '../../core/judgement.ts'
import { about, type Oracle } from '../../core/rule.ts'
import type { ExchangeView } from '../../core/view.ts'
import { type Batch, expectedIn } from '../../known/batches.ts'
import { isSettled } from '../../known/doubt.ts'
import { orderOf } from '../../known/lines.ts'
import { selects } from '../../known/selection.ts'
import type { Base, Export, Page } from './export-pages.ts'

/** Lines that stand in one page. */
const PAGE = 10_000

/** Judges the pages of an export together, once the last one is there (section 'Export v2'). */
export function judgeWhole(whole: Export, batches: readonly Batch[], view: ExchangeView, oracle: Oracle): Judgement[] {
  const { first, pages, selection, spoiled } = whole
  const count = pages.reduce((sum, { lines }) => sum + lines.length, 0)
  const exchanges = pages.length > 1 ? [first.id, view.id] : [view.id]
  const base = { ...about(view), exchanges, edge: `${count} lines` }
  if (spoiled) return []
  const judged: Judgement[] = [{ ...base, requirement: 'EXPORT-V2-LAST-PAGE', outcome: 'held' }]
  const complete = pages.length > 1 ? judgeComplete(whole, batches, base, oracle) : []
  // Where lines are missing, nobody knows how many there are.
  const counted = selection.known && selection.size === undefined && !complete.some(({ outcome }) => outcome !== 'held')
  if (counted && count <= PAGE) judged.push(judgeOnePage(base, pages.length, count))
  if (pages.length === 1) return judged
  judged.push(...complete, ...judgeOnce(pages, base))
  const order = orderOf(pages.flatMap(({ lines }) => lines.flatMap(({ time }) => time ?? [])))
  if (order === 'mixed') {
    judged.push({
      ...base,
      requirement: 'EXPORT-V2-ORDER',
      outcome: 'broken',
      message: 'the lines of an export are not in the order of their times across its pages',
      expected: 'times that only rise, or only fall',
      actual: 'times that rise and fall',
    })
  } else if (order !== 'none') judged.push({ ...base, requirement: 'EXPORT-V2-ORDER', outcome: 'held' })
  return [...judged, ...observeNew(whole, batches, base)]
}

function judgeOnePage(base: Base, pages: number, count: number): Judgement {
  if (pages === 1) return { ...base, requirement: 'EXPORT-V2-SMALL-ONE-PAGE', outcome: 'held' }
  return {
    ...base,
    requirement: 'EXPORT-V2-SMALL-ONE-PAGE',
    outcome: 'broken',
    message: 'a small result does not come back in one page',
    expected: `one page, as there are at most ${PAGE} lines`,
    actual: `${pages} pages with ${count} lines`,
  }
}

function judgeComplete(
  { first, pages, selection }: Export,
  batches: readonly Batch[],
  base: Base,
  oracle: Oracle,
): Judgement[] {
  const wanted = expectedIn(batches, selection, first.exchange._start)
  if (wanted.length === 0) return []
  const missing = wanted.filter(({ line }) => !pages.some(({ ids }) => ids.has(line.id)))
  const [some] = missing
  const result = { ...base, requirement: 'EXPORT-V2-COMPLETE' }
  if (!some) return [{ ...result, outcome: 'held' }]
  const newest = missing.reduce((latest, { batch }) => Math.max(latest, batch.end), 0)
  if (!isSettled(first, newest, oracle)) return [{ ...result, outcome: 'inconclusive' }]
  return [
    {
      ...result,
      outcome: 'broken',
      message: 'the pages of an export together do not hold every line',
      expected: `${wanted.length} lines that were sent`,
      actual: `${missing.length} of them are missing, such as ${some.line.id}`,
    },
  ]
}

function judgeOnce(pages: readonly Page[], base: Base): Judgement[] {
  const seen = new Set<string>()
  let twice: string | undefined
  let marked = false
  for (const { ids } of pages) {
    for (const id of ids) {
      if (id.startsWith('-')) continue
      marked = true
      if (seen.has(id)) twice ??= id
      seen.add(id)
    }
  }
  if (!marked) return []
  if (twice === undefined) return [{ ...base, requirement: 'EXPORT-V2-ONCE', outcome: 'held' }]
  return [
    {
      ...base,
      requirement: 'EXPORT-V2-ONCE',
      outcome: 'broken',
      message: 'a line stands in two pages of one export',
      expected: 'each line once',
      actual: `${twice} stands in more than one page`,
    },
  ]
}

/** Whether lines that arrived during the export stand in its later pages: not shown, and only noted. */
function observeNew({ first, pages, selection }: Export, batches: readonly Batch[], base: Base): Judgement[] {
  const late = batches.filter(({ start }) => start > first.exchange._end).flatMap(({ lines }) => lines)
  const fitting = late.filter((line) => selects(selection, line))
  if (fitting.length === 0) return []
  const stand = fitting.filter(({ id }) => pages.some(({ ids }) => ids.has(id))).length
  const actual = `lines that arrive during an export: ${stand > 0 ? 'stand' : 'do not stand'} in its later pages`
  return [{ ...base, requirement: 'GAP-EXPORT-NEW-LINES', outcome: 'observed', actual }]
}
