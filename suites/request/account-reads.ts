import type { Binding, TargetOperation } from '../../schemas/binding.ts'
import type { CredentialScheme } from '../../schemas/types/exchange.ts'

/** Reads that change nothing and need no id: operation -> features, of which one has to be claimed. */
const READS: readonly (readonly [operation: string, features: readonly string[]])[] = [
  ['list-enterprise-keys', ['enterprise-keys']],
  ['list-usage-by-tag', ['usage-by-tag']],
  ['list-pipelines', ['pipelines']],
  ['list-preset-alerts', ['preset-alerts']],
  ['list-members', ['member-removal', 'members']],
  ['list-screens', ['screen-removal', 'screens']],
  ['list-exclusions', ['exclusion-removal', 'exclusions']],
  ['get-usage-v2', ['usage-v2']],
  ['list-boards', ['boards']],
  ['list-views', ['views']],
  ['list-categories', ['categories']],
  ['list-alerts', ['alerts']],
  ['list-keys', ['keys']],
  ['get-ingestion-status', ['suspension']],
  ['list-usage-by-app', ['usage-v1']],
  ['list-usage-by-host', ['usage-v1']],
  ['list-usage-v2-by-app', ['usage-v2']],
  ['list-usage-v2-by-host', ['usage-v2']],
  ['list-gateway-routes', ['pipelines']],
  ['list-groups', ['pipelines']],
]

/** How many of them tell whether a target can be tested; the others are for credentials that these refuse. */
const FIRST = 8

/** The reads that a target with these features offers. `first`: only those that are tried before a run. */
export function accountReads(
  binding: Binding,
  claims: (feature: string) => boolean,
  first: boolean = false,
): readonly TargetOperation[] {
  return READS.slice(0, first ? FIRST : READS.length).flatMap(([id, features]) => {
    const operation = binding.operations.get(id)
    const asked = operation?.offered === true && operation.path !== '' && features.some(claims)
    return operation && asked ? [operation] : []
  })
}

const DAY = 86_400

/** A good query of such a read. `today`: midnight UTC, in seconds. */
export function accountQuery({ id, query, parameters }: TargetOperation, today: number): Record<string, string> {
  if (!id.includes('usage')) return { ...query }
  return {
    ...query,
    [parameters.from ?? 'from']: String(today - 2 * DAY),
    [parameters.to ?? 'to']: String(today - DAY),
  }
}

/** The families of operations to which a scheme applies (section 'Authentication'), but for sending lines. */
export const FAMILIES_OF: Readonly<Record<CredentialScheme, readonly string[]>> = {
  'access-token': ['v1', 'v2', 'v3'],
  'service-key': ['v1', 'v2'],
  'enterprise-key': ['enterprise'],
  'ingestion-key': [],
  // listed as an alternative to the other two
  iam: ['v1', 'v2', 'v3'],
}
