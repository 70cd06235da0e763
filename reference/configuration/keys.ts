import { ok } from '../core/message.ts'
import { invalid, notFound, Refusal, violated } from '../core/refusal.ts'
import { bodyOf, type Call, family, type Handler, param, type Route, things } from '../core/route.ts'
import type { Key } from '../model/configuration.ts'

/** Rule 15: every key of the enterprise. It takes neither query parameters nor a body. */
const listOfEnterprise: Handler = (call) => {
  const [parameter] = call.query.keys()
  if (parameter !== undefined) throw new Refusal('BadRequest', `"${parameter}" is not a parameter of this request`)
  if (call.request.body.length > 0) throw new Refusal('BadRequest', 'the request takes no body')
  return ok([...call.state.enterpriseKeys.values()])
}

const createForEnterprise: Handler = (call) => {
  const key = makeKey(call)
  call.state.enterpriseKeys.set(key.id, key)
  return ok(key)
}

const removeFromEnterprise: Handler = (call) => {
  const id = param(call, 'key_id')
  if (!call.state.enterpriseKeys.delete(id)) throw notFound(`there is no key ${id}`)
  return ok({ message: `key ${id} was deleted`, deleted: true })
}

/** A key from the body's `name` and the query's `type` (`ingestion` by default), checked by the rules of a key. */
function makeKey(call: Call): Key {
  const key: Key = {
    id: call.env.newId(),
    key: call.env.newId().replaceAll('-', ''),
    name: String(bodyOf(call).name),
    type: (call.query.get('type') ?? 'ingestion') as Key['type'],
    created: call.env.now(),
  }
  checkKey(call, key)
  return key
}

/** Throws a Refusal (400) where the key is not as keys have to be. */
function checkKey(call: Call, key: Key): void {
  if (key.name === '') throw invalid('/name', 'must not be empty')
  const violations = call.env.validator.violations('key', key)
  if (violations.length > 0) throw violated(violations)
}

const enterprise = family('enterprise', 'v1')

export const enterpriseKeyRoutes: readonly Route[] = [
  enterprise('list-enterprise-keys', 'GET', '/v1/enterprise/keys', listOfEnterprise),
  enterprise('create-enterprise-key', 'POST', '/v1/enterprise/keys', createForEnterprise, 'key-body'),
  enterprise('delete-enterprise-key', 'DELETE', '/v1/enterprise/keys/{key_id}', removeFromEnterprise),
]

/** Service keys of the organisation are deprecated: those that exist work, new ones are not made. */
const create: Handler = (call) => {
  const key = makeKey(call)
  if (key.type === 'service') throw new Refusal('BadRequest', 'service keys can no longer be created')
  call.state.keys.set(key.id, key)
  return ok(key)
}

const keys = things(
  (state) => state.keys,
  'organisation_key_id',
  (id) => `there is no key ${id}`,
)

const rename: Handler = (call) => {
  const key = keys.one(call)
  const renamed = { ...key, name: String(bodyOf(call).name) }
  checkKey(call, renamed)
  key.name = renamed.name
  return ok(key)
}

const remove: Handler = (call) => {
  const { id } = keys.one(call)
  call.state.keys.delete(id)
  return ok({ message: `key ${id} was deleted`, deleted: true })
}

const v1 = family('v1', 'v1')
const one = '/v1/config/keys/{organisation_key_id}'

export const keyRoutes: readonly Route[] = [
  v1('create-key', 'POST', '/v1/config/keys', create, 'key-body'),
  v1('list-keys', 'GET', '/v1/config/keys', keys.list),
  v1('get-key', 'GET', one, keys.get),
  v1('update-key', 'PUT', one, rename, 'key-body'),
  v1('delete-key', 'DELETE', one, remove),
]
