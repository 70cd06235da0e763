import { ok } from '../core/message.ts'
import { notFound, Refusal } from '../core/refusal.ts'
import { bodyOf, type Call, family, type Handler, param, type Route } from '../core/route.ts'
import type { Key } from '../model/configuration.ts'
import { checkKey, makeKey } from './enterprise-keys.ts'

/** Service keys of the organisation are deprecated: those that exist work, new ones are not made. */
const create: Handler = (call) => {
  const key = makeKey(call)
  if (key.type === 'service') throw new Refusal('BadRequest', 'service keys can no longer be created')
  call.state.keys.set(key.id, key)
  return ok(key)
}

const list: Handler = (call) => ok([...call.state.keys.values()])

const get: Handler = (call) => ok(keyOf(call))

const rename: Handler = (call) => {
  const key = keyOf(call)
  const renamed = { ...key, name: String(bodyOf(call).name) }
  checkKey(call, renamed)
  key.name = renamed.name
  return ok(key)
}

const remove: Handler = (call) => {
  const { id } = keyOf(call)
  call.state.keys.delete(id)
  return ok({ message: `key ${id} was deleted`, deleted: true })
}

function keyOf(call: Call): Key {
  const id = param(call, 'organisation_key_id')
  const key = call.state.keys.get(id)
  if (!key) throw notFound(`there is no key ${id}`)
  return key
}

const v1 = family('v1', 'v1')
const one = '/v1/config/keys/{organisation_key_id}'

export const keyRoutes: readonly Route[] = [
  v1('create-key', 'POST', '/v1/config/keys', create, 'key-body'),
  v1('list-keys', 'GET', '/v1/config/keys', list),
  v1('get-key', 'GET', one, get),
  v1('update-key', 'PUT', one, rename, 'key-body'),
  v1('delete-key', 'DELETE', one, remove),
]
