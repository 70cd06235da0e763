import { probes } from '../../../schemas/intents.ts'
import type { Judgement } from '../../core/judgement.ts'
import { carries, recordIn } from '../../core/reads.ts'
import { isRecord } from '../../core/request-rules.ts'
import { mayBeHidden } from '../../core/resembles.ts'
import { about, type HistoryRule, type Oracle } from '../../core/rule.ts'
import { shown } from '../../core/shown.ts'
import { isNeedless } from '../../core/shown-fields.ts'
import { type ExchangeView, jsonOf, leftAlone } from '../../core/view.ts'
import { isSettled } from '../../known/doubt.ts'

type Fields = Readonly<Record<string, unknown>>

/** An update that was carried out, and the configuration that was read before the next one. */
interface Step {
  readonly operation: string
  readonly sent: Fields
  readonly exchange: string
  readonly at: number
  readonly read: Fields | undefined
  readonly readIn: string
}

const UPDATES: Readonly<
  Record<string, { readonly requirement: string; readonly kind: string; readonly word: string }>
> = {
  'update-transform': {
    requirement: 'TRANSFORM-UPDATE-REPLACES',
    kind: 'GAP-TRANSFORM-KIND-FIELD',
    word: 'transform',
  },
  'update-source': { requirement: 'SOURCE-UPDATE-REPLACES', kind: 'GAP-SOURCE-KIND-FIELD', word: 'source' },
}

/**
 * An update replaces the configuration with the one that it sends (operation rules 1 and 2). A read may show more than was
 * sent, such as defaults; so one configuration is sent before another one and after it. What only the other one sent, and
 * is read after it and not before it, is no default: where it is still read once the first one was sent again, both were
 * merged. Whether a target takes the other one, and keeps what it does not know, is open.
 */
export const leftoversRule: HistoryRule<readonly Step[]> = {
  name: 'leftovers',
  bound: 1_000,
  intended: true,
  key: ({ intent }) => (intent?.probe === probes.leftovers ? intent.group : undefined),
  init: () => [],
  step(steps, view, oracle) {
    const operation = view.operation?.id ?? ''
    if (UPDATES[operation]) return { state: afterUpdate(steps, view), judgements: [] }
    const last = steps.at(-1)
    const record = view.accepted ? recordIn(view) : undefined
    if (!last || !record || view.exchange._start < last.at) return { state: steps, judgements: [] }
    return afterRead(steps, last, record, view, oracle)
  },
  end: () => [],
}

function afterUpdate(steps: readonly Step[], view: ExchangeView): readonly Step[] {
  if (!view.accepted) return leftAlone(view) ? steps : []
  const sent = jsonOf(view.request)
  if (!isRecord(sent)) return []
  const { operation } = about(view)
  return [
    ...steps.slice(-2),
    { operation, sent, exchange: view.id, at: view.exchange._end, read: undefined, readIn: '' },
  ]
}

function afterRead(
  steps: readonly Step[],
  last: Step,
  record: Fields,
  view: ExchangeView,
  oracle: Oracle,
): { state: readonly Step[]; judgements: readonly Judgement[] } {
  const { operation, exchange } = last
  const update = UPDATES[operation]
  if (!update) return { state: steps, judgements: [] }
  const base = {
    ...about(view),
    operation,
    requirement: update.requirement,
    edge: 'a configuration sent again after another one',
  }
  const settled = isSettled(view, last.at, oracle)
  const later = {
    state: steps,
    judgements: [{ ...base, exchanges: [exchange, view.id], outcome: 'inconclusive' } as const],
  }
  // What the update is not seen in shows nothing of it: that it is not seen at all is another rule's matter.
  const field = oracle.binding.answers.get(update.kind)?.value
  if (!isSeen(last, record, steps, field)) return settled ? { state: steps, judgements: [] } : later
  const config = record.user_config
  const state = [...steps.slice(0, -1), { ...last, read: isRecord(config) ? config : undefined, readIn: view.id }]
  const names = telling(state)
  if (names.length === 0) {
    return !settled && missing(state) ? later : { state, judgements: [] }
  }
  const exchanges = state.flatMap((step) => [step.exchange, step.readIn])
  const [now, other] = [config, state[1]?.sent.user_config].map((one) => (isRecord(one) ? one : {}))
  const left = names.find((name) => carries(now?.[name], other?.[name]))
  if (left === undefined) return { state, judgements: [{ ...base, exchanges, outcome: 'held' }] }
  if (!settled) return later
  return {
    state: [],
    judgements: [
      {
        ...base,
        exchanges,
        outcome: 'broken',
        pointer: '/user_config',
        message: `the configuration of a ${update.word} still holds ${left}, which the update before it sent and the newest one did not`,
        expected: shown(last.sent.user_config),
        actual: shown(config),
      },
    ],
  }
}

/**
 * Whether a record shows that the newest update was carried out: under the title that it gave, and as the kind that it
 * chose where the kind changes. A configuration hangs on the kind, and whether an update may change that is open.
 */
function isSeen({ sent }: Step, record: Fields, steps: readonly Step[], field: unknown): boolean {
  if (record.title !== undefined && sent.title !== undefined && record.title !== sent.title) return false
  if (typeof field !== 'string') return true
  const kinds = new Set(steps.map((step) => step.sent[field]))
  return record[field] === undefined ? kinds.size === 1 : record[field] === sent[field]
}

/** Fields of a configuration that was sent between two equal ones, and that were read only since then. */
function telling([first, second, third]: readonly Step[]): readonly string[] {
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
