import type { TargetOperation } from '../../schemas/binding.ts'
import { broken, held } from '../core/judgement.ts'
import { about, type HistoryRule, type Oracle } from '../core/rule.ts'
import type { ExchangeView } from '../core/view.ts'

/** Where a request may carry what lets it in, whatever the specification calls it. */
const LETS_IN = /auth|cookie|key|token|secret|signature|session|credential|cert|jwt|iam/i

interface Guard {
  /** an accepted request with credentials: clients send them, and the recording shows them */
  readonly guarded: string | undefined
}

/**
 * Traffic: a request of an operation that carries no credentials at all is not carried out (section 'Authentication').
 * Judged only where others of the operation were accepted with credentials. Something behind the recorder that adds
 * them is not in the traffic. It stays in doubt, unless the recorded clients were alone. Wrong credentials look like
 * those of somebody else, and are not judged. It keeps a state of its own: the one fact is about an operation, not
 * about the target.
 */
export const unguardedRule: HistoryRule<Guard> = {
  name: 'unguarded',
  timeless: true,
  bound: 1_000,
  overlap: 'own',
  together: true,
  others: 'all',
  operations: ({ operations }) => [...operations.values()].filter(isGuarded).map(({ id }) => id),
  key: (view, oracle) =>
    view.exchange._case === undefined && requirementOf(view, oracle) !== undefined ? view.operation?.id : undefined,
  init: () => ({ guarded: undefined }),
  step(state, view, oracle) {
    const requirement = requirementOf(view, oracle)
    if (requirement === undefined) return { state, judgements: [] }
    if (!carriesNone(view)) {
      const shows = state.guarded === undefined && view.accepted && view.credentials.some(isRight)
      return { state: shows ? { guarded: view.id } : state, judgements: [] }
    }
    const { status, accepted } = view
    const isRefused = status === 401 || status === 403
    if (state.guarded === undefined || !(accepted || isRefused)) return { state, judgements: [] }
    const claim = { ...about(view), requirement, exchanges: [state.guarded, view.id] }
    if (isRefused) return { state, judgements: [held({ ...claim, side: 'refused' })] }
    const message = 'a request without any credentials is carried out'
    return { state, judgements: [broken(claim, { message, expected: 'refused: not 2xx', actual: `status ${status}` })] }
  },
  end: () => [],
}

/** family -> that its operations are closed to those without credentials */
const REQUIRED: Readonly<Record<string, string>> = Object.fromEntries(
  ['v1', 'v2', 'v3', 'enterprise'].map((family) => [family, `AUTH-${family.toUpperCase()}-REQUIRED`]),
)

/** How lines are authenticated is not shown, wherever their path lies. */
function isGuarded({ family, verb }: TargetOperation): boolean {
  return REQUIRED[family] !== undefined && verb !== 'send'
}

/**
 * The requirement that an operation is closed to requests without credentials, wherever its path comes from. The text
 * names all operations but sending lines. Undefined: it is open, or the operation is not known.
 */
function requirementOf({ operation }: ExchangeView, { ledger }: Oracle): string | undefined {
  if (operation === undefined || !isGuarded(operation)) return undefined
  return ledger.get(REQUIRED[operation.family] ?? '')?.id
}

function carriesNone({ exchange, credentials }: ExchangeView): boolean {
  if (credentials.length === 0 || credentials.some(({ state }) => state !== 'missing')) return false
  const { headers, queryString } = exchange.request
  return ![...headers, ...queryString].some(({ name }) => LETS_IN.test(name) && name.toLowerCase() !== ':authority')
}

function isRight({ state }: ExchangeView['credentials'][number]): boolean {
  return state === 'configured' || state === 'other'
}
