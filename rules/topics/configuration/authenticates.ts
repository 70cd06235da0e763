import { probes } from '../../../schemas/intents.ts'
import { broken, held, unclear } from '../../core/judgement.ts'
import type { ExchangeView } from '../../core/view.ts'
import { claimOf, type GroupRule } from '../../known/groups.ts'

/**
 * KEY-KEY-AUTHENTICATES: `key` of a key authenticates requests (section 'Key resource'). Which ones is not said: the run
 * tries what keys of its type are for, and it is enough that one is carried out, where the same with an unknown key is not.
 * The last try is marked as final; `intent.data.unknown`: the key is nobody's.
 */
export const authenticatesRule: GroupRule = {
  name: 'secret of a made key authenticates',
  sees: ({ intent }) => intent?.probe === probes.madeKey,
  judge(view, before) {
    if (isUnknown(view)) return []
    const claim = (views: readonly ExchangeView[]) =>
      claimOf('KEY-KEY-AUTHENTICATES', views, { operation: 'list-enterprise-keys' })
    if (view.accepted) {
      const guarded = before.findLast(isUnknown)
      return guarded && isRefused(guarded) ? [held(claim([guarded, view]))] : []
    }
    if (view.intent?.final !== true) return []
    const tried = [...before, view].filter((one) => !isUnknown(one) && !one.accepted)
    if (!tried.every(isRefused)) {
      return [unclear(claim([view]), 'not judged: a request with the key was neither carried out nor refused for it')]
    }
    return [
      broken(claim(tried), {
        message: 'the secret of a key that was made authenticates no request',
        expected: 'carried out',
        actual: `status ${view.status}, as with a key that nobody has`,
      }),
    ]
  },
}

function isUnknown({ intent }: ExchangeView): boolean {
  return intent?.data?.unknown === true
}

function isRefused({ conclusive, status }: ExchangeView): boolean {
  return conclusive && (status === 401 || status === 403)
}
