import { at } from '../../../schemas/pointer.ts'
import type { Judgement } from '../../core/judgement.ts'
import { canPair } from '../../core/pairing.ts'
import { idIn, madeIn, readerOf, recordIn, renamed } from '../../core/reads.ts'
import { isRecord } from '../../core/request-rules.ts'
import { about, type HistoryRule, type Oracle } from '../../core/rule.ts'
import { shown } from '../../core/shown.ts'
import { type ExchangeView, jsonOf, leftAlone } from '../../core/view.ts'
import { isSettled } from '../../known/doubt.ts'
import {
  aroundCopies,
  COPYING,
  type Content,
  contentOf,
  differs,
  hasConfigOf,
  hasKindOf,
  hasOtherKind,
  keep,
} from './copy-content.ts'

/** A transform as a read has shown it. */
interface Original extends Content {
  readonly id: string
  readonly exchange: string
}

interface Copying {
  readonly exchange: string
  readonly at: number
  readonly listed: readonly Original[]
  /** transforms of the same case that were not listed */
  readonly others: readonly Original[]
}

interface Known {
  readonly originals: Map<string, Original>
  /** transform -> when its newest change was answered */
  readonly changed: Map<string, number>
  readonly groups: Map<string, Copying>
}

const REQUIREMENT = 'GROUP-CREATE-COPIES'

/**
 * What a new group holds are copies of the transforms that were listed (operation rule 3): where it shows kinds or
 * configurations, those of the listed ones are among them, in any order. They are compared with what reads of the
 * originals have shown, so that it does not matter how a target keeps them. What copies do not show says nothing, nor do
 * their titles, which may tell that they are copies. How many there are is another rule's matter.
 */
export const copiedContentRule: HistoryRule<Known> = {
  name: 'copied content',
  bound: 10_000,
  overlap: 'thing',
  intended: true,
  operations: (binding) => aroundCopies(binding, 'read'),
  key: (view, { binding }) =>
    view.intent && aroundCopies(binding, 'read').includes(view.operation?.id ?? '') ? 'all' : undefined,
  init: () => ({ originals: new Map(), changed: new Map(), groups: new Map() }),
  step(state, view, oracle) {
    const { binding } = oracle
    const id = view.operation?.id
    if (id === COPYING) noteCopying(state, view)
    else if (id === readerOf(binding, 'group', 'read')) return { state, judgements: judgeGroup(state, view, oracle) }
    else if (id === binding.resources.get('group-revision')?.create) {
      // The newest revision of a group may hold others.
      state.groups.delete(idIn(view, binding, 'group') ?? '')
    } else if (id === readerOf(binding, 'transform', 'read')) noteRead(state, view, oracle)
    else if (!leftAlone(view)) {
      const changed = idIn(view, binding, 'transform') ?? ''
      state.originals.delete(changed)
      keep(state.changed, changed, view.exchange._end)
    }
    return { state, judgements: [] }
  },
  end: () => [],
}

function noteRead(state: Known, view: ExchangeView, oracle: Oracle): void {
  const id = idIn(view, oracle.binding, 'transform')
  const record = view.accepted ? recordIn(view) : undefined
  if (id === undefined || !record) return
  const changedAt = state.changed.get(id)
  if (changedAt !== undefined && !isSettled(view, changedAt, oracle)) return
  keep(state.originals, id, { id, exchange: view.id, ...contentOf(record, oracle) })
}

/** Only where reads have shown each of the listed ones is it known what there should be. */
function noteCopying({ originals, groups }: Known, view: ExchangeView): void {
  const group = madeIn(view)
  const ids = at(jsonOf(view.request), '/pipeline_transform_ids')
  if (group === undefined || view.violations.length > 0 || view.intent?.kind === 'observe') return
  if (!Array.isArray(ids) || new Set(ids).size < ids.length) return
  const listed = ids.flatMap((id) => originals.get(String(id)) ?? [])
  if (listed.length < ids.length) return
  const others = [...originals.values()].filter(({ id }) => !ids.includes(id))
  keep(groups, group, { exchange: view.id, at: view.exchange._end, listed, others })
}

function judgeGroup({ groups, changed }: Known, view: ExchangeView, oracle: Oracle): Judgement[] {
  const group = idIn(view, oracle.binding, 'group') ?? ''
  const copying = groups.get(group)
  const pointer = view.operation?.answer.transforms
  const elements = pointer === undefined || !view.accepted ? undefined : at(jsonOf(view.response), pointer)
  if (!copying || !Array.isArray(elements) || view.exchange._start < copying.at) return []
  if (elements.length !== copying.listed.length || !elements.every(isRecord)) return []
  // Elements of a group may have their fields where a transform that is read by itself has them.
  const reader = oracle.binding.operations.get(readerOf(oracle.binding, 'transform', 'read') ?? '')
  const copies = elements.map((element) => contentOf(renamed(element, reader), oracle))
  const fits = copies.map((copy) => fitting(copy, copying))
  const right = canPair(fits.map((list) => list.map((original) => copying.listed.indexOf(original))))
  const told = copies.every((copy) => copying.listed.some((one) => hasConfigOf(copy, one) || hasKindOf(copy, one)))
  if (right && !told) return []
  const originals = copying.listed.map(({ exchange }) => exchange)
  const base = {
    ...about(view),
    operation: COPYING,
    requirement: REQUIREMENT,
    exchanges: [...new Set([...originals, copying.exchange, view.id])],
    edge: `the content of ${copies.length} transforms`,
  }
  // Copies may be made in the background: what changed meanwhile may be copied in either form.
  const meanwhile = copying.listed.some(({ id }) => {
    const after = (changed.get(id) ?? 0) - copying.at
    return after > 0 && after < oracle.settleMs
  })
  if (!right && (meanwhile || !isSettled(view, copying.at, oracle))) return [{ ...base, outcome: 'inconclusive' }]
  groups.delete(group)
  if (right) return [{ ...base, outcome: 'held' }]
  return [
    {
      ...base,
      outcome: 'broken',
      message: 'what the new group holds are no copies of the transforms that were listed',
      expected: `in any order ${shown(copying.listed.map(inWords))}`,
      actual: shown(copies.map(inWords)),
    },
  ]
}

/** The listed ones that something in the group can be a copy of. What is configured as another one is a copy of that. */
function fitting(copy: Content, { listed, others }: Copying): readonly Original[] {
  const alike = [...listed, ...others].filter((original) => hasConfigOf(copy, original))
  if (alike.length === 0) return listed.filter((original) => !differs(copy, original))
  return listed.filter((original) => alike.includes(original) && !hasOtherKind(copy, original))
}

function inWords({ kind, config }: Content): Record<string, unknown> {
  return { ...(kind === undefined ? {} : { kind }), ...(isRecord(config) ? { user_config: config } : {}) }
}
