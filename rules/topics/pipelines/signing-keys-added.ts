import { broken, decide, held, type Judgement } from '../../core/judgement.ts'
import { asPromised } from '../../core/promised.ts'
import { about, type Oracle, type Rule } from '../../core/rule.ts'
import type { ExchangeView } from '../../core/view.ts'
import { shown } from '../../core/words.ts'
import { doubtOf } from '../../known/doubt.ts'
import { ADDING, countIn, isLess, type KnownKeys, keyAddedBy, PATCHING, shownKeys } from '../../known/signing-keys.ts'

/** The text does not say whether keys stand beside each other: only a binding promises that the earlier ones stay. */
const GAP = 'GAP-SIGNING-KEY-REPEAT'

/**
 * SIGNING-KEY-ADDS: a signing key is added to its route (operation rule 8). SIGNING-KEYS-KEPT: those that were there
 * before an addition stay, where a binding promises it. ROUTE-PATCH-PARTIAL: they stay with a patch that sends none.
 */
export const signingKeysAdded: Rule<KnownKeys> = {
  judge(view, known, oracle) {
    const count = countIn(view)
    if (count === undefined || view.exchange._start < known.at) return []
    if (view.operation?.id === ADDING || known.patch === undefined)
      return asPromised(judgeAddition(view, known, count, oracle), GAP, oracle)
    return view.operation?.effect === 'read' ? [judgePatch(view, known, known.patch, count, oracle)] : []
  },
}

function judgeAddition(view: ExchangeView, known: KnownKeys, count: number, oracle: Oracle): Judgement[] {
  const { least, additions, at } = known
  const claim = { ...about(view), operation: ADDING, exchanges: [...additions, view.id] }
  const kept = { ...claim, requirement: 'SIGNING-KEYS-KEPT' }
  const adds = { ...claim, requirement: 'SIGNING-KEY-ADDS' }
  const doubt = doubtOf(view, at, oracle)
  const message = 'a signing key that was added is gone after another one is added'
  const gone = { message, expected: `at least ${least} signing keys`, actual: `${count}` }
  if (view.operation?.id === ADDING) {
    // Whether the answer to an addition shows the new key as well is open: it tells of the earlier ones.
    if (keyAddedBy(view, known) === undefined || known.patch !== undefined) return []
    if (isLess(count, known)) return doubt === undefined ? [broken(kept, gone)] : []
    return least > 0 && count > least ? [held(kept)] : []
  }
  if (view.operation?.effect !== 'read' || additions.length === 0) return []
  if (count === 0) {
    const none = 'a gateway route shows no signing key after one was added'
    return [decide(adds, { message: none, expected: 'at least 1 signing key', actual: 'none' }, doubt)]
  }
  const wrong = otherKey(view, known)
  if (wrong !== undefined) {
    const message = 'a gateway route shows another signing key than the one that was added'
    return [decide(adds, { message, expected: 'the key that was sent', actual: wrong }, doubt)]
  }
  if (count < least) return doubt === undefined ? [held(adds), broken(kept, gone)] : [decide(kept, gone, doubt)]
  return count > 1 ? [held(adds), held(kept)] : [held(adds)]
}

/** What a read shows in place of the newest key; undefined: it shows it, or no keys at all. */
function otherKey(view: ExchangeView, { added }: KnownKeys): string | undefined {
  const newest = [...added].at(-1)?.trim()
  const keys = newest === undefined ? undefined : shownKeys(view)
  return keys === undefined || keys.some((key) => key.trim() === newest) ? undefined : shown(keys.at(-1))
}

function judgePatch(
  view: ExchangeView,
  { least, at }: KnownKeys,
  patch: string,
  count: number,
  oracle: Oracle,
): Judgement {
  const requirement = 'ROUTE-PATCH-PARTIAL'
  const claim = { ...about(view), operation: PATCHING, requirement, edge: 'signing keys', exchanges: [patch, view.id] }
  const message = 'a patch that sends no signing keys changes how many there are'
  const fault = count < least ? { message, expected: `at least ${least}`, actual: `${count}` } : undefined
  return decide(claim, fault, doubtOf(view, at, oracle))
}
