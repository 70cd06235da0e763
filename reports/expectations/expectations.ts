import { noEvidence } from '../../rules/core/tally.ts'
import type { ExpectedFailure } from '../../schemas/types/expectations.ts'
import type { HeldTo } from '../../schemas/types/facts.ts'
import type {
  BaselineOutcome,
  ExpectationOutcome,
  OverallVerdict,
  Report,
  RequirementResult,
} from '../../schemas/types/report.ts'
import { compareReports, type NamedReport } from '../compare/compare.ts'
import { leftOpen, missingShards } from '../merge/runs.ts'

/** How a report compares with its known failures or its baseline. */
export function standingOf(
  report: Report,
  { expectations, baseline }: HeldTo,
): Pick<Report, 'expectations' | 'baseline'> {
  return {
    ...(expectations ? { expectations: holdTo(report, expectations.failures, expectations.source) } : {}),
    ...(baseline ? { baseline: sinceBaseline(report, { name: baseline.source, report: baseline.report }) } : {}),
  }
}

/** The same with an earlier report that holds no more than verdicts and reasons: how another one stands to it is the same. */
export function onlyVerdicts(held: HeldTo): HeldTo {
  const { baseline } = held
  if (!baseline) return held
  const {
    basis: _basis,
    configuration: _configuration,
    slowest: _slowest,
    traffic: _traffic,
    ...rest
  } = baseline.report
  const requirements = rest.requirements.map((result) => ({
    ...result,
    text: '',
    evidence: noEvidence(),
    findings: [],
  }))
  const report: Report = { ...rest, requirements, operations: [], leftovers: [], problems: [] }
  return { ...held, baseline: { ...baseline, report } }
}

/**
 * Holds a report to a list of known failures. A listed failure has to occur, at the operations that its entry names and
 * at no other. A listed one that does not occur is stale. A failure that is not listed is unexpected. `source` names
 * the list.
 */
export function holdTo(report: Report, failures: readonly ExpectedFailure[], source: string): ExpectationOutcome {
  const entries = new Map<string, ExpectedFailure[]>()
  for (const entry of failures) entries.set(entry.requirement, [...(entries.get(entry.requirement) ?? []), entry])
  const outcomes = report.requirements.map((result) => {
    const listed = entries.get(result.id)
    if (listed) return outcomeOf(result, listed, brokenAt(report, result))
    return result.verdict === 'fail' ? { unexpected: [result.id] } : {}
  })
  const all = (kind: keyof Kinds): string[] => outcomes.flatMap((one: Kinds) => one[kind] ?? []).sort()
  return { source, met: all('met'), unexpected: all('unexpected'), stale: all('stale'), unchecked: all('unchecked') }
}

type Kinds = Partial<Omit<ExpectationOutcome, 'source'>>

function outcomeOf(result: RequirementResult, entries: readonly ExpectedFailure[], broken: ReadonlySet<string>): Kinds {
  const { id, verdict, evidence } = result
  if (verdict === 'pass') return { stale: [id] }
  if (verdict !== 'fail' && verdict !== 'warn') return { unchecked: [id] }
  if (entries.some(({ operations }) => operations === undefined)) return { met: [id] }
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

/** The verdict of a run without its forgiven failures. The rest still counts, such as parts that were not run. */
export function verdictWithout(report: Report, forgiven: ReadonlySet<string>): OverallVerdict {
  if (report.verdict !== 'non-conformant') return report.verdict
  const failed = report.requirements.filter(({ verdict, id }) => verdict === 'fail' && !forgiven.has(id))
  if (failed.length > 0) return 'non-conformant'
  const part = report.only.length > 0 || missingShards(report.basis?.runs ?? []) !== undefined
  const open = report.requirements.some(leftOpen)
  return part || open ? 'partial' : 'conformant'
}

/** What changed since an earlier report of the same target. */
export function sinceBaseline(report: Report, baseline: NamedReport): BaselineOutcome {
  const { requirements } = compareReports([baseline, { name: 'now', report }])
  return {
    source: baseline.name,
    worse: requirements.filter(({ regression }) => regression).map(({ id }) => id),
    fixed: requirements.filter(({ change }) => change === 'fixed').map(({ id }) => id),
    known: requirements.filter(({ cells }) => cells.every(({ verdict }) => verdict === 'fail')).map(({ id }) => id),
  }
}
