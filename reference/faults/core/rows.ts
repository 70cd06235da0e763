import { readFileSync } from 'node:fs'
import { at, without, withValue } from '../../../schemas/pointer.ts'
import { service } from '../../../schemas/service.ts'
import { Refusal, type RefusalCode } from '../../core/refusal.ts'
import { type Answer, type Call, type Handler, isPending, type PlainRequest } from '../../core/route.ts'
import { idIn } from '../../core/things.ts'
import type { Plan } from '../../model/state.ts'
import { hoursAgo, type Json, named, notApplied, stored, typeOf, withQuery } from './changes.ts'
import type { Changes, Fault } from './fault.ts'

/** A change of a document, as data. Places are JSON pointers, in which `*` stands for each element. */
interface Edit {
  readonly set?: Json
  /** the same where nothing stands */
  readonly usual?: Json
  readonly unset?: readonly string[]
  /** places that stay as they were before */
  readonly keep?: readonly string[]
  /** place -> the field beside it whose value it gets */
  readonly copy?: Readonly<Record<string, string>>
  /** place of a list, a text or an object -> the part that is left */
  readonly slice?: Readonly<Record<string, readonly [from: number, to?: number]>>
  /** place of a list -> a place in its elements, and the pattern of those that stay */
  readonly filter?: Readonly<Record<string, readonly [place: string, pattern: string]>>
  /** place of a text -> what is replaced in it, and by what */
  readonly replace?: Readonly<Record<string, readonly [pattern: string, text: string]>>
  /** place of a number -> what it is multiplied by, rounded down, and what is added then */
  readonly number?: Readonly<Record<string, readonly [times: number, plus: number]>>
}

/** Patterns by place: which requests, or which answers, a change is about. */
type Patterns = Readonly<Record<string, string>>

/** What an operation does otherwise, as data. Several changes of answers may stand together. */
export interface ChangeRow {
  /** operations, with blanks between; `*`: each of them, but for those with `!` before */
  readonly of: string
  readonly if?: {
    readonly method?: string
    readonly id?: string
    readonly query?: Patterns
    readonly body?: Patterns
    readonly told?: Patterns
    /** the thing that it is about, as it was before */
    readonly was?: Patterns
    /** the state of the account */
    readonly state?: Patterns
  }
  /** of all its requests, every so manieth alone */
  readonly every?: number
  /** the body that it is asked with, once that was found valid; `before`: the thing that it is about */
  readonly asked?: Edit
  /** parameters of the query that it is asked with; null takes one away */
  readonly query?: Readonly<Record<string, string | null>>
  /** the same with times: so many hours ago */
  readonly hours?: Readonly<Record<string, number>>
  /** what it has stored; `before`: how that was */
  readonly stored?: Edit
  /** it is refused */
  readonly refuses?: RefusalCode
  /** it is answered with success, and not carried out; or carried out twice */
  readonly done?: 'never' | 'twice'
  /** the answer in place of carrying it out */
  readonly instead?: Answer
  /** the JSON of its good answers, and of its refusals but for those of missing credentials */
  readonly told?: Edit
  readonly refused?: Edit
  /** what its good answers have in place of their JSON */
  readonly says?: Partial<Answer>
  /** what is replaced in the text of its good answers, one after the other, and by what */
  readonly text?: readonly (readonly [pattern: string, text: string])[]
  /** statuses that become others */
  readonly status?: Readonly<Record<string, number>>
  readonly headers?: Readonly<Record<string, string>>
  /** what the plan of the account says, whatever is asked */
  readonly plan?: Partial<Plan>
}

/** A statement, and the change that it is about. Without one, its change is code under the same name. */
export interface Row extends Partial<ChangeRow> {
  readonly name: string
  /** the statement */
  readonly about: string
}

interface FaultRow extends Row {
  /** requirements, with blanks between */
  readonly kills: string
  readonly withheld?: string
}

/** Changes that are more than data, by the names of their rows. */
export type Coded<C = Changes> = Readonly<Record<string, C>>

