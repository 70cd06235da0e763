import type { Binding } from '../../../schemas/binding.ts'
import { at } from '../../../schemas/pointer.ts'
import type { Judgement } from '../../core/judgement.ts'
import { idIn, madeIn, readerOf, renamed } from '../../core/reads.ts'
import { isRecord } from '../../core/request-rules.ts'
import { mayBeHidden } from '../../core/resembles.ts'
import { about, type HistoryRule, type Oracle } from '../../core/rule.ts'
import { shown } from '../../core/shown.ts'
import { type ExchangeView, jsonOf, leftAlone } from '../../core/view.ts'
import { aroundCopies, COPYING, keep } from './copy-content.ts'

/** Texts that an update gave an original after it was copied, and that nobody had used before: by the field they stand in. */
interface Change {
  readonly exchange: string
  readonly at: number
  readonly title: string | undefined
  readonly description: string | undefined
  readonly config: Readonly<Record<string, string>>
}

interface Copied {
  readonly exchange: string
  readonly at: number
  readonly ids: readonly string[]
}

interface Known {
  /** texts that requests about transforms have sent */
  readonly texts: Set<string>
  readonly changes: Map<string, Change>
  readonly groups: Map<string, Copied>
}

const REQUIREMENT = 'GROUP-CREATE-COPIES'
const MOST_TEXTS = 1_000
/** Shorter ones may be anybody's. */
const SHORTEST = 8

/**
 * What a new group holds are copies (operation rule 3): they are not changed with the originals. Seen in texts that an
 * update gave an original once it was copied, and that nobody used before: none of them has a way into a copy. A single
 * text beside the configuration may tell what a copy was made of, so that title and description count only together.
 */
export const copiesFollowRule: HistoryRule<Known> = {
  name: 'copies follow',
  bound: 10_000,
  intended: true,
  operations: (binding) => aroundCopies(binding, 'create'),
  key: (view, { binding }) =>
    view.intent && aroundCopies(binding, 'create').includes(view.operation?.id ?? '') ? 'all' : undefined,
  init: () => ({ texts: new Set(), changes: new Map(), groups: new Map() }),
  step(state, view, oracle) {
    const { binding } = oracle
    const id = view.operation?.id
    if (id === readerOf(binding, 'group', 'read')) return { state, judgements: judge(state, view, oracle) }
    if (id === COPYING) noteCopying(state, view)
    // The newest revision of a group may hold others.
    else if (id === binding.resources.get('group-revision')?.create) state.groups.clear()
    else noteSent(state, view, binding)
    return { state, judgements: [] }
  },
  end: () => [],
}

function noteCopying({ groups }: Known, view: ExchangeView): void {
  const group = madeIn(view)
  const ids = at(jsonOf(view.request), '/pipeline_transform_ids')
  if (group === undefined || !Array.isArray(ids) || view.violations.length > 0) return
  keep(groups, group, { exchange: view.id, at: view.exchange._end, ids: ids.map(String) })
}

/** A request may have been carried out whatever came of it: its texts are known then. */
function noteSent({ texts, changes }: Known, view: ExchangeView, binding: Binding): void {
  const id = idIn(view, binding, 'transform') ?? ''
  const body = jsonOf(view.request)
  const isUpdate = view.operation?.id === 'update-transform'
  if (isUpdate && view.accepted && isRecord(body)) {
    const own = (value: unknown): string | undefined =>
      typeof value === 'string' && value.length >= SHORTEST && !texts.has(value) ? value : undefined
    const config = Object.entries(isRecord(body.user_config) ? body.user_config : {}).flatMap(([name, value]) => {
      const text = mayBeHidden(name) ? undefined : own(value)
      return text === undefined ? [] : [[name, text] as const]
    })
    const { _start: start } = view.exchange
    const [title, description] = [own(body.title), own(body.description)]
    keep(changes, id, { exchange: view.id, at: start, title, description, config: Object.fromEntries(config) })
  } else if (!leftAlone(view)) changes.delete(id)
  for (const text of textsIn(body)) if (texts.size < MOST_TEXTS) texts.add(text)
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : []
}

function judge({ changes, groups, texts }: Known, view: ExchangeView, oracle: Oracle): Judgement[] {
  const group = idIn(view, oracle.binding, 'group') ?? ''
  const copied = groups.get(group)
  const pointer = view.operation?.answer.transforms
  const elements = pointer === undefined || !view.accepted ? undefined : at(jsonOf(view.response), pointer)
  if (!copied || !Array.isArray(elements) || !elements.every(isRecord) || texts.size >= MOST_TEXTS) return []
  const reader = oracle.binding.operations.get(readerOf(oracle.binding, 'transform', 'read') ?? '')
  const copies = elements.map((element) => renamed(element, reader))
  return copied.ids.flatMap((id): Judgement[] => {
    const change = changes.get(id)
    // Copies may be made in the background.
    if (!change || change.at < copied.at || change.at - copied.at < oracle.settleMs) return []
    if (view.exchange._start < change.at || !isTelling(change)) return []
    const named = change.title !== undefined && change.description !== undefined
    const follower = copies.find((copy) => follows(copy, change))
    const base = {
      ...about(view),
      operation: COPYING,
      requirement: REQUIREMENT,
      exchanges: [copied.exchange, change.exchange, view.id],
      edge: 'an original that was changed',
    }
    if (!follower) return named && copies.every(isNamed) ? [{ ...base, outcome: 'held' }] : []
    groups.delete(group)
    const { title, description, user_config } = follower
    return [
      {
        ...base,
        outcome: 'broken',
        message: 'what the new group holds is changed with the transform that it was copied from',
        expected: 'a copy, as the transform was when the group was made',
        actual: shown({ title, description, user_config }),
      },
    ]
  })
}

function isTelling({ title, description, config }: Change): boolean {
  return Object.keys(config).length > 0 || (title !== undefined && description !== undefined)
}

function follows(copy: Readonly<Record<string, unknown>>, { title, description, config }: Change): boolean {
  const { user_config: own } = copy
  if (isRecord(own) && Object.entries(config).some(([name, text]) => own[name] === text)) return true
  if (title === undefined || description === undefined) return false
  return copy.title === title && copy.description === description
}

function isNamed({ title, description }: Readonly<Record<string, unknown>>): boolean {
  return typeof title === 'string' && typeof description === 'string'
}
