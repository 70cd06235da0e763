import { firstFindings } from '../../reports/merge/evidence.ts'
import { curlLine } from '../../reports/shell.ts'
import { shownExchange, sizeOf } from '../../reports/shown-exchange.ts'
import type { Judgement } from '../../rules/core/judgement.ts'
import { nameOfBroken } from '../../rules/core/tally.ts'
import type { RequirementVerdict } from '../../rules/core/verdict.ts'
import { sharesFor, shippedStrength } from '../../schemas/strength.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import type { Finding, RequirementResult } from '../../schemas/types/report.ts'
import type { MutantShare } from '../../schemas/types/strength.ts'
import { suiteHash } from '../hash.ts'

/** The report's entry for one requirement: its verdict, and its findings with the smallest request first. */
export function toResult(
  { requirement, verdict, reason, tally }: RequirementVerdict,
  exchanges: ReadonlyMap<string, Exchange>,
  /** the command that runs the requirement again as in this run */
  reproduce: string,
  /** kind of a credential -> the environment variable that holds it; others have the names that assay gives them */
  variables: Readonly<Record<string, string>> = {},
): RequirementResult {
  const { id, level, category, feature, section, text } = requirement
  const findings = smallest(tally.broken, (deciding) => {
    const exchange = exchanges.get(deciding)
    return exchange && sizeOf(exchange)
  }).map((judgement) => toFinding(judgement, exchanges, reproduce, variables))
  return { id, level, category, feature, section, text, verdict, reason, evidence: tally.evidence, findings }
}

function toFinding(
  judgement: Judgement,
  exchanges: ReadonlyMap<string, Exchange>,
  reproduce: string,
  variables: Readonly<Record<string, string>>,
): Finding {
  const known = judgement.exchanges.flatMap((id) => exchanges.get(id) ?? [])
  const deciding = known.at(-1)
  return {
    requirement: judgement.requirement,
    operation: judgement.operation,
    case: judgement.caseId,
    message: judgement.message ?? '',
    expected: judgement.expected ?? '',
    actual: judgement.actual ?? '',
    pointer: judgement.pointer ?? '',
    edge: judgement.edge ?? '',
    ...(deciding ? { size: sizeOf(deciding) } : {}),
    exchanges: known.map((exchange) => shownExchange(exchange, roleOf(exchange, deciding))),
    curl: deciding ? curlLine(deciding, variables) : '',
    reproduce,
  }
}

function roleOf(exchange: Exchange, deciding: Exchange | undefined): string {
  if (exchange === deciding) return 'deciding'
  return exchange._intent?.kind === 'base' ? 'twin' : 'before'
}

/**
 * The broken judgements that a report shows, those with the smallest deciding request first. `sizeOf`: of the exchange
 * with an id; undefined where it is not known. The order does not depend on that of the evidence.
 */
export function smallest(
  broken: readonly Judgement[],
  sizeOf: (deciding: string) => number | undefined,
): readonly Judgement[] {
  const sorted = broken
    .map((judgement) => ({
      judgement,
      name: nameOfBroken(judgement),
      size: sizeOf(judgement.exchanges.at(-1) ?? '') ?? Number.POSITIVE_INFINITY,
    }))
    .sort((a, b) => (a.size === b.size ? (a.name < b.name ? -1 : 1) : a.size - b.size))
    .map(({ judgement }) => judgement)
  return firstFindings(sorted)
}

let shares: ReadonlyMap<string, MutantShare> | undefined

/**
 * A verdict is worth what the suite has shown that it notices: the share of deliberate faults stands beside its
 * evidence, unless the suite has changed since it was proven.
 */
export function withStrength(
  result: RequirementResult,
  known: ReadonlyMap<string, MutantShare> = shareOfThisSuite(),
): RequirementResult {
  const mutants = known.get(result.id)
  return mutants ? { ...result, evidence: { ...result.evidence, mutants } } : result
}

function shareOfThisSuite(): ReadonlyMap<string, MutantShare> {
  shares ??= sharesFor(suiteHash(), shippedStrength())
  return shares
}