/** The rows of a file. Throws where one has no change, or two, or a change has no row. */
export function rowsOf<R extends Row>(file: URL, coded: Coded<unknown>): readonly R[] {
  const rows = JSON.parse(readFileSync(file, 'utf8')) as R[]
  const names = rows.flatMap(({ name, of }) => (of === undefined ? [name] : []))
  const odd = [...names.filter((name) => !(name in coded)), ...Object.keys(coded).filter((one) => !names.includes(one))]
  if (odd.length > 0) throw new Error(`${file.pathname}: a row or its change is missing: ${odd.join(', ')}`)
  return rows
}

/** The faults of a file. */
export function faultsIn(file: URL, coded: Coded): readonly Fault[] {
  return rowsOf<FaultRow>(file, coded).map(({ name, about, kills, withheld, ...row }) => ({
    ...{ name, about, kills: kills.split(' '), changes: coded[name] ?? changesOf(row as ChangeRow) },
    ...(withheld && { withheld }),
  }))
}

export function changesOf(row: ChangeRow): Changes {
  const { of, plan } = row
  if (plan) return { state: (state) => void Object.assign(state, { plan: { ...state.plan, ...plan } }) }
  const named = of.split(' ')
  const isAbout = (operation: string): boolean =>
    named.includes('*') ? !named.includes(`!${operation}`) : named.includes(operation)
  const { asked, query, hours, stored: kept, refuses, done, instead, every = 1 } = row
  const isCalled = [asked, query, hours, kept, refuses, done, instead].some((one) => one !== undefined)
  if (!isCalled) return { answer: answerOf(row, isAbout) }
  let count = 0
  const isDue = (): boolean => {
    count += 1
    return count % every === 0
  }
  const operations = service().operations.filter(({ id }) => isAbout(id))
  return { handlers: Object.fromEntries(operations.map(({ id }) => [id, (inner) => handlerOf(row, id, inner, isDue)])) }
}

function handlerOf(row: ChangeRow, operation: string, inner: Handler, isDue: () => boolean): Handler {
  const { asked, query, hours, stored: kept, refuses, done, instead } = row
  const type = typeOf(operation)
  const changes = kept ? stored(operation, (body, before) => edited(body, kept, before) as Json) : notApplied(operation)
  const other = changes.handlers?.[operation]?.(inner) ?? inner
  return (call) => {
    if (!isDue() || !concerns(row, call, type)) return inner(call)
    if (refuses) throw new Refusal(refuses, 'this is not taken')
    if (instead) return instead
    if (kept || done === 'never') return other(call)
    const body = asked ? edited(call.body, asked, named(call, type)?.body) : call.body
    const times = Object.entries(hours ?? {}).map(([name, ago]) => [name, hoursAgo(call, ago)])
    const sent = { ...withQuery(call, { ...query, ...Object.fromEntries(times) }), body }
    const reply = inner(sent)
    return done === 'twice' && !isPending(reply) && reply.status < 300 ? inner(sent) : reply
  }
}

function answerOf(row: ChangeRow, isAbout: (operation: string) => boolean): NonNullable<Changes['answer']> {
  const { told, refused, says, text: replaced = [], status = {}, headers } = row
  return (answer, request, operation = '') => {
    if (!isAbout(operation) || !wasAsked(row, request) || !fits(row.if?.told, answer.json)) return answer
    const { json, text, ...rest } = answer
    const isGood = answer.status < 300
    const edit = isGood ? told : answer.status >= 400 && answer.status !== 401 ? refused : undefined
    const changed = edit && json !== undefined ? { ...answer, json: edited(json, edit) } : answer
    const other = isGood && text && replaced.length > 0 ? { ...changed, text: [replacedIn(text, replaced)] } : changed
    const said = isGood && says ? { ...rest, ...says } : other
    const code = status[said.status] ?? said.status
    const whole = { ...said, status: code, ...(headers && { headers: { ...said.headers, ...headers } }) }
    return code === 204 ? { ...whole, json: undefined } : whole
  }
}

