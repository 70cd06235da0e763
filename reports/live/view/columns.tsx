import { useMemo, useState } from 'preact/hooks'
import type { Row } from '../model/rows.ts'

/** A column of the table. */
export interface Column {
  readonly name: string
  readonly title: string
  /** pixels; of the path: at least */
  readonly width: number
  readonly least: number
  /** what a cell shows, which may hold anything */
  draw(row: Row): string
  tone?(row: Row): string
}

const LEAST = 40
/** Rows are told apart by the beginnings and ends of ids: their middle goes first. */
const LONG_IDS = /([0-9a-f]{6})[0-9a-f-]{20,}([0-9a-f]{4})/gi

export const COLUMNS: readonly Column[] = [
  { name: 'time', title: 'Time (UTC)', width: 104, least: LEAST, draw: ({ start }) => clock(start) },
  { name: 'method', title: 'Method', width: 68, least: LEAST, draw: ({ method }) => method },
  { name: 'path', title: 'Path', width: 200, least: 120, draw: ({ path }) => path.replaceAll(LONG_IDS, '$1…$2') },
  {
    name: 'status',
    title: 'Status',
    width: 78,
    least: LEAST,
    draw: ({ status, outcome }) => (outcome === 'complete' || status > 0 ? String(status) : outcome),
    tone: statusTone,
  },
  { name: 'ms', title: 'ms', width: 72, least: LEAST, draw: ({ milliseconds }) => milliseconds.toFixed(1) },
  { name: 'size', title: 'Size', width: 78, least: LEAST, draw: ({ received }) => size(received) },
  { name: 'operation', title: 'Operation', width: 170, least: LEAST, draw: ({ operation }) => operation },
  {
    name: 'findings',
    title: 'Findings',
    width: 190,
    least: LEAST,
    draw: ({ findings, unjudged }) =>
      [...new Set(findings.map(([requirement]) => requirement))].join(', ') || (unjudged === '' ? '' : 'not judged'),
  },
]

/** Bytes in the unit that reads best. */
function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** What a small screen has room for. */
const SMALL = new Set(['method', 'path', 'status'])

export function statusTone({ status, outcome }: Pick<Row, 'status' | 'outcome'>): string {
  if (outcome !== 'complete') return 'broken'
  return `s${Math.floor(status / 100)}`
}

/** The moment of a day, as a clock shows it. */
function clock(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(11, 23)
}

/** Which columns are shown, and how wide they are. */
export interface Layout {
  readonly columns: readonly Column[]
  readonly widths: Readonly<Record<string, number>>
  size(column: Column, width: number): void
  toggle(column: Column): void
}

interface Kept {
  readonly hidden: readonly string[]
  readonly widths: Readonly<Record<string, number>>
}

const PLACE = 'assay-live-columns'

/** The layout, which stays as it was left where the browser keeps it. `all`: the columns that there are. */
export function useLayout(all: readonly Column[]): Layout {
  const [kept, setKept] = useState<Kept>(read)
  const change = (next: Kept): void => {
    setKept(next)
    try {
      localStorage.setItem(PLACE, JSON.stringify(next))
    } catch {
      // Some browsers keep nothing.
    }
  }
  const columns = useMemo(() => all.filter(({ name }) => !kept.hidden.includes(name)), [all, kept.hidden])
  return {
    columns,
    widths: kept.widths,
    size: ({ name, least }, width) =>
      change({ ...kept, widths: { ...kept.widths, [name]: Math.max(least, Math.round(width)) } }),
    toggle({ name }) {
      const isHidden = kept.hidden.includes(name)
      // One at least stays.
      if (!isHidden && columns.length === 1) return
      change({ ...kept, hidden: isHidden ? kept.hidden.filter((one) => one !== name) : [...kept.hidden, name] })
    },
  }
}

function read(): Kept {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(PLACE) ?? 'null')
    if (isKept(kept)) return kept
  } catch {
    // An unreadable width was not kept.
  }
  const small = matchMedia('(max-width: 50rem)').matches
  return { hidden: small ? COLUMNS.map(({ name }) => name).filter((name) => !SMALL.has(name)) : [], widths: {} }
}

function isKept(kept: unknown): kept is Kept {
  const { hidden, widths } = (kept ?? {}) as Partial<Kept>
  if (!Array.isArray(hidden) || typeof widths !== 'object' || widths === null) return false
  return Object.values(widths).every((width) => Number.isFinite(width))
}

/** The columns for a style sheet. The path takes what is left, unless somebody has sized it. */
export function templateOf({ columns, widths }: Layout): string {
  return columns
    .map(({ name, width }) => {
      const own = widths[name]
      if (name === 'path' && own === undefined) return `minmax(${width}px, 1fr)`
      return `${own ?? width}px`
    })
    .join(' ')
}
