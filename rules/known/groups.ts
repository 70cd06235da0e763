import type { Judgement } from '../core/judgement.ts'
import type { HistoryRule, Oracle } from '../core/rule.ts'
import type { ExchangeView } from '../core/view.ts'
import { type Batch, takenIn } from './batches.ts'
import { isMarked, type Line, receivedLines } from './lines.ts'
import { selectionOf } from './selection.ts'

/**
 * Judges a request beside the earlier ones of its group. A case groups requests that have to be seen together, such as
 * the same question asked three times. Stateless.
 */
export interface GroupRule {
  /** whether a request of a group, all of which have an intent, is one of those that it asks for and judges */
  sees(view: ExchangeView): boolean
  /** `before`: the earlier requests of the group that it sees, the oldest first */
  judge(view: ExchangeView, before: readonly ExchangeView[], oracle: Oracle): readonly Judgement[]
}

/** Requests of one group that are kept for a rule, the newest. */
const MOST = 200
/** Groups that are kept, the newest. Each belongs to one case, of which few run at a time. */
const MOST_GROUPS = 500

const NONE: readonly Judgement[] = []

/** The part of the store that holds groups of requests, with the rules that ask it. Only requests that some rule sees are kept. */
export function groupsWith(rules: readonly GroupRule[]): HistoryRule<Map<GroupRule, ExchangeView[]>> {
  return {
    name: 'groups',
    intended: true,
    overlap: 'own',
    bound: MOST_GROUPS,
    key: (view) =>
      view.intent?.group !== undefined && rules.some((rule) => rule.sees(view)) ? view.intent.group : undefined,
    init: () => new Map(),
    step(group, view, oracle) {
      let judgements = NONE
      for (const rule of rules) {
        if (!rule.sees(view)) continue
        const before = group.get(rule) ?? []
        if (before.length === 0) group.set(rule, before)
        const said = rule.judge(view, before, oracle)
        if (said.length > 0) judgements = [...judgements, ...said]
        before.push(view)
        if (before.length > MOST) before.shift()
      }
      return { state: group, judgements }
    },
    end: () => NONE,
  }
}

/** The requests after the last one that passes; all of them where none does. */
export function since(before: readonly ExchangeView[], test: (view: ExchangeView) => boolean): readonly ExchangeView[] {
  return before.slice(before.findLastIndex(test) + 1)
}

/** Whether a request sends lines. */
export function sendsLines({ operation }: ExchangeView): boolean {
  return operation?.verb === 'send'
}

/** The lines of the requests that were taken, request by request. */
export function batchesIn(before: readonly ExchangeView[]): readonly Batch[] {
  return before.flatMap((one) => (sendsLines(one) ? (takenIn(one) ?? []) : []))
}

/** The run's own lines in an export, where it is known what it asked for; undefined: it tells of none. */
export function ownLinesIn(view: ExchangeView): readonly Line[] | undefined {
  return view.accepted && selectionOf(view).known ? receivedLines(view)?.filter(isMarked) : undefined
}
