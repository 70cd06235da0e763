import { at, fieldAt } from '../../schemas/pointer.ts'
import { type OperationRow, operationRow, operationsWhere } from '../../schemas/service.ts'
import { askedTime } from '../../schemas/times.ts'
import { misfit } from '../core/misfit.ts'
import { mayBePage } from '../core/reads.ts'
import { isRecord } from '../core/request-rules.ts'
import type { Oracle } from '../core/rule.ts'
import { askedFor, type ExchangeView, isKnownParameter, jsonOf } from '../core/view.ts'

/** One row of a usage report. */
export interface UsageRow {
  readonly name: string
  /** percentage (v1) or bytes (v2): a number where it was sent as one, as digits in a text, or as these with a % */
  readonly value: unknown
}

/** A usage report as the binding lets it be read. */
export interface UsageReport {
  readonly rows: readonly UsageRow[]
  /** name of the field that holds the value, for findings */
  readonly field: string
  /** rows that were asked for at most; undefined: no such parameter was sent */
  readonly limit: number | undefined
  /** something else was asked for, too, with an unknown meaning: it may be a part of the rows */
  readonly part: boolean
  readonly from: number | undefined
  readonly to: number | undefined
}

/** The operations that report usage. */
export const usageOperations: readonly string[] = operationsWhere(({ report }) => report)

/** What a usage operation reports; undefined for any other operation. */
export function usageKind(view: ExchangeView): OperationRow['report'] {
  return operationRow(view.operation?.id)?.report
}

/** Where a report has its rows and their names, and what an answer of the binding says of it beside that. */
export interface UsagePlaces {
  readonly rows: string | undefined
  readonly name: string | undefined
  readonly value: string | undefined
  /** the binding that has an answer */
  readonly from: string | undefined
}

export function usagePlaces({ operation }: ExchangeView, { binding }: Oracle): UsagePlaces {
  const shape = operation?.id === 'list-usage-by-tag' ? binding.answers.get('GAP-USAGE-TAGS-BODY') : undefined
  const told = isRecord(shape?.value) ? shape.value : undefined
  const text = (place: unknown): string | undefined => (typeof place === 'string' ? place : undefined)
  return {
    rows: text(told?.rows ?? operation?.answer.list),
    name: text(told?.name ?? operation?.fields.name),
    value: text(told?.value),
    from: told && shape?.from,
  }
}

/** The rows of an accepted report; undefined where the binding does not say where they are. */
export function usageReport(view: ExchangeView, oracle: Oracle): UsageReport | undefined {
  const { binding } = oracle
  const kind = usageKind(view)
  if (!kind || !view.accepted || !view.operation) return undefined
  const { parameters, fields } = view.operation
  const {
    rows: pointer,
    name,
    value: field = fields[kind.version === 1 ? 'percent' : 'bytes'],
  } = usagePlaces(view, oracle)
  if (pointer === undefined || name === undefined || field === undefined) return undefined
  const rows = usageRows(view, pointer)
  if (!rows || misnamedRows(rows, name) !== undefined) return undefined
  const limitName = parameters.limit ?? binding.answers.get('GAP-USAGE-LIMIT-PARAMETER')?.value
  const usual = new Set<unknown>([limitName, 'from', 'to'])
  const limit = typeof limitName === 'string' ? askedFor(view, limitName) : undefined
  const seconds = (text: string | undefined): number | undefined => {
    const time = askedTime(text)
    return time === undefined ? undefined : Math.floor(time / 1000)
  }
  return {
    rows: rows
      .filter(isRecord)
      .map((row) => ({ name: String(fieldAt(row, name)), value: measured(fieldAt(row, field)) })),
    field,
    limit: /^\d+$/.test(limit ?? '') ? Number(limit) : undefined,
    part: view.exchange.request.queryString.some(({ name }) => !usual.has(name) && !isKnownParameter(name, view)),
    from: seconds(askedFor(view, parameters.from ?? 'from')),
    to: seconds(askedFor(view, parameters.to ?? 'to')),
  }
}

/** That the names in an accepted report stand in another field than the binding says, in words; undefined where they do not. */
export function usageMisfit(view: ExchangeView, oracle: Oracle): string | undefined {
  const { rows: pointer, name, from } = usagePlaces(view, oracle)
  if (!usageKind(view) || !view.accepted || pointer === undefined || name === undefined) return undefined
  const found = misnamedRows(usageRows(view, pointer) ?? [], name)
  if (found === undefined) return undefined
  if (from === undefined) return misfit(view, 'name', found)
  return `the binding reads ${name}; the response has ${found} (GAP-USAGE-TAGS-BODY of the binding ${from})`
}

/** The field that holds a text in each of the rows, where none has the one that the binding names. */
function misnamedRows(rows: readonly unknown[], name: string): string | undefined {
  const records = rows.filter(isRecord)
  const [first] = records
  if (!first || records.some((row) => fieldAt(row, name) !== undefined)) return undefined
  return Object.keys(first).find((field) => records.every((row) => typeof row[field] === 'string'))
}

/**
 * The rows of an accepted report, at a pointer. Bodies of reports are not shown: an answer without one, or `null`, has none.
 * Undefined where the rows are somewhere else.
 */
function usageRows({ response }: ExchangeView, pointer: string): readonly unknown[] | undefined {
  const value = jsonOf(response)
  if (response.kind === 'none' || value === null) return []
  const rows = at(value, pointer)
  return Array.isArray(rows) ? rows : undefined
}

/** In which JSON type a share or a number of bytes comes is not shown. */
export function measured(value: unknown): unknown {
  const digits = typeof value === 'string' ? /^\s*(-?\d+(?:\.\d+)?)\s*%?\s*$/.exec(value)?.[1] : undefined
  return digits === undefined ? value : Number(digits)
}

/** The value of a row, where it is a number. */
export function reportedFor(report: UsageReport, name: string): number | undefined {
  const value = report.rows.find((row) => row.name === name)?.value
  return typeof value === 'number' ? value : undefined
}

/** A row that is nobody's name sums up what a report does not list. */
const SUM = /^\W|^(?:all )?(?:others?|rest|remaining)$/i

/**
 * Whether a report surely shows every name: everything was asked for, and fewer rows came than were. None of them sums up
 * others, and their number does not look like a bound.
 */
export function isUncut({ rows, limit, part }: UsageReport): boolean {
  return (
    !part &&
    (limit === undefined || rows.length < limit) &&
    !mayBePage(rows.length) &&
    !rows.some(({ name }) => SUM.test(name))
  )
}

/** Shares are worked out with binary fractions, which end a hair beside the number. */
const HAIR = 1e-6

/** Whether a number is a percentage of a whole. */
export function isShare(value: number): boolean {
  return value >= -HAIR && value <= 100 + HAIR
}

/** The reports among requests that let their rows be read, the oldest first. */
export function reportsIn(
  views: readonly ExchangeView[],
  oracle: Oracle,
): readonly { readonly view: ExchangeView; readonly report: UsageReport }[] {
  return views.flatMap((view) => {
    const report = usageReport(view, oracle)
    return report ? [{ view, report }] : []
  })
}
