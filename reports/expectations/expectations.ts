import type { ExpectedFailure } from '../../schemas/types/expectations.ts'
import type { ExpectationOutcome, Report, RequirementResult } from '../../schemas/types/report.ts'

/**
 * Holds a report to a list of known failures. A listed failure has to occur, at the operations that its entry names and
 * at no other. A listed one that does not occur is stale. A failure that is not listed is unexpected. `source` names
 * the list.
 */
export function holdTo(report: Report, failures: readonly ExpectedFailure[], source: string): ExpectationOutcome {
  const entries = new Map<string, ExpectedFailure[]>()
  for (const entry of failures) entries.set(entry.requirement, [...(entries.get(entry.requirement) ?? []), entry])
  const outcome = { met: [] as string[], unexpected: [] as string[], stale: [] as string[], unchecked: [] as string[] }
  for (const result of report.requirements) {
    const listed = entries.get(result.id)
    if (!listed) {
      if (result.verdict === 'fail') outcome.unexpected.push(result.id)
      continue
    }
    const kind = outcomeOf(result, listed, brokenAt(report, result))
    for (const name of kind.met) outcome.met.push(name)
    for (const name of kind.unexpected) outcome.unexpected.push(name)
    for (const name of kind.stale) outcome.stale.push(name)
    for (const name of kind.unchecked) outcome.unchecked.push(name)
  }
  return {
    source,
    met: outcome.met.sort(),
    unexpected: outcome.unexpected.sort(),
    stale: outcome.stale.sort(),
    unchecked: outcome.unchecked.sort(),
  }
}

type Kinds = Readonly<Record<'met' | 'unexpected' | 'stale' | 'unchecked', readonly string[]>>

const NONE: Kinds = { met: [], unexpected: [], stale: [], unchecked: [] }

function outcomeOf(result: RequirementResult, entries: readonly ExpectedFailure[], broken: ReadonlySet<string>): Kinds {
  const { id, verdict, evidence } = result
  if (verdict === 'pass') return { ...NONE, stale: [id] }
  if (verdict !== 'fail' && verdict !== 'warn') return { ...NONE, unchecked: [id] }
  const everywhere = entries.some(({ operations }) => operations === undefined)
  if (everywhere) return { ...NONE, met: [id] }
  const named = new Set(entries.flatMap(({ operations = [] }) => operations))
  const others = [...broken].filter((operation) => !named.has(operation))
  const holding = [...named].filter((operation) => !broken.has(operation))
  const stale = holding.filter((operation) => (evidence.operations[operation] ?? 0) > 0)
  return {
    met: others.length === 0 && [...named].some((operation) => broken.has(operation)) ? [id] : [],
    unexpected: others.length === 0 || verdict === 'warn' ? [] : [id],
    stale: stale.map((operation) => `${id} at ${operation}`),
    unchecked: holding.filter((operation) => !stale.includes(operation)).map((operation) => `${id} at ${operation}`),
  }
}

/** The operations at which a requirement was broken. */
function brokenAt({ basis }: Report, { id, findings }: RequirementResult): Set<string> {
  return new Set([...Object.keys(basis?.broken[id] ?? {}), ...findings.map(({ operation }) => operation)])
}

/** The entries that would list these failures, ready to be pasted under `failures`. */
export function entriesFor(report: Report, ids: readonly string[]): ExpectedFailure[] {
  const wanted = new Set(ids)
  return report.requirements
    .filter(({ id }) => wanted.has(id))
    .map((result) => {
      const [first, ...others] = [...brokenAt(report, result)].filter((operation) => operation !== '').sort()
      return { requirement: result.id, ...(first === undefined ? {} : { operations: [first, ...others] }), why: '' }
    })
}
