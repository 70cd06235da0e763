import { ok } from '../core/message.ts'
import { Refusal } from '../core/refusal.ts'
import { bodyOf, family, type Handler, type Route, things } from '../core/route.ts'
import type { Member } from '../model/configuration.ts'

const create: Handler = (call) => {
  const body = bodyOf<Member>(call)
  const email = String(body.email)
  if (call.state.members.has(email.toLowerCase())) throw new Refusal('Conflict', `${email} is a member already`)
  const member: Member = { email, role: body.role ?? 'member', groups: body.groups ?? [] }
  call.state.members.set(email.toLowerCase(), member)
  return ok(member)
}

const members = things(
  (state) => state.members,
  'email',
  (email) => `${email} is not an active member of the account`,
  (email) => email.toLowerCase(),
)

/** Changes role and groups where they are sent. There is one owner, who can neither be made nor unmade here. */
const update: Handler = (call) => {
  const member = members.one(call)
  const { role, groups } = bodyOf<Member>(call)
  if (role !== undefined && role !== member.role && (role === 'owner' || member.role === 'owner')) {
    throw new Refusal('Conflict', 'the ownership of the account cannot be changed')
  }
  member.role = role ?? member.role
  member.groups = groups ?? member.groups
  return ok(member)
}

/** Rule 11: takes the member out of the organisation; the owner stays. */
const remove: Handler = (call) => {
  const member = members.one(call)
  if (member.role === 'owner') throw new Refusal('Conflict', `${member.email} owns the account and cannot be removed`)
  call.state.members.delete(member.email.toLowerCase())
  return ok({ message: `${member.email} was removed from the account`, deleted: true })
}

const v1 = family('v1', 'v1')
const one = '/v1/config/members/{email}'

export const memberRoutes: readonly Route[] = [
  v1('create-member', 'POST', '/v1/config/members', create, 'member-body'),
  v1('list-members', 'GET', '/v1/config/members', members.list),
  v1('get-member', 'GET', one, members.get),
  v1('update-member', 'PUT', one, update, 'member-patch'),
  v1('delete-member', 'DELETE', one, remove),
]
