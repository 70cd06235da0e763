import { type OperationRow, operationRow } from '../../../schemas/service.ts'
import { broken, held, unclear } from '../../core/judgement.ts'
import { carries } from '../../core/reads.ts'
import { isRecord } from '../../core/request-rules.ts'
import { mayBeHidden } from '../../core/resembles.ts'
import { about, claimOf, type Oracle } from '../../core/rule.ts'
import { isNeedless } from '../../core/shown-fields.ts'
import { type ExchangeView, jsonOf, leftAlone } from '../../core/view.ts'
import { shown } from '../../core/words.ts'
import { doubtOf } from '../../known/doubt.ts'
import { recordAfter, type Write } from '../../known/fields.ts'
import type { GroupRule } from '../../known/groups.ts'

type Fields = Readonly<Record<string, unknown>>

/** An update that was carried out, and the configuration that was read before the next one. */
interface Step extends Write {
  readonly sent: Fields
  readonly read: Fields | undefined
  readonly readIn: string
}

/** The row of an operation that replaces a configuration, which depends on the kind of its thing. */
function updateOf(operation: string | undefined): OperationRow | undefined {
  const row = operationRow(operation)
  return row?.kind?.accepted === undefined ? undefined : row
}

/**
 * TRANSFORM-UPDATE-REPLACES, SOURCE-UPDATE-REPLACES: an update replaces the configuration with the one that it sends
 * (operation rules 1 and 2). A read may show more than was sent, such as defaults; so one configuration is sent before
 * another one and after it. A value that only the other update sent, and that is read after it and not before, is no
 * default. If it is still read after the first one was sent again, both were merged. Whether a target takes the other
 * one, and keeps what it does not know, is open.
 */
export const leftoversRule: GroupRule = {
  sees: ({ intent }) => intent?.probe === 'leftovers',
  judge(view, before, oracle) {
    const steps = stepsIn([...before, view], oracle)
    const last = steps.at(-1)
    const { reaches: requirement = '', resource } = updateOf(last?.operation) ?? {}
    const record = recordAfter(last, view)
    if (updateOf(about(view).operation) || !last || resource === undefined || !record) return []
    const claim = claimOf(requirement, [view], {
      operation: last.operation,
      edge: 'a configuration sent again after another one',
      exchanges: steps.flatMap((step) => [step.exchange, step.readIn]),
    })
    const doubt = doubtOf(view, last.at, oracle)
    const later = doubt === undefined ? [] : [unclear({ ...claim, exchanges: [last.exchange, view.id] }, doubt)]
    // A read without the update shows nothing of it. That it is missing is another rule's matter.
    if (last.readIn !== view.id) return later
    const names = fieldsBetween(steps)
    if (names.length === 0) return missing(steps) ? later : []
    const other = steps[1]?.sent.user_config
    const left = names.find((name) => carries(last.read?.[name], isRecord(other) ? other[name] : undefined))
    if (left === undefined) return [held(claim)]
    if (doubt !== undefined) return later
    return [
      broken(claim, {
        pointer: '/user_config',
        message: `the configuration of a ${resource} still holds ${left}, which the update before it sent and the newest one did not`,
        expected: shown(last.sent.user_config),
        actual: shown(record.user_config),
      }),
    ]
  },
}

/** The last three updates that were carried out, each with the last read that it is seen in. */
function stepsIn(views: readonly ExchangeView[], { binding }: Oracle): readonly Step[] {
  let steps: readonly Step[] = []
  for (const view of views) {
    const { operation } = about(view)
    const sent = jsonOf(view.request)
    const last = steps.at(-1)
    const record = recordAfter(last, view)
    if (updateOf(operation)) {
      if (leftAlone(view)) continue
      const step = { operation, exchange: view.id, at: view.exchange._end, read: undefined, readIn: '' }
      steps = view.accepted && isRecord(sent) ? [...steps.slice(-2), { ...step, sent }] : []
    } else if (
      last &&
      record &&
      isSeen(last, record, steps, binding.answers.get(updateOf(last.operation)?.kind?.gap ?? '')?.value)
    ) {
      const config = record.user_config
      steps = [...steps.slice(0, -1), { ...last, read: isRecord(config) ? config : undefined, readIn: view.id }]
    }
  }
  return steps
}

/**
 * Whether a record shows that the newest update was carried out: it has the update's title, and its kind where the kind
 * changes. A configuration depends on the kind, and whether an update may change that is open.
 */
function isSeen({ sent }: Step, record: Fields, steps: readonly Step[], field: unknown): boolean {
  if (record.title !== undefined && sent.title !== undefined && record.title !== sent.title) return false
  if (typeof field !== 'string') return true
  const kinds = new Set(steps.map((step) => step.sent[field]))
  return record[field] === undefined ? kinds.size === 1 : record[field] === sent[field]
}

/** Fields of a configuration that was sent between two equal ones, and that were read only since then. */
function fieldsBetween([first, second, third]: readonly Step[]): readonly string[] {
  if (!first?.read || !second?.read || !third?.read) return []
  const [one, other, again] = [first, second, third].map(({ sent }) => sent.user_config)
  if (!isRecord(one) || !isRecord(other) || JSON.stringify(one) !== JSON.stringify(again)) return []
  return own(other, one).filter((name) => {
    const value = other[name]
    return !carries(first.read?.[name], value) && carries(second.read?.[name], value)
  })
}

/** Whether the newest update sent what was not there before, and it is not read yet. */
function missing(steps: readonly Step[]): boolean {
  const [before, now] = steps.slice(-2)
  const [one, other] = [before?.sent.user_config, now?.sent.user_config]
  if (!isRecord(one) || !isRecord(other)) return false
  return own(other, one).some((name) => !carries(now?.read?.[name], other[name]))
}

/** The fields that only the second configuration has, and that a read has no reason to hide or to leave out. */
function own(other: Fields, one: Fields): readonly string[] {
  return Object.keys(other).filter((name) => !(name in one) && !mayBeHidden(name) && !isNeedless(other[name]))
}
