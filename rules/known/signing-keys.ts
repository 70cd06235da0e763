import { at } from '../../schemas/pointer.ts'
import { isRecord } from '../core/request-rules.ts'
import { isStandIn } from '../core/resembles.ts'
import { type ExchangeView, isGood, jsonOf, leftAlone, toldAs } from '../core/view.ts'
import { doubtOf } from './doubt.ts'
import type { Part } from './part.ts'

export const ADDING = 'add-signing-key'
export const PATCHING = 'update-gateway-route'
const READER = 'get-gateway-route'
const OPERATIONS = [ADDING, READER, PATCHING, 'replace-gateway-route', 'delete-gateway-route']

/** What is known of the signing keys of one gateway route. Only a binding says where they are shown: they are counted. */
export interface KnownKeys {
  /** how many there are at least; 0 if unknown */
  least: number
  /** additions since the last read */
  readonly additions: readonly string[]
  /** the newest patch of the route since the last read, which sends no keys */
  readonly patch: string | undefined
  /** when the newest of these was answered */
  readonly at: number
  /** keys that were added: whether the same one can be added again is open */
  readonly added: ReadonlySet<string>
}

const UNKNOWN: KnownKeys = { least: 0, additions: [], patch: undefined, at: 0, added: new Set() }

export const signingKeys: Part<KnownKeys> = {
  name: 'signing keys',
  bound: 10_000,
  others: 'all',
  operations: () => OPERATIONS,
  key: ({ params }) => params.gateway_route_id,
  init: () => ({ ...UNKNOWN }),
  knowsNothing: ({ least, added }) => least === 0 && added.size === 0,
  learn(known, view, oracle) {
    const count = countIn(view)
    const isSettled = doubtOf(view, known.at, oracle) === undefined
    if (view.operation?.id === READER) {
      const isOld = view.exchange._start < known.at || (count !== undefined && count < known.least && !isSettled)
      if (count !== undefined && !isOld) Object.assign(known, { least: count, additions: [], patch: undefined })
      return
    }
    if (leftAlone(view)) return
    const { least, additions, patch, added } = known
    const newest = { at: view.exchange._end }
    const key = keyAddedBy(view, known)
    if (key !== undefined && !(isSettled && isLess(count, known)))
      Object.assign(known, newest, {
        least: (patch === undefined ? least : 0) + 1,
        additions: [...additions, view.id],
        patch: undefined,
        added: new Set(added).add(key),
      })
    else if (isPatch(view) && additions.length === 0 && least > 0) Object.assign(known, newest, { patch: view.id })
    else Object.assign(known, UNKNOWN)
  },
}

/** The key that an accepted request without a flaw adds, and none has before. */
export function keyAddedBy(view: ExchangeView, { added }: KnownKeys): string | undefined {
  const key = isGood(view) && view.operation?.id === ADDING ? at(jsonOf(view.request), '/key') : undefined
  return typeof key === 'string' && !added.has(key) ? key : undefined
}

/** Whether an answer shows fewer keys than there were; none at all may be all that an addition ever shows. */
export function isLess(count: number | undefined, { least, patch }: KnownKeys): boolean {
  return count !== undefined && count > 0 && patch === undefined && count < least
}

/**
 * The texts that an answer shows as the values of its signing keys. Undefined: of one of them it shows nothing, or something
 * that stands for it.
 */
export function shownKeys(view: ExchangeView): readonly string[] | undefined {
  const shown = keysIn(view)?.map((one) => (isRecord(one) ? one.key : one))
  return shown?.every((key) => typeof key === 'string' && !isStandIn(key)) ? (shown as readonly string[]) : undefined
}

/** How many signing keys an answer shows; undefined where the binding does not say where, or they are no list. */
export function countIn(view: ExchangeView): number | undefined {
  return keysIn(view)?.length
}

function keysIn(view: ExchangeView): readonly unknown[] | undefined {
  const keys = view.accepted ? toldAs(view, 'signing_keys') : undefined
  return Array.isArray(keys) ? keys : undefined
}

/** A patch changes what it sends, and no keys (operation rule 7); of all other changes nothing is known. */
function isPatch({ operation, exchange, accepted, violations, request }: ExchangeView): boolean {
  const isOne = operation?.id === PATCHING && exchange.request.method === 'PATCH' && accepted
  const body = jsonOf(request)
  return isOne && violations.length === 0 && isRecord(body) && !Object.keys(body).some((name) => /key/i.test(name))
}
