import { ok } from '../core/message.ts'
import { invalid } from '../core/refusal.ts'
import { bodyOf, family, type Handler, type Route } from '../core/route.ts'

/** The second call has to follow within this time. */
const GUARD_LIFETIME = 600_000

const status: Handler = (call) => ok({ isIngesting: !call.state.suspension.suspended })

/** The first of the two calls: suspends nothing, hands out what the second needs. An earlier token is of no use then. */
const suspend: Handler = (call) => {
  const token = call.env.newId()
  call.state.suspension.guard = { token, expiresAt: call.env.now() + GUARD_LIFETIME }
  return ok({ token })
}

/** The second call. A token is used up by it. */
const confirm: Handler = (call) => {
  const { suspension } = call.state
  const { guard } = suspension
  if (!guard || bodyOf(call).token !== guard.token || call.env.now() >= guard.expiresAt) {
    throw invalid('/token', 'is not the one of a suspension that waits to be confirmed')
  }
  suspension.guard = null
  suspension.suspended = true
  return ok({ status: 'OK' })
}

/** Also takes back a first call. */
const resume: Handler = (call) => {
  call.state.suspension.suspended = false
  call.state.suspension.guard = null
  return ok({ status: 'OK' })
}

const v1 = family('v1', 'v1')
const PATH = '/v1/config/ingestion'

export const suspensionRoutes: readonly Route[] = [
  v1('get-ingestion-status', 'GET', `${PATH}/status`, status),
  v1('suspend-ingestion', 'POST', `${PATH}/suspend`, suspend),
  v1('confirm-suspension', 'POST', `${PATH}/suspend/confirm`, confirm, 'object-body'),
  v1('resume-ingestion', 'POST', `${PATH}/resume`, resume),
]
