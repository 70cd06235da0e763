import type { CredentialScheme } from '../../../schemas/types/exchange.ts'
import { about, type HistoryRule, type Oracle } from '../../core/rule.ts'
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

/** What one configured credential met in one family. */
interface Family {
  /** an exchange in which it was taken */
  readonly taken: string | undefined
  /** operation -> the newest refusal there */
  readonly refused: ReadonlyMap<string, ExchangeView>
}

type Families = ReadonlyMap<string, Family>

const NOTHING: Family = { taken: undefined, refused: new Map() }

/**
 * A credential that works with one family of operations is no wrong one. Another family to which it applies, and whose
 * operations all refuse it, breaks its authentication. One operation that takes it is enough for nothing to be said.
 */
export const familiesRule: HistoryRule<Families> = {
  name: 'families',
  bound: 10,
  intended: true,
  acrossCases: true,
  key: (view) => schemeOf(view),
  init: () => new Map(),
  step(state, view) {
    const family = view.operation?.family ?? ''
    const before = state.get(family) ?? NOTHING
    if (before.taken !== undefined) return { state, judgements: [] }
    const operation = view.operation?.id ?? ''
    if (isTaken(view)) {
      return { state: new Map(state).set(family, { taken: view.id, refused: new Map() }), judgements: [] }
    }
    if (view.status !== 401 && view.status !== 403) return { state, judgements: [] }
    const refused = new Map(before.refused).set(operation, view)
    return { state: new Map(state).set(family, { taken: undefined, refused }), judgements: [] }
  },
  end(state, oracle) {
    const works = [...state].find(([, { taken }]) => taken !== undefined)
    if (!works) return []
    return [...state].flatMap(([family, { taken, refused }]) =>
      taken === undefined ? judge(family, [...refused.values()], works, oracle) : [],
    )
  },
}

function judge(
  family: string,
  refused: readonly ExchangeView[],
  [other, { taken }]: readonly [string, Family],
  oracle: Oracle,
): ReturnType<HistoryRule<Families>['end']> {
  const last = refused.at(-1)
  const scheme = last && schemeOf(last)
  const requirement = scheme && requirementOf(scheme, family)
  if (!last || requirement === undefined || !oracle.ledger.has(requirement)) return []
  const base = {
    ...about(last),
    requirement,
    exchanges: [taken ?? '', ...refused.slice(-MOST_SHOWN).map(({ id }) => id)],
  }
  if (refused.length < ENOUGH) {
    const message = `the ${scheme} is refused by ${last.operation?.id}, the only operation of ${family} that was tried`
    return [{ ...base, outcome: 'inconclusive', message }]
  }
  const statuses = [...new Set(refused.map(({ status }) => status))].sort().join(' and ')
  return [
    {
      ...base,
      outcome: 'broken',
      message: `${family} refuses the ${scheme} that ${other} takes`,
      expected: `carried out: the ${scheme} applies to ${family} operations`,
      actual: `status ${statuses} at all ${refused.length} operations of ${family} that were tried`,
    },
  ]
}

/** Refusals that a finding shows. */
const MOST_SHOWN = 3

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
