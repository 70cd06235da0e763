import { at } from '../../schemas/pointer.ts'
import { isRecord } from '../core/request-rules.ts'
import { type ExchangeView, jsonOf, leftAlone } from '../core/view.ts'
import { doubtOf } from './doubt.ts'
import type { Part } from './part.ts'

export const ADDING = 'add-signing-key'
export const PATCHING = 'update-gateway-route'
const READER = 'get-gateway-route'

/** What is known of the signing keys of one gateway route. Only a binding says where they are shown: they are counted. */
export interface KnownKeys {
  /** how many the last read has shown; 0 where nobody has looked yet */
  count: number
  /** additions since then, and when the newest was answered */
  additions: string[]
  at: number
  /** keys that were added: whether the same one can be added again is open */
  readonly added: Set<string>
  /** the newest patch since then, which sends no keys */
  patch: { readonly exchange: string; readonly at: number } | undefined
}

const OPERATIONS = [ADDING, READER, PATCHING, 'replace-gateway-route', 'delete-gateway-route']

export const signingKeys: Part<KnownKeys> = {
  name: 'signing keys',
  bound: 10_000,
  others: 'all',
  operations: () => OPERATIONS,
  key: ({ operation, params }) => (OPERATIONS.includes(operation?.id ?? '') ? params.gateway_route_id : undefined),
  init: () => ({ count: 0, additions: [], at: 0, added: new Set(), patch: undefined }),
  knowsNothing: ({ count, added }) => count === 0 && added.size === 0,
  learn(known, view, oracle) {
    const operation = view.operation?.id
    const count = countIn(view)
    if (operation === READER) {
      if (count === undefined || view.exchange._start < sinceOf(known)) return
      if (count < expectedIn(known) && doubtOf(view, sinceOf(known), oracle) !== undefined) return
      if (known.patch) known.added.clear()
      known.count = count
      known.additions = []
      known.patch = undefined
    } else if (view.accepted || !leftAlone(view)) {
      const key = additionIn(view)
      if (key !== undefined && !known.added.has(key)) {
        const isContradicted = loses(known, count) && doubtOf(view, known.at, oracle) === undefined
        if (known.patch || isContradicted) forget(known)
        if (!isContradicted) add(known, key, view)
      } else if (isPatch(view) && known.additions.length === 0 && known.count > 0) {
        known.patch = { exchange: view.id, at: view.exchange._end }
      } else forget(known)
    }
  },
}

/** The key that an accepted request without a flaw adds. */
export function additionIn(view: ExchangeView): string | undefined {
  if (view.operation?.id !== ADDING || !view.accepted || view.violations.length > 0) return undefined
  const key = view.intent?.kind === 'observe' ? undefined : at(jsonOf(view.request), '/key')
  return typeof key === 'string' ? key : undefined
}

function add(known: KnownKeys, key: string, view: ExchangeView): void {
  known.added.add(key)
  known.additions.push(view.id)
  known.at = view.exchange._end
}

function forget(known: KnownKeys): void {
  known.count = 0
  known.additions = []
  known.added.clear()
  known.patch = undefined
}

/** How many there are at least. */
export function expectedIn({ count, additions }: KnownKeys): number {
  return count + additions.length
}

export function sinceOf({ at: newest, patch }: KnownKeys): number {
  return patch?.at ?? newest
}

/** Whether the answer to an addition shows fewer keys than there were before; none at all may be all that it ever shows. */
export function loses(known: KnownKeys, count: number | undefined): boolean {
  return count !== undefined && count > 0 && count < expectedIn(known)
}

/** How many signing keys an answer shows; undefined where the binding does not say where, or they are no list. */
export function countIn(view: ExchangeView): number | undefined {
  const pointer = view.operation?.answer.signing_keys
  const keys = pointer === undefined || !view.accepted ? undefined : at(jsonOf(view.response), pointer)
  return Array.isArray(keys) ? keys.length : undefined
}

/** A patch changes what it sends, and no keys (operation rule 7); of all other changes nothing is known. */
function isPatch({ operation, exchange, accepted, violations, request }: ExchangeView): boolean {
  const isOne = operation?.id === PATCHING && exchange.request.method === 'PATCH' && accepted
  const body = jsonOf(request)
  return isOne && violations.length === 0 && isRecord(body) && !Object.keys(body).some((name) => /key/i.test(name))
}
