import { probes } from '../../../schemas/records/intents.ts'
import { broken, held } from '../../core/judgement.ts'
import type { ExchangeView } from '../../core/view.ts'
import { claimOf, type GroupRule, since } from '../../known/groups.ts'

/** Statuses that may refuse the form of a request. */
const OF_THE_FORM = new Set([400, 415, 422, 500])

/**
 * A request in the form that the text states, or that the binding gives, was refused, while the same request in another
 * form was carried out, and the stated one was refused again after it: then the form was refused, and not something that
 * was not ready. The intent of the stated form is a base that names the requirement (such as USAGE-V1-TIMES), that of
 * other forms has the probe `other-form`.
 */
export const formsRule: GroupRule = {
  name: 'stated form is taken',
  sees: (view) => view.intent?.requirement !== undefined && (isStated(view) || isOther(view)),
  judge(view, before) {
    if (isOther(view)) return []
    const requirement = view.intent?.requirement ?? ''
    const edge = view.intent?.edge ?? ''
    if (view.accepted) return [held(claimOf(requirement, [view], { edge }))]
    if (!isRefused(view)) return []
    const same = before.filter(({ intent }) => intent?.requirement === requirement)
    const tried = since(same, (one) => isStated(one) && one.accepted)
    const other = tried.findLast((one) => isOther(one) && one.accepted)
    const refused = other && tried.slice(0, tried.indexOf(other)).findLast(isRefused)
    if (!refused || !other) return []
    return [
      broken(claimOf(requirement, [refused, other, view], { edge }), {
        message: 'the stated form is refused, while another one is taken',
        expected: 'the stated form is taken',
        actual: `status ${view.status}`,
      }),
    ]
  },
}

function isStated({ intent }: ExchangeView): boolean {
  return intent?.data?.form === true
}

function isOther({ intent }: ExchangeView): boolean {
  return intent?.probe === probes.otherForm
}

function isRefused(view: ExchangeView): boolean {
  return isStated(view) && view.conclusive && OF_THE_FORM.has(view.status)
}
