import { percentDecoded } from '../../../schemas/percent.ts'
import type { Verdict } from '../../../schemas/types/report.ts'
import { LEVEL_ORDER, type Level, VERDICT_ORDER } from './words.ts'

export const SORTS = ['ledger', 'id', 'level', 'category', 'verdict', 'evidence'] as const
export type Sort = (typeof SORTS)[number]

/** What the page shows, as far as it stands in the address. */
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
  sort: 'ledger',
  descending: false,
}

/** Reads `#anchor?q=…&verdict=…&level=…&category=…&sort=-id`. What it does not know is left out, never an error. */
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
    sort: known(order.replace(/^-/, ''), SORTS)[0] ?? 'ledger',
    descending: order.startsWith('-'),
  }
}

/** The address of a view, beginning with `#`; what is at rest is left out. */
export function formatAddress(view: View): string {
  const given = new URLSearchParams()
  if (view.search !== '') given.set('q', view.search)
  if (view.verdicts.length > 0) given.set('verdict', view.verdicts.join(','))
  if (view.levels.length > 0) given.set('level', view.levels.join(','))
  if (view.category !== '') given.set('category', view.category)
  if (view.sort !== 'ledger' || view.descending) given.set('sort', `${view.descending ? '-' : ''}${view.sort}`)
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
