import { at } from '../../../schemas/pointer.ts'
import type { HistoryRule, Rule } from '../../core/rule.ts'
import { type ExchangeView, jsonOf } from '../../core/view.ts'
import { type Attempts, attemptsOf } from '../../known/attempts.ts'
import { existenceOf } from '../../known/existence.ts'
import { type Kind, kindOf } from '../../known/kinds.ts'
import { historyOf } from '../../known/part.ts'
import type { Existence } from '../../known/things.ts'
import { refusedIsNotMade, refusedIsNotRemoved, refusedMakesNothingNew } from '../general/refused-not-carried-out.ts'
import { copiedTransformsStay, groupHoldsCopies, groupIsPlaceable } from '../pipelines/group-from-pipeline.ts'
import { type Collection, collections } from './collections.ts'
import { foundWhenMade, listedWhenMade } from './found-when-made.ts'
import { keyCreatedWhenMade } from './key-created-when-made.ts'
import { listedIsFound } from './listed-not-found.ts'
import { madeOnce } from './made-once.ts'
import { ownerStays } from './owner-stays.ts'
import { removedIsGone } from './removed-is-gone.ts'

/** Everything that is made and removed one by one. */
const ALL: readonly Collection[] = [
  ...collections,
  {
    type: 'exclusion',
    feature: 'exclusions',
    create: 'create-exclusion',
    remove: 'delete-exclusion',
    update: 'update-exclusion',
    removed: 'EXCLUSION-DELETE-REMOVES',
  },
]

/** What names one, where a binding does not say. */
const LABELS: Readonly<Record<string, string>> = {
  'preset-alert': 'name',
  'enterprise-key': 'name',
  exclusion: 'title',
}

/** The rules about one type, beside those about all. */
const MORE: Readonly<Record<string, (kind: Kind) => readonly Rule<Existence>[]>> = {
  'preset-alert': (kind) => [listedWhenMade(kind, 'PRESET-CREATE-MAKES', kind.create)],
  'enterprise-key': (kind) => [
    listedWhenMade(kind, 'ENT-KEYS-LIST-ALL', 'list-enterprise-keys'),
    keyCreatedWhenMade(kind),
  ],
  exclusion: (kind) => [listedWhenMade(kind, 'EXCLUSION-LIST', 'list-exclusions')],
  member: (kind) => [ownerStays(kind)],
  transform: (kind) => [copiedTransformsStay(kind)],
  group: (kind) => [groupHoldsCopies(kind), groupIsPlaceable],
}

/** Requests at other things that say something about one type, and the collection that they are about. */
const BESIDE: Readonly<Record<string, Readonly<Record<string, (view: ExchangeView) => string | undefined>>>> = {
  transform: {
    'create-group-from-pipeline': ({ request }) => {
      const pipeline = at(jsonOf(request), '/pipeline_id')
      return typeof pipeline === 'string' ? `pipeline_id ${pipeline}` : undefined
    },
  },
  group: { 'create-group-revision': () => '', 'add-group-to-pipeline': () => '' },
}

function rulesOf(kind: Kind, { made, got, listed, removed }: Collection): readonly Rule<Existence>[] {
  const isFound = made !== undefined || got !== undefined || listed !== undefined
  return [
    ...(isFound ? [foundWhenMade(kind, { made, got, listed })] : []),
    ...(removed === undefined ? [] : [removedIsGone(kind, removed)]),
    ...(MORE[kind.type]?.(kind) ?? []),
  ]
}

function attemptsAt(kind: Kind): readonly Rule<Attempts>[] {
  return [
    kind.named ? refusedIsNotMade(kind) : refusedMakesNothingNew(kind),
    ...(kind.remove === '' ? [] : [refusedIsNotRemoved(kind)]),
    ...(kind.type === 'preset-alert' ? [madeOnce(kind)] : []),
    ...listedIsFound(kind),
  ]
}

/** Which things exist, of each type: what was made can be found, what was removed cannot, what was refused is not done. */
export const existenceRules: readonly HistoryRule<unknown>[] = ALL.flatMap((collection) => {
  const { type, create, remove, update, others = [] } = collection
  const changes = [...(update === undefined ? [] : [update]), ...others]
  const [label, beside] = [LABELS[type] ?? '', BESIDE[type] ?? {}]
  const kind = kindOf({ type, create, remove, changes, label, named: type !== 'placed-group', beside })
  const rules = rulesOf(kind, collection)
  return [
    ...(rules.length === 0 ? [] : [historyOf(existenceOf(kind), rules) as HistoryRule<unknown>]),
    historyOf(attemptsOf(kind), attemptsAt(kind)) as HistoryRule<unknown>,
  ]
})
