import type { Binding, TargetOperation } from '../../schemas/binding.ts'
import { textsIn } from '../../schemas/json.ts'
import { operationsOn } from '../../schemas/service.ts'
import { isRecord } from '../core/request-rules.ts'
import type { Oracle } from '../core/rule.ts'
import { type ExchangeView, jsonOf, leftAlone } from '../core/view.ts'
import type { Batch } from './batches.ts'
import { isOwnName, type Line } from './lines.ts'

interface Change {
  readonly exchange: string
  /** when it was sent and when it was answered */
  readonly start: number
  readonly end: number
}

/** The exclusion rule of a history. It selects by the name of an application, or of a host, which stands in the text as well. */
export class Exclusion {
  /** every word in the bodies of the rule, but for its title: a line is matched whose application or host is one of them */
  readonly names: Set<string> = new Set()
  /** the words of its query: they match a text that holds them, or whatever they stand for in a language of the target */
  readonly words: Set<string> = new Set()
  made: Change | undefined = undefined
  /** the newest change of the rule: from then on it acts */
  active: Change | undefined = undefined
  removed: Change | undefined = undefined
  /** nobody knows what the rule does now */
  unknown: boolean = false
}

export const EXCLUSIONS: readonly string[] = operationsOn('exclusion', 'create', 'update', 'remove')

export function learnExclusion(rule: Exclusion, view: ExchangeView, { resources }: Binding): void {
  if (!view.accepted) {
    if (!leftAlone(view)) rule.unknown = true
    return
  }
  const { _start: start, _end: end } = view.exchange
  const change: Change = { exchange: view.id, start, end }
  if (view.operation?.verb === 'remove') {
    rule.removed = change
    return
  }
  const body = jsonOf(view.request)
  for (const [name, value] of Object.entries(isRecord(body) ? body : {})) {
    if (name === resources.get('exclusion')?.label) continue
    for (const word of wordsIn(value)) (name === queryField(view.operation) ? rule.words : rule.names).add(word)
  }
  if (view.exchange._case === undefined && !selectsOwn(body)) {
    rule.unknown = true
    return
  }
  rule.active = change
  if (view.operation?.verb !== 'create') return
  // A second rule, or one that comes back, is not followed.
  if (rule.made) rule.unknown = true
  rule.made = change
}

/** The field of a rule that holds a query. */
export function queryField(operation: TargetOperation | undefined): string {
  return operation?.fields.query ?? 'query'
}

/** Whether an exclusion rule selects a line; undefined: only the target knows what its query means. */
export function selectedBy({ names, words }: Exclusion, { sender }: Line): boolean | undefined {
  const [app, host] = [sender?.app ?? '', sender?.host ?? '']
  if (names.has(app) || names.has(host) || words.has(host)) return true
  return words.has(app) ? undefined : false
}

/** How the exclusion rule stood to lines when they were sent, and why what becomes of them may be no proof. */
export interface Standing {
  readonly when: 'before' | 'acting' | 'removed'
  readonly doubt: string | undefined
}

/** Undefined: the rule was just being changed. */
export function standingOf({ made, active, removed }: Exclusion, batch: Batch, oracle: Oracle): Standing | undefined {
  if (!made || batch.end <= made.start) return { when: 'before', doubt: undefined }
  // A rule may need as long to act, or to act no more, as anything else to settle.
  const since = ({ end }: Change): string | undefined => (batch.start - end < oracle.settleMs ? EARLY : undefined)
  if (removed && batch.start >= removed.end) return { when: 'removed', doubt: since(removed) }
  if (!active || batch.start < active.end || (removed && batch.end > removed.start)) return undefined
  return { when: 'acting', doubt: since(active) }
}

const EARLY = 'not judged: the lines were sent within the settle time of the exclusion rule'

/** Whether a rule of unknown purpose names what a run sends, and nothing else. */
function selectsOwn(body: unknown): boolean {
  const active = !isRecord(body) || !Object.values(body).includes(false)
  return active && textsIn(body).every((text) => text === '' || isOwnName(text))
}

/** The words of all texts within a value. A query may name an application among other things: `app:name`. */
export function wordsIn(value: unknown): string[] {
  return textsIn(value).flatMap((text) => [text, ...text.split(/[^\w-]+/)])
}
