import { oncePer } from '../../../schemas/once.ts'
import type { RequirementResult, Verdict } from '../../../schemas/types/report.ts'
import { percentDecoded } from '../../../schemas/url.ts'
import { LEVEL_ORDER, type Level, VERDICT_ORDER } from './words.ts'

export const SORTS = ['ledger', 'id', 'level', 'category', 'verdict', 'evidence'] as const
export type Sort = (typeof SORTS)[number]

/** The state of the page, as far as the address holds it. */
export interface View {
  /** id of a requirement or of a part of the page; '' for none */
  readonly anchor: string
  readonly search: string
  /** none: all */
  readonly verdicts: readonly Verdict[]
  readonly levels: readonly Level[]
  /** '' for all */
  readonly category: string
  readonly sort: Sort
  readonly descending: boolean
}

export const WHOLE: View = {
  anchor: '',
  search: '',
  verdicts: [],
  levels: [],
  category: '',
  sort: 'verdict',
  descending: false,
}

/** Reads `#anchor?q=…&verdict=…&level=…&category=…&sort=-id`. Unknown parts are left out, never an error. */
export function parseAddress(hash: string): View {
  const text = hash.replace(/^#/, '')
  const mark = text.indexOf('?')
  const anchor = mark < 0 ? text : text.slice(0, mark)
  const given = new URLSearchParams(mark < 0 ? '' : text.slice(mark + 1))
  const order = given.get('sort') ?? ''
  return {
    anchor: percentDecoded(anchor),
    search: given.get('q') ?? '',
    verdicts: known(given.get('verdict'), VERDICT_ORDER),
    levels: known(given.get('level'), LEVEL_ORDER),
    category: given.get('category') ?? '',
    sort: known(order.replace(/^-/, ''), SORTS)[0] ?? WHOLE.sort,
    descending: order.startsWith('-'),
  }
}

/** The address of a view, beginning with `#`; defaults are left out. */
export function formatAddress(view: View): string {
  const given = new URLSearchParams()
  if (view.search !== '') given.set('q', view.search)
  if (view.verdicts.length > 0) given.set('verdict', view.verdicts.join(','))
  if (view.levels.length > 0) given.set('level', view.levels.join(','))
  if (view.category !== '') given.set('category', view.category)
  if (view.sort !== WHOLE.sort || view.descending) given.set('sort', `${view.descending ? '-' : ''}${view.sort}`)
  const filters = given.toString().replaceAll('%2C', ',')
  return `#${encodeURIComponent(view.anchor)}${filters === '' ? '' : `?${filters}`}`
}

/** The list with the value in it if it was not, and without it if it was; in the order of `all`. */
export function toggled<T>(list: readonly T[], value: T, all: readonly T[]): T[] {
  return all.filter((candidate) => (candidate === value ? !list.includes(value) : list.includes(candidate)))
}

export function isFiltered({ search, verdicts, levels, category }: View): boolean {
  return search.trim() !== '' || verdicts.length > 0 || levels.length > 0 || category !== ''
}

function known<T extends string>(text: string | null, all: readonly T[]): T[] {
  const words = (text ?? '').split(',')
  return all.filter((candidate) => words.includes(candidate))
}

/** The requirements that a view shows, in its order. Equal ones stay in the order of the ledger. */
export function selected(results: readonly RequirementResult[], view: View): RequirementResult[] {
  const found = results.filter((result) => matches(result, view))
  const compare = ORDERS[view.sort]
  if (compare) found.sort(compare)
  return view.descending ? found.reverse() : found
}

/** Whether a view shows a requirement: each filter that is set has to fit, and every word of the search. `inBodies`: also there. */
export function matches(result: RequirementResult, view: View, inBodies = false): boolean {
  if (view.verdicts.length > 0 && !view.verdicts.includes(result.verdict)) return false
  if (view.levels.length > 0 && !view.levels.includes(result.level)) return false
  if (view.category !== '' && view.category !== result.category) return false
  const words = view.search.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return true
  const text = searchable(result) + (inBodies ? bodiesOf(result) : '')
  return words.every((word) => text.includes(word))
}

/** All of a requirement that a search looks at, in small letters. */
const searchable = oncePer((result: RequirementResult): string => {
  const { id, text, section, category, feature, reason, evidence, findings } = result
  const parts = [id, text, section, category, feature, reason]
  parts.push(...Object.keys(evidence.operations), ...Object.keys(evidence.observations))
  for (const { message, operation, case: caseId } of findings) parts.push(message, operation, caseId)
  return parts.join('\n').toLowerCase()
})

const bodiesOf = oncePer(({ findings }: RequirementResult): string =>
  findings
    .flatMap(({ expected, actual, exchanges }) => [
      ...[expected, actual],
      ...exchanges.flatMap(({ method, url, requestBody, responseBody }) => [method, url, requestBody, responseBody]),
    ])
    .join('\n')
    .toLowerCase(),
)

type Compare = (a: RequirementResult, b: RequirementResult) => number

const ORDERS: Readonly<Record<Sort, Compare | undefined>> = {
  ledger: undefined,
  id: (a, b) => compareText(a.id, b.id),
  level: (a, b) => LEVEL_ORDER.indexOf(a.level) - LEVEL_ORDER.indexOf(b.level),
  category: (a, b) => compareText(a.category, b.category),
  verdict: (a, b) => VERDICT_ORDER.indexOf(a.verdict) - VERDICT_ORDER.indexOf(b.verdict),
  evidence: (a, b) => weight(a) - weight(b),
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function weight({ evidence }: RequirementResult): number {
  return evidence.judged + Object.values(evidence.observations).reduce((sum, times) => sum + times, 0)
}
