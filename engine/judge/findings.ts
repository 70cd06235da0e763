import { resultOf } from '../../reports/build.ts'
import { firstFindings } from '../../reports/merge/evidence.ts'
import { curlLine } from '../../reports/shell.ts'
import { shownExchange } from '../../reports/shown-exchange.ts'
import { type Judgement, wordsOf } from '../../rules/core/judgement.ts'
import { nameOfBroken } from '../../rules/core/tally.ts'
import type { RequirementVerdict } from '../../rules/core/verdict.ts'
import { sizeOf } from '../../rules/core/view.ts'
import { sharesFor, shippedStrength } from '../../schemas/strength.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import type { Finding, RequirementResult } from '../../schemas/types/report.ts'
import type { MutantShare } from '../../schemas/types/strength.ts'
import { suiteHash } from '../hash.ts'

/** The exchanges behind findings. */
export interface Shown {
  /** by id */
  readonly exchanges: ReadonlyMap<string, Exchange>
  /** id of the one that decides -> ids of those that prepared what it is about, in their order */
  readonly setups: ReadonlyMap<string, readonly string[]>
  /** id of the one that decides -> ids of the steps of a short walk before it, in their order */
  readonly steps: ReadonlyMap<string, readonly string[]>
  /** id of the one that decides -> its size, with that of the walk before it */
  readonly sizes: ReadonlyMap<string, number>
}

export const NOTHING_SHOWN: Shown = { exchanges: new Map(), setups: new Map(), steps: new Map(), sizes: new Map() }

/** By operation: how the target calls the fields that the specification, or a binding, calls otherwise. */
export type FieldNames = ReadonlyMap<string, { readonly fields: Readonly<Record<string, string>> }>

/** The report's entry for one requirement: its verdict, and its findings with the smallest request first. */
export function toResult(
  verdict: RequirementVerdict,
  shown: Shown,
  /** the command that runs the requirement again as in this run, by the case that showed it */
  reproduce: (caseId: string) => string,
  /** kind of a credential -> the environment variable that holds it; others have the names that assay gives them */
  variables: Readonly<Record<string, string>> = {},
  /** operation -> our name of a field -> the target's */
  names: FieldNames = new Map(),
): RequirementResult {
  const findings = smallest(verdict.tally.broken, (deciding) => shown.sizes.get(deciding)).map((judgement) =>
    toFinding(judgement, shown, reproduce(judgement.caseId), { variables, names }),
  )
  return resultOf(verdict, findings)
}

/** A broken judgement as a report shows it. `exchanges`: by id, at least those that it names. */
export function toFinding(
  judgement: Judgement,
  { exchanges, setups, steps, sizes }: Shown,
  reproduce: string,
  { variables, names }: { variables: Readonly<Record<string, string>>; names: FieldNames },
): Finding {
  const last = judgement.exchanges.at(-1) ?? ''
  const walked = steps.get(last) ?? []
  const ids = new Set([
    ...(setups.get(last) ?? []),
    ...walked,
    ...judgement.exchanges.filter((id) => id !== last),
    last,
  ])
  const known = [...ids].flatMap((id) => exchanges.get(id) ?? [])
  const deciding = exchanges.get(last) ?? known.at(-1)
  const field = judgement.pointer?.split('/')[1] ?? ''
  const here = [deciding?._operation, judgement.operation].flatMap((id) => names.get(id ?? '')?.fields[field] ?? [])[0]
  return {
    requirement: judgement.requirement,
    operation: judgement.operation,
    case: judgement.caseId,
    ...wordsOf(judgement),
    ...(here === undefined || here === field ? {} : { here }),
    edge: judgement.edge ?? '',
    ...(deciding ? { size: sizes.get(last) ?? sizeOf(deciding) } : {}),
    ...(judgement.lines ? { lines: judgement.lines.map((line) => ({ ...line })) } : {}),
    exchanges: known.map((exchange) =>
      shownExchange(exchange, walked.includes(exchange._id) ? 'step' : roleOf(exchange, deciding)),
    ),
    curl: deciding ? curlLine(deciding, variables) : '',
    reproduce,
  }
}

/** What an exchange was for, seen from the one that decides. */
export function roleOf(exchange: Exchange, deciding: Exchange | undefined): string {
  if (exchange === deciding) return 'deciding'
  const { _intent: intent, _operation: operation } = exchange
  if (intent?.kind === 'setup') return 'setup'
  if (deciding && isControl(exchange, deciding)) return 'control'
  if (intent?.probe === 'parallel' && intent.kind !== 'read') return 'parallel'
  return operation === PAGED && deciding?._operation === PAGED ? 'page' : 'before'
}

const PAGED = 'export-v2'
/** Kinds of requests that differ from a good one in one place. */
const DIFFERING = new Set(['accept', 'refuse', 'auth', 'provoke'])

/** Whether one is the same request with the good value, accepted, and not only a good request of the same case. */
function isControl(one: Exchange, deciding: Exchange): boolean {
  const [good, tried] = [one._intent, deciding._intent]
  if (good?.kind !== 'base' || !tried || !DIFFERING.has(tried.kind) || good.group !== tried.group) return false
  if (one._operation !== deciding._operation || one.request.method !== deciding.request.method) return false
  if (one.response.status < 200 || one.response.status >= 300) return false
  // A request that was only sent again after a change has no good value.
  const same = one.request.url === deciding.request.url
  return !same || one.request.postData?.text !== deciding.request.postData?.text || tried.kind === 'auth'
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
 * A verdict is worth as much as the suite notices. So the share of noticed faults is shown beside its evidence, unless
 * the suite has changed since.
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
