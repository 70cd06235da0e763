import { broken, type Claim, decide, type Fault, held, type Judgement, unclear } from '../../core/judgement.ts'
import { asPromised } from '../../core/promised.ts'
import { about, type Oracle, type Rule } from '../../core/rule.ts'
import type { ExchangeView } from '../../core/view.ts'
import { doubtOf } from '../../known/doubt.ts'
import {
  ADDING,
  additionIn,
  countIn,
  expectedIn,
  type KnownKeys,
  loses,
  PATCHING,
  sinceOf,
} from '../../known/signing-keys.ts'

/** The text does not say whether keys stand beside each other: only a binding promises that the earlier ones stay. */
const GAP = 'GAP-SIGNING-KEY-REPEAT'
const NONE: readonly Judgement[] = []

/**
 * SIGNING-KEY-ADDS: a signing key is added to its route (operation rule 8). SIGNING-KEYS-KEPT: those that were there
 * before an addition stay, where a binding promises it. ROUTE-PATCH-PARTIAL: they stay with a patch that sends none.
 */
export const signingKeysAdded: Rule<KnownKeys> = {
  name: 'signing keys are added',
  judge(view, known, oracle) {
    const count = countIn(view)
    if (count === undefined) return NONE
    if (view.operation?.id === ADDING) return asPromised(judgeAnswer(view, known, count, oracle), GAP, oracle)
    const isOld = view.operation?.effect !== 'read' || view.exchange._start < sinceOf(known)
    if (isOld) return NONE
    return known.patch
      ? judgePatch(view, known, known.patch.exchange, count, oracle)
      : asPromised(judgeRead(view, known, count, oracle), GAP, oracle)
  },
}

/** Whether the answer to an addition shows the new key as well is open: it tells of the earlier ones. */
function judgeAnswer(view: ExchangeView, known: KnownKeys, count: number, oracle: Oracle): readonly Judgement[] {
  const key = additionIn(view)
  if (key === undefined || known.added.has(key)) return NONE
  const least = known.patch ? 0 : expectedIn(known)
  const claim = claimOf(view, known, 'SIGNING-KEYS-KEPT')
  if (!known.patch && loses(known, count) && doubtOf(view, known.at, oracle) === undefined)
    return [broken(claim, gone(least, count))]
  return least > 0 && count > least ? [held(claim)] : NONE
}

function judgeRead(view: ExchangeView, known: KnownKeys, count: number, oracle: Oracle): readonly Judgement[] {
  if (known.additions.length === 0) return NONE
  const least = expectedIn(known)
  const adds = claimOf(view, known, 'SIGNING-KEY-ADDS')
  const kept = claimOf(view, known, 'SIGNING-KEYS-KEPT')
  const said = count >= 1 ? [held(adds)] : []
  if (count >= least) return count >= 2 ? [...said, held(kept)] : said
  const doubt = doubtOf(view, known.at, oracle)
  if (count > 0) return doubt === undefined ? [...said, broken(kept, gone(least, count))] : [unclear(kept, doubt)]
  const message = 'a gateway route shows no signing key after one was added'
  return [decide(adds, { message, expected: 'at least 1 signing key', actual: 'none' }, doubt)]
}

function judgePatch(view: ExchangeView, known: KnownKeys, patch: string, count: number, oracle: Oracle): Judgement[] {
  const claim = { ...about(view), operation: PATCHING, requirement: 'ROUTE-PATCH-PARTIAL', edge: 'signing keys' }
  const message = 'a patch that sends no signing keys changes how many there are'
  const fault = { message, expected: `at least ${known.count}`, actual: `${count}` }
  const isLess = count < known.count
  return [
    decide(
      { ...claim, exchanges: [patch, view.id] },
      isLess ? fault : undefined,
      doubtOf(view, sinceOf(known), oracle),
    ),
  ]
}

function claimOf(view: ExchangeView, { additions }: KnownKeys, requirement: string): Claim {
  return { ...about(view), operation: ADDING, requirement, exchanges: [...additions, view.id] }
}

function gone(least: number, count: number): Fault {
  return {
    message: 'a signing key that was added is not there any more once another one is added',
    expected: `at least ${least} signing keys`,
    actual: `${count}`,
  }
}