function concerns(row: ChangeRow, call: Call, type: string): boolean {
  const { id, body, was, state } = row.if ?? {}
  return (
    (id === undefined || isLike(idIn(call), id)) &&
    fits(body, call.body) &&
    (was === undefined || fits(was, named(call, type)?.body)) &&
    fits(state, call.state) &&
    wasAsked(row, call.request, call.query)
  )
}

function replacedIn(pieces: Iterable<string>, all: NonNullable<ChangeRow['text']>): string {
  return all.reduce((text, [pattern, other]) => text.replace(new RegExp(pattern, 'gu'), other), [...pieces].join(''))
}

function wasAsked(
  { if: { query, method: asks = '' } = {} }: ChangeRow,
  { method, search }: PlainRequest,
  asked: URLSearchParams = new URLSearchParams(search),
): boolean {
  return (
    isLike(method, asks) &&
    Object.entries(query ?? {}).every(([name, pattern]) => isLike(asked.get(name) ?? '', pattern))
  )
}

function fits(patterns: Patterns | undefined, value: unknown): boolean {
  return Object.entries(patterns ?? {}).every(([place, pattern]) => isLike(at(value, place), pattern))
}

/** Values that are no texts are compared as JSON, missing ones as an empty text. */
function isLike(value: unknown, pattern: string): boolean {
  return new RegExp(pattern, 'u').test(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
}

type Step = (now: unknown, place: string) => unknown

/** A copy of a document, changed. `before`: how it was. */
function edited(document: unknown, edit: Edit, before?: unknown): unknown {
  const { set = {}, usual = {}, unset = [], keep = [], copy = {}, slice = {}, filter = {} } = edit
  const { replace = {}, number = {} } = edit
  const steps: [string, Step][] = [
    ...Object.entries(set).map(([place, value]): [string, Step] => [place, () => value]),
    ...Object.entries(usual).map(([place, value]): [string, Step] => [place, (now) => now ?? value]),
    ...unset.map((place): [string, Step] => [place, () => undefined]),
    ...keep.map((place): [string, Step] => [place, () => at(before, place)]),
    ...Object.entries(copy).map(([place, from]): [string, Step] => {
      return [place, (_, own) => at(document, own.replace(/[^/]*$/, from))]
    }),
    ...Object.entries(slice).map(([place, part]): [string, Step] => {
      return [place, (now) => sliced(now, part)]
    }),
    ...Object.entries(filter).map(([place, [within, pattern]]): [string, Step] => {
      return [place, (now) => (now as unknown[]).filter((one) => isLike(at(one, within), pattern))]
    }),
    ...Object.entries(replace).map(([place, [pattern, text]]): [string, Step] => {
      return [place, (now) => (typeof now === 'string' ? now.replace(new RegExp(pattern, 'gu'), text) : now)]
    }),
    ...Object.entries(number).map(([place, [times, plus]]): [string, Step] => {
      return [place, (now) => (typeof now === 'number' ? Math.floor(now * times) + plus : now)]
    }),
  ]
  return steps.reduce((all, [pattern, step]) => {
    return placesIn(all, pattern).reduce((value: unknown, place) => {
      const now = at(value, place)
      const next = step(now, place)
      if (next === now) return value
      return next === undefined ? without(value, place) : withValue(value, place, next)
    }, all)
  }, document)
}

/** A part of a list, of a text, or of the fields of an object. */
function sliced(value: unknown, part: readonly [from: number, to?: number]): unknown {
  if (typeof value === 'string' || Array.isArray(value)) return value.slice(...part)
  const isObject = typeof value === 'object' && value !== null
  return isObject ? Object.fromEntries(Object.entries(value).slice(...part)) : value
}

function placesIn(value: unknown, pattern: string): readonly string[] {
  const [before = '', ...after] = pattern.split('/*')
  if (after.length === 0) return [pattern]
  const list = at(value, before)
  const count = Array.isArray(list) ? list.length : 0
  return Array.from({ length: count }, (_, index) => `${before}/${index}${after.join('/*')}`).flatMap((place) =>
    placesIn(value, place),
  )
}
