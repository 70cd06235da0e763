import { ok } from '../core/message.ts'
import { invalid, notFound, Refusal, violated } from '../core/refusal.ts'
import { bodyOf, type Call, family, type Handler, param, type Route } from '../core/route.ts'
import type { Key } from '../model/configuration.ts'

/** Rule 15: every key of the enterprise. It takes neither query parameters nor a body. */
const list: Handler = (call) => {
  const [parameter] = call.query.keys()
  if (parameter !== undefined) throw new Refusal('BadRequest', `"${parameter}" is not a parameter of this request`)
  if (call.request.body.length > 0) throw new Refusal('BadRequest', 'the request takes no body')
  return ok([...call.state.enterpriseKeys.values()])
}

const create: Handler = (call) => {
  const key = makeKey(call)
  call.state.enterpriseKeys.set(key.id, key)
  return ok(key)
}

const remove: Handler = (call) => {
  const id = param(call, 'key_id')
  if (!call.state.enterpriseKeys.delete(id)) throw notFound(`there is no key ${id}`)
  return ok({ message: `key ${id} was deleted`, deleted: true })
}

/** A key from the body's `name` and the query's `type` (`ingestion` where it is not sent), held to the rules of a key. */
export function makeKey(call: Call): Key {
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
export function checkKey(call: Call, key: Key): void {
  if (key.name === '') throw invalid('/name', 'must not be empty')
  const violations = call.env.validator.violations('key', key)
  if (violations.length > 0) throw violated(violations)
}

const enterprise = family('enterprise', 'v1')

export const enterpriseKeyRoutes: readonly Route[] = [
  enterprise('list-enterprise-keys', 'GET', '/v1/enterprise/keys', list),
  enterprise('create-enterprise-key', 'POST', '/v1/enterprise/keys', create, 'key-body'),
  enterprise('delete-enterprise-key', 'DELETE', '/v1/enterprise/keys/{key_id}', remove),
]
