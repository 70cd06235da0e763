import { isRecord } from '../../rules/core/request-rules.ts'
import { mayBeHidden } from '../../rules/core/resembles.ts'
import type { CaseContext } from '../case.ts'

/** Stands in texts of a configuration that name something of the run's own. */
const OWN = 'assay'

type Change = Readonly<Record<string, unknown>>

/**
 * Another configuration of the same kind of node: where one names something of ours, the same with another name. Where
 * the usual body has none such, a kind that has one comes first, as the binding configures it. Whether a target takes
 * them is its own affair; it has to store the accepted ones. Nothing where the binding knows none.
 */
export function otherConfigs(context: CaseContext, body: unknown, node: string): Change[] {
  const own = isRecord(body) ? body.user_config : undefined
  if (namesOurs(own)) return [{ user_config: renamed(own) }]
  const { field, known } = kindsOf(context, node)
  const found = known.find(([, config]) => namesOurs(config))
  if (field === undefined || !found) return []
  const [kind, config] = found
  return [
    { [field]: kind, user_config: config },
    { [field]: kind, user_config: renamed(config) },
  ]
}

/** Configurations of other kinds than the body's own that have fields which its own has not; the first two. */
export function otherKinds(context: CaseContext, body: unknown, node: string): Change[] {
  const own = isRecord(body) && isRecord(body.user_config) ? body.user_config : {}
  const isOther = ({ user_config: config }: Change): boolean =>
    isRecord(config) && Object.keys(config).some((name) => !(name in own))
  return shownKinds(context, body, node).filter(isOther).slice(0, 2)
}

/** Configurations of other kinds than the body's own, without anything that a target may hide. */
export function shownKinds(context: CaseContext, body: unknown, node: string): Change[] {
  const { field, known } = kindsOf(context, node)
  if (field === undefined || !isRecord(body) || typeof body[field] !== 'string') return []
  return known.flatMap(([kind, config]) => {
    const isShown = isRecord(config) && Object.keys(config).length > 0 && !hides(config)
    return isShown && kind !== body[field] ? [{ [field]: kind, user_config: config }] : []
  })
}

function hides(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false
  return Object.entries(value).some(([name, inner]) => mayBeHidden(name) || hides(inner))
}

/** The field with the kind of a node, and the configurations that the binding has by kind, but for those of vendors. */
function kindsOf({ binding: { answers } }: CaseContext, node: string) {
  const field = answers.get(`GAP-${node.toUpperCase()}-KIND-FIELD`)?.value
  const samples = answers.get('GAP-USER-CONFIG')?.value
  const known = isRecord(samples) && isRecord(samples[node]) ? Object.entries(samples[node]) : []
  return {
    field: typeof field === 'string' ? field : undefined,
    known: known.filter(([kind]) => !kind.startsWith('vendor-')),
  }
}

function namesOurs(config: unknown): boolean {
  return isRecord(config) && JSON.stringify(config).includes(OWN)
}

function renamed(config: unknown): unknown {
  return JSON.parse(JSON.stringify(config).replaceAll(OWN, `${OWN}b`))
}
