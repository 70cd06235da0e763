import { allCollections, operationRow } from '../../../schemas/service.ts'
import { type Claim, decide, type Fault, held, type Judgement } from '../../core/judgement.ts'
import { about, type Oracle, type Rule } from '../../core/rule.ts'
import { oneOf, shown } from '../../core/words.ts'
import { doubtOf } from '../../known/doubt.ts'
import {
  type Change,
  changesBetween,
  differing,
  isNamedSince,
  keyOf,
  type Sight,
  type Sights,
  sightsOf,
} from '../../known/sights.ts'

/**
 * A thing that nobody removed since it was read is still there. One that nobody named holds the same values (section 'What
 * the service does'). A read says how things are at any time.
 */
export const staysRule: Rule<Sights> = {
  judge(view, known, oracle) {
    if (view.operation?.effect !== 'read') return []
    return sightsOf(view, known, oracle).flatMap((after) => judgeOne(after, known, oracle))
  },
}

function judgeOne(after: Sight, known: Sights, oracle: Oracle): Judgement[] {
  const { view } = after
  const before = known.sights.get(keyOf(after.subject))
  if (!before?.there || view.exchange._start < before.view.exchange._end) return []
  const since = isNamedSince(known, before)
  if (after.there ? since.changed : since.gone) return []
  const between = changesBetween(known, before.view, view)
  const field = after.there ? differing(before, after) : undefined
  // Nothing that others were asked to do counts for a thing that is as it was.
  const isAsBefore = after.there && field === undefined
  const requirement = requirementOf(before, after.there, isAsBefore ? [] : between)
  if (requirement === undefined) return []
  const claim: Claim = {
    ...about(view),
    requirement,
    exchanges: [before.view.id, view.id],
  }
  if (isAsBefore) return [held(claim)]
  const exchanges = [before.view.id, ...between.slice(-MOST_SHOWN).map(({ exchange }) => exchange), view.id]
  const fault = faultOf(before, after, field, between)
  return [decide({ ...claim, exchanges }, fault, doubtOf(view, before.view.exchange._end, oracle))]
}

/** Most of the changes between two looks that a finding names. */
const MOST_SHOWN = 3

function faultOf(before: Sight, after: Sight, field: string | undefined, between: readonly Change[]): Fault {
  const seconds = ((after.view.exchange._start - before.view.exchange._end) / 1000).toFixed(1)
  const since = between.length === 0 ? 'nothing was sent in between' : `requests about others: ${between.length}`
  const when = `${seconds} s later; ${since}`
  const one = `${oneOf(before.subject.type)} that nobody`
  if (field === undefined) {
    const message = `${one} removed is gone ${when}`
    return { message, expected: 'there, as before', actual: `status ${after.view.status}` }
  }
  return {
    pointer: `/${field}`,
    message: `${one} named shows another ${field} ${when}`,
    expected: shown(before.values[field]),
    actual: shown(after.values[field]),
  }
}

function requirementOf({ subject: { type } }: Sight, there: boolean, between: readonly Change[]): string | undefined {
  // The text says of some operations that they touch no other thing.
  const reaching = between
    .filter((change) => change.type === type)
    .map(({ operation }) => operationRow(operation)?.reaches)
  const only = reaching.find((one) => one !== undefined)
  if (only !== undefined) return only
  if (type === 'state') return 'STATEVAR-PARTIAL'
  if (type === 'exclusion') return 'EXCLUSION-READ'
  if (type === 'status') return 'PROCESSING-STATUS-SWITCHES'
  const { made, got, listed, read } = allCollections.find((one) => one.type === type) ?? {}
  return there ? (read ?? made) : (made ?? got ?? listed ?? read)
}
