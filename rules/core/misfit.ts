import { jsonIn } from '../../schemas/json.ts'
import { oncePer } from '../../schemas/once.ts'
import { at } from '../../schemas/pointer.ts'
import { isRecord } from './request-rules.ts'
import { type ExchangeView, exportOf, jsonOf } from './view.ts'

/** Lines of an answer that are read: a digest leaves no more in its body. */
const MOST_LINES = 3
/** How deep a value is looked for under other names. */
const DEEPEST = 4
/** Stands in every line that a run makes. */
const MARK = /assay-[0-9a-z]+-[0-9a-z]+-\d+\.\d+/
const UNREAD = '- - - -'

/**
 * A value stands in an answer under another name than the binding says: `the binding reads X; the response has Y`, with the
 * place in the binding. That is the fault of the binding, and no judgement of the target.
 */
export function misfit({ operation }: ExchangeView, field: string, found: string): string {
  const bound = operation?.fields[field] ?? field
  const place = operation?.places?.[`fields/${field}`]
  return `the binding reads ${bound}; the response has ${found}${place === undefined ? '' : ` (${place})`}`
}

/** A response does not show a field at all: it may under another name, which the binding would tell. */
export function unshownField({ operation }: ExchangeView, field: string): string {
  const bound = operation?.fields[field]
  const name = bound === undefined ? `\`${field}\`` : `\`${field}\` (\`${bound}\` here)`
  return `${operation?.id} shows no ${name}: set \`operations.${operation?.id}.fields.${field}\``
}

/** The same of a pointer into the answer: where in it a field of that name stands, if anywhere. Undefined: it leads somewhere. */
export function misread(view: ExchangeView, name: string): string | undefined {
  const { answer = {}, places } = view.operation ?? {}
  const pointer = answer[name]
  const body = jsonOf(view.response)
  if (pointer === undefined || (at(body, pointer) ?? undefined) !== undefined) return undefined
  const wanted = pointer.split('/').at(-1)?.toLowerCase()
  const found = wanted ? pathTo(body, (own) => own.toLowerCase() === wanted, DEEPEST) : undefined
  const place = places?.[`answer/${name}`]
  const has = found === undefined ? 'nothing there' : `/${found}`
  return `the binding reads ${pointer === '' ? 'the whole response' : pointer}; the response has ${has}${place === undefined ? '' : ` (${place})`}`
}

/** The names that lead to the first value that fits. */
function pathTo(value: unknown, fits: (name: string, child: unknown) => boolean, depth: number): string | undefined {
  if (!isRecord(value) || depth === 0) return undefined
  for (const [name, child] of Object.entries(value)) {
    if (fits(name, child)) return name
    const below = pathTo(child, fits, depth - 1)
    if (below !== undefined) return `${name}/${below}`
  }
  return undefined
}

/** The name under which the texts of exported lines stand, where they cannot be read under the one of the binding. */
export function misnamedText(view: ExchangeView): string | undefined {
  // Nearly always the first line can be read.
  return view.exchange._digest?.received?.lines[0] === UNREAD ? misnamed(view) : undefined
}

const misnamed = oncePer((view: ExchangeView): string | undefined => {
  const isUnread = view.exchange._digest?.received?.lines.every((line) => line === UNREAD)
  return isUnread ? nameOf(rawLines(view), (value) => typeof value === 'string' && MARK.test(value)) : undefined
})

/** The name in one of the first lines of an answer under which a value stands. */
export function nameInLine(view: ExchangeView, index: number, value: unknown): string | undefined {
  const wanted = asText(value)
  return wanted === '' ? undefined : nameOf(rawLines(view).slice(index, index + 1), (one) => asText(one) === wanted)
}

/** The first lines of an export as they came. */
function rawLines(view: ExchangeView): readonly unknown[] {
  if (exportOf(view) === 2) {
    const lines = at(jsonOf(view.response), view.operation?.answer.list ?? '')
    return Array.isArray(lines) ? lines.slice(0, MOST_LINES) : []
  }
  const rows = (view.exchange.response.content.text ?? '').split('\n', MOST_LINES)
  return rows.map(jsonIn)
}

function nameOf(values: readonly unknown[], fits: (value: unknown) => boolean): string | undefined {
  for (const value of values) {
    const found = pathTo(value, (_, child) => fits(child), DEEPEST)
    if (found !== undefined) return found
  }
  return undefined
}

/** Lists of names may come as one text. */
function asText(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).sort().join()
  return typeof value === 'string' || typeof value === 'number' ? String(value).toLowerCase() : ''
}
