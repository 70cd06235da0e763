import { at } from '../schemas/pointer.ts'
import { allCollections, type Collection } from '../schemas/service.ts'
import type { HistoryRule, Rule } from './core/rule.ts'
import { type ExchangeView, jsonOf } from './core/view.ts'
import { existenceOf, removalOf } from './known/existence.ts'
import { type Kind, kindOf } from './known/kinds.ts'
import { historyOf } from './known/part.ts'
import type { Things } from './known/things.ts'
import { foundWhenMade, listedIsFound, listedWhenMade, madeOnce } from './topics/configuration/found-when-made.ts'
import { keyCreatedWhenMade } from './topics/configuration/keys.ts'
import { ownerStays, removedIsGone, removedTwice } from './topics/configuration/removed-is-gone.ts'
import {
  refusedIsNotMade,
  refusedIsNotRemoved,
  refusedMakesNothingNew,
} from './topics/general/refused-is-not-carried-out.ts'
import { copiedTransformsStay, groupHoldsCopies } from './topics/pipelines/copies.ts'

/** The rules about one type, beside those about all. */
const MORE: Readonly<Record<string, (kind: Kind) => readonly Rule<Things>[]>> = {
  'preset-alert': (kind) => [listedWhenMade(kind, 'PRESET-CREATE-MAKES', 'create'), madeOnce(kind)],
  'enterprise-key': (kind) => [listedWhenMade(kind, 'ENT-KEYS-LIST-ALL', 'list'), keyCreatedWhenMade(kind)],
  exclusion: (kind) => [listedWhenMade(kind, 'EXCLUSION-LIST', 'list')],
  member: (kind) => [ownerStays(kind)],
  transform: (kind) => [copiedTransformsStay(kind)],
  group: (kind) => [groupHoldsCopies(kind)],
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

function rulesOf(kind: Kind, { made, got, listed, removed, nameless }: Collection): readonly Rule<Things>[] {
  const isFound = made !== undefined || got !== undefined || listed !== undefined
  return [
    ...(isFound ? [foundWhenMade(kind, { made, read: got, list: listed })] : []),
    ...(removed === undefined ? [] : [removedIsGone(kind, removed)]),
    ...(kind.remove === '' ? [] : [refusedIsNotRemoved(kind)]),
    nameless ? refusedMakesNothingNew(kind) : refusedIsNotMade(kind),
    ...listedIsFound(kind),
    ...(MORE[kind.type]?.(kind) ?? []),
  ]
}

/**
 * Which things exist, of each type: a new thing can be found, a removed thing cannot, and a refused change is not
 * carried out.
 */
export const existenceRules: readonly HistoryRule<unknown>[] = allCollections.flatMap((collection) => {
  const { type, create, remove = '', unknown } = collection
  const kind = kindOf({ type, create, remove, beside: BESIDE[type] ?? {} })
  const twice = unknown === undefined ? [] : [historyOf(removalOf(kind), [removedTwice(kind, unknown)])]
  return [historyOf(existenceOf(kind), rulesOf(kind, collection)), ...twice] as HistoryRule<unknown>[]
})
