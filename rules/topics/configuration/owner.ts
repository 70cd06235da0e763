import { probes } from '../../../schemas/intents.ts'
import { idIn, isSurelyWhole, listIn, readerOf } from '../../core/reads.ts'
import { about, type HistoryRule } from '../../core/rule.ts'
import type { ExchangeView } from '../../core/view.ts'
import { isSettled } from '../../known/doubt.ts'

interface Owner {
  /** addresses that a list or a read has shown */
  readonly seen: ReadonlySet<string>
  /** the owner, whose removal was tried */
  readonly tried: { readonly email: string; readonly exchange: string; readonly at: number } | undefined
}

const MOST = 1_000

/** The owner of the account cannot be removed (section 'Errors'): after a removal was tried, the owner is still there. */
export const ownerRule: HistoryRule<Owner> = {
  name: 'owner',
  bound: 1_000,
  others: ['MEMBER-DELETE-OWNER-REFUSED'],
  operations({ resources }) {
    const { read, list } = resources.get('member') ?? {}
    return ['delete-member', read, list]
  },
  key(view, { binding }) {
    const id = view.operation?.id
    if (id === 'delete-member') return isAboutOwner(view) ? 'owner' : undefined
    const { read, list } = binding.resources.get('member') ?? {}
    return id !== undefined && (id === read || id === list) ? 'owner' : undefined
  },
  init: () => ({ seen: new Set(), tried: undefined }),
  step(state, view, oracle) {
    const email = lower(idIn(view, oracle.binding, 'member'))
    if (view.operation?.id === 'delete-member') {
      const known = email !== undefined && state.seen.has(email)
      return {
        state: known ? { ...state, tried: { email, exchange: view.id, at: view.exchange._end } } : state,
        judgements: [],
      }
    }
    const lists = view.operation?.id === readerOf(oracle.binding, 'member', 'list')
    const key = oracle.binding.resources.get('member')?.key ?? 'email'
    const elements = lists && view.accepted ? listIn(view) : undefined
    const listed = elements?.map((element) => lower(element[key]))
    const read = !lists && view.accepted ? [email] : undefined
    const shown = [...(listed ?? read ?? [])].filter((one) => one !== undefined)
    const seen = new Set([...state.seen, ...shown].slice(0, MOST))
    const { tried } = state
    if (!tried || view.exchange._start < tried.at) return { state: { ...state, seen }, judgements: [] }
    const base = {
      ...about(view),
      operation: 'delete-member',
      requirement: 'MEMBER-DELETE-OWNER-REFUSED',
      edge: 'the owner stays',
      exchanges: [tried.exchange, view.id],
    }
    if (shown.includes(tried.email)) {
      return { state: { ...state, seen }, judgements: [{ ...base, outcome: 'held', side: 'refused' }] }
    }
    const notFound = !lists && email === tried.email && (view.status === 404 || view.status === 410)
    const missing = elements !== undefined && isSurelyWhole(view, elements)
    if (!notFound && !missing) return { state: { ...state, seen }, judgements: [] }
    if (!isSettled(view, tried.at, oracle)) return { state, judgements: [{ ...base, outcome: 'inconclusive' }] }
    return {
      state: { ...state, tried: undefined },
      judgements: [
        {
          ...base,
          outcome: 'broken',
          message: 'the owner of the account is gone after a removal was tried',
          expected: 'the owner is still a member',
          actual: `${lists ? 'not listed' : `status ${view.status}`}`,
        },
      ],
    }
  },
  end: () => [],
}

/** A case says so; of traffic it is known where the recording was told whose address the owner's is. */
function isAboutOwner({ intent, exchange }: ExchangeView): boolean {
  return intent?.probe === probes.owner || Object.values(exchange._roles ?? {}).includes('owner')
}

function lower(value: unknown): string | undefined {
  return typeof value === 'string' ? value.toLowerCase() : undefined
}
