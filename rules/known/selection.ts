import { oncePer } from '../../schemas/once.ts'
import { askedTime } from '../../schemas/times.ts'
import { type ExchangeView, toldAs } from '../core/view.ts'
import { isMarked, type Line, receivedLines } from './lines.ts'

/** What an export asked for, in our own terms. Times in milliseconds since the epoch; 0 where 0 was sent. */
export interface Selection {
  /** everything that was asked for but the token, in a fixed order */
  readonly key: string
  readonly from: number | undefined
  readonly to: number | undefined
  readonly hosts: ReadonlySet<string> | undefined
  readonly apps: ReadonlySet<string> | undefined
  /** in small letters: a target may write them all in capitals */
  readonly levels: ReadonlySet<string> | undefined
  readonly size: number | undefined
  readonly prefer: string | undefined
  readonly email: string | undefined
  /** undefined: the first page */
  readonly token: string | undefined
  /** false: it also selects by something that cannot be followed from outside, such as a search */
  readonly known: boolean
}

export function selectionOf(view: ExchangeView): Selection {
  const names = view.operation?.parameters ?? {}
  const query = view.exchange.request.queryString
  const asked = (ours: string): string | undefined => {
    const values = query.filter(({ name }) => name === names[ours]).map(({ value }) => value)
    return values.length === 0 || values.join() === '' ? undefined : values.join()
  }
  const set = (ours: string, list = asked(ours)): ReadonlySet<string> | undefined => {
    return list === undefined ? undefined : new Set(list.split(','))
  }
  const understood = new Set(OURS.flatMap((ours) => names[ours] ?? []))
  const token = asked('pagination_id')
  const size = Number(asked('size'))
  return {
    key: query
      .filter(({ name }) => name !== names.pagination_id)
      .map(({ name, value }) => `${name}=${value}`)
      .sort()
      .join('&'),
    from: askedTime(asked('from')),
    to: askedTime(asked('to')),
    hosts: set('hosts'),
    apps: set('apps'),
    levels: set('levels', asked('levels')?.toLowerCase()),
    size: Number.isSafeInteger(size) && size > 0 ? size : undefined,
    prefer: asked('prefer'),
    email: asked('email'),
    token: token === 'null' ? undefined : token,
    known: query.every(({ name, value }) => understood.has(name) || value === ''),
  }
}

const OURS = ['from', 'to', 'hosts', 'apps', 'levels', 'size', 'prefer', 'email', 'email_subject', 'pagination_id']

/** Whether a line that was sent belongs to what was asked for. A period that begins or ends with 0 is open there. */
export function selects(selection: Selection, line: Line): boolean {
  const { from, to, hosts, apps, levels } = selection
  const { time, sender } = line
  if (!selection.known || from === undefined || to === undefined || time === undefined || !sender) return false
  if (time < from || (to !== 0 && time > to)) return false
  return (
    (hosts?.has(sender.host) ?? true) &&
    (apps?.has(sender.app) ?? true) &&
    (levels?.has(sender.level.toLowerCase()) ?? true)
  )
}

/** What an accepted answer to an export shows. */
export interface Shown {
  readonly selection: Selection
  readonly lines: readonly Line[]
  /** of the lines, those that a run made, by their marks */
  readonly marked: ReadonlyMap<string, Line>
}

/** Undefined: the answer holds no lines that can be read, or they were mailed. Worked out once: several rules ask. */
export const shownIn: (view: ExchangeView) => Shown | undefined = oncePer((view) => {
  const lines = view.accepted ? receivedLines(view) : undefined
  const selection = lines && selectionOf(view)
  return lines && selection && selection.email === undefined
    ? { selection, lines, marked: new Map(lines.filter(isMarked).map((line) => [line.id, line])) }
    : undefined
})

/** The token in an answer, as it goes into a query: null on the last page; undefined if there is none. */
export function tokenIn(view: ExchangeView): string | null | undefined {
  const token = toldAs(view, 'pagination_id')
  if (typeof token === 'number') return Number.isSafeInteger(token) ? String(token) : undefined
  return typeof token === 'string' || token === null ? token : undefined
}

/** Whether an answer to export v2 by itself holds all that was asked for. */
export function isOnlyPage(view: ExchangeView, { token, size }: Selection): boolean {
  return token === undefined && size === undefined && tokenIn(view) === null
}

/** Whether any line of an answer has a text that can be read: a body without may hold no lines at all. */
export function holdsTexts(view: ExchangeView): boolean {
  return view.exchange._digest?.received?.lines.some((line) => line !== '- - - -') === true
}
