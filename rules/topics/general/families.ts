import type { CredentialScheme } from '../../../schemas/types/exchange.ts'
import { broken, type Judgement, unclear } from '../../core/judgement.ts'
import { claimOf, type HistoryRule, type Oracle } from '../../core/rule.ts'
import type { ExchangeView } from '../../core/view.ts'

/** scheme -> family -> the requirement that it is accepted there (section 'Authentication') */
export const ACCEPTED_BY = {
  'access-token': { v1: 'AUTH-V1-TOKEN', v2: 'AUTH-V2-TOKEN', v3: 'AUTH-V3-TOKEN' },
  'service-key': { v1: 'AUTH-V1-SERVICE-KEY', v2: 'AUTH-V2-SERVICE-KEY' },
} as const

function requirementOf(scheme: CredentialScheme, family: string): string | undefined {
  const accepted: Readonly<Partial<Record<string, Readonly<Record<string, string>>>>> = ACCEPTED_BY
  return accepted[scheme]?.[family]
}

/** Kinds of request that are good but for their credentials: a refusal is about these. */
const GOOD = new Set(['setup', 'base', 'accept', 'read', 'auth'])

/** Operations that have to refuse a credential: one alone may be beyond its rights. */
const ENOUGH = 2

/** Refusals that a finding shows. */
const MOST_SHOWN = 3

/** What one configured credential met in one family. */
interface Family {
  /** an exchange in which it was taken */
  taken?: string
  /** operation -> the newest refusal there */
  readonly refused: Map<string, ExchangeView>
}

/**
 * AUTH-V1-TOKEN and the others of the table above: a credential that works with one family of operations is no wrong one.
 * Another family to which it applies, and whose operations all refuse it, breaks its authentication. One operation that
 * takes it is enough: nothing is judged then. It keeps a state of its own, since only the end of a run tells what was
 * taken nowhere.
 */
export const familiesRule: HistoryRule<Map<string, Family>> = {
  name: 'families',
  bound: 10,
  intended: true,
  acrossCases: true,
  key: schemeOf,
  init: () => new Map(),
  step(state, view) {
    const { family = '', id = '' } = view.operation ?? {}
    const known = state.get(family) ?? { refused: new Map<string, ExchangeView>() }
    state.set(family, known)
    if (known.taken === undefined && isTaken(view)) known.taken = view.id
    else if (known.taken === undefined && isRefused(view)) known.refused.set(id, view)
    return { state, judgements: [] }
  },
  end(state, oracle) {
    const works = [...state].find(([, { taken }]) => taken !== undefined)
    if (!works) return []
    const [other, { taken = '' }] = works
    return [...state].flatMap(([family, met]) =>
      met.taken === undefined ? judge(family, [...met.refused.values()], other, taken, oracle) : [],
    )
  },
}

function judge(
  family: string,
  refused: readonly ExchangeView[],
  other: string,
  taken: string,
  oracle: Oracle,
): readonly Judgement[] {
  const last = refused.at(-1)
  const scheme = last && schemeOf(last)
  const requirement = scheme && requirementOf(scheme, family)
  if (!last || requirement === undefined || !oracle.ledger.has(requirement)) return []
  const exchanges = [taken, ...refused.slice(-MOST_SHOWN).map(({ id }) => id)]
  const claim = claimOf(requirement, [last], { exchanges })
  if (refused.length < ENOUGH) {
    const only = `${last.operation?.id}, the only operation of ${family} that was tried`
    return [unclear(claim, `not judged: the ${scheme} is refused by ${only}`)]
  }
  const statuses = [...new Set(refused.map(({ status }) => status))].sort().join(' and ')
  return [
    broken(claim, {
      message: `${family} refuses the ${scheme} that ${other} takes`,
      expected: `carried out: the ${scheme} applies to ${family} operations`,
      actual: `status ${statuses} at all ${refused.length} operations of ${family} that were tried`,
    }),
  ]
}

/** The scheme of a request that carries one configured credential, which applies to it, and is good otherwise. */
function schemeOf({ intent, operation, credentials, conclusive }: ExchangeView): CredentialScheme | undefined {
  const [label] = credentials
  if (!conclusive || label?.state !== 'configured' || credentials.length > 1) return undefined
  const applies = GOOD.has(intent?.kind ?? '') && requirementOf(label.scheme, operation?.family ?? '') !== undefined
  return applies ? label.scheme : undefined
}

/** Whether the credential was no hindrance. A redirect may lead to a login; 404 and 405 may come before credentials. */
function isTaken({ status, accepted }: ExchangeView): boolean {
  return accepted || (status >= 400 && status < 500 && ![401, 403, 404, 405].includes(status))
}

function isRefused({ status }: ExchangeView): boolean {
  return status === 401 || status === 403
}
