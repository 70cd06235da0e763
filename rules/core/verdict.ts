import { isClaimed } from '../../schemas/features.ts'
import type { Requirement } from '../../schemas/ledger.ts'
import { specifiedOperations } from '../../schemas/operations.ts'
import type { CaseRecord } from '../../schemas/types/case.ts'
import type { Bodies, OverallVerdict, Verdict } from '../../schemas/types/report.ts'
import { ENOUGH, untaken } from './judgement.ts'
import { entryToSet, LEFT_OUT, leavesOpen, notRun } from './not-run.ts'
import type { Side, SideIndex } from './sides.ts'
import type { Tally, TallyBook } from './tally.ts'

/** Everything that a verdict depends on. */
export interface VerdictInput {
  readonly ledger: ReadonlyMap<string, Requirement>
  readonly tallies: TallyBook
  readonly cases: readonly CaseEnd[]
  readonly sides: SideIndex
  /** features that the target claims */
  readonly claimed: ReadonlySet<string>
  /** operations of the specification that belong to a claimed feature */
  readonly operations: ReadonlySet<string>
  readonly unanswered: ReadonlySet<string>
  /** gap -> where a binding answers it; see `answerPlaces` */
  readonly answered: ReadonlyMap<string, string>
  /** undefined: everything; else only these requirements were run, at these operations */
  readonly only: { readonly requirements: ReadonlySet<string>; readonly operations: ReadonlySet<string> } | undefined
  readonly strict: boolean
  /** the part that was left to other runs, in words: 'shard 2 of 4 is missing'; undefined: nothing */
  readonly missing?: string | undefined
  /** errors of the run itself */
  readonly problems: readonly string[]
  /** traffic: nobody provoked anything on purpose; left out: a run */
  readonly source?: 'traffic'
  /** whole 2xx answers in the run */
  readonly successes: number
  /** good requests with a body, and how many of them were answered with success; left out: not known */
  readonly bodies?: Bodies | undefined
}

/** How a case ended, as far as verdicts care. */
export type CaseEnd = Pick<CaseRecord, 'case' | 'requirements' | 'state' | 'reason' | 'gap' | 'detail' | 'notOffered'> &
  Partial<Pick<CaseRecord, 'durationMs'>>

export interface RequirementVerdict {
  readonly requirement: Requirement
  readonly verdict: Verdict
  /** 'reason: detail' where nothing was judged; else empty */
  readonly reason: string
  readonly tally: Tally
}

export interface Verdicts {
  readonly requirements: readonly RequirementVerdict[]
  readonly overall: OverallVerdict
  /** why not conformant, in one sentence */
  readonly reason: string
  /** operations of claimed features of which no good request succeeded in this run: it is not to be taken for a good one */
  readonly neverSucceeded: readonly string[]
}

/** The note about cases that never came to an end: a worker was lost. Nothing where none was. */
export function lostCases(expected: readonly string[], ended: readonly CaseEnd[]): string[] {
  const known = new Set(ended.map((record) => record.case))
  const lost = expected.filter((id) => !known.has(id)).sort()
  return lost.length === 0 ? [] : [`${lost.length} cases did not come to an end, such as ${lost[0]}`]
}

/** Exchanges became judgements; this alone turns judgements into verdicts, the same way for every command. */
export function decide(input: VerdictInput): Verdicts {
  const requirements = [...input.ledger.values()].map((requirement) => decideOne(requirement, input))
  const never = neverSucceeded(input)
  return { requirements, ...overall(requirements, input, never), neverSucceeded: never }
}

function decideOne(requirement: Requirement, input: VerdictInput): RequirementVerdict {
  const tally = input.tallies.of(requirement.id)
  const result = (verdict: Verdict, reason = ''): RequirementVerdict => ({ requirement, verdict, reason, tally })
  if (requirement.level === 'open') {
    if (Object.keys(tally.evidence.observations).length > 0) return result('observed')
    if (input.only && !input.only.requirements.has(requirement.id)) return result('not-run', LEFT_OUT)
    const place = input.answered.get(requirement.id)
    if (place !== undefined) return result('not-run', `answered: answered by the binding (${place})`)
    const cases = input.cases.filter(({ requirements }) => requirements.includes(requirement.id))
    return result('not-run', whyNot(requirement, tally, cases, [], input))
  }
  if (!isClaimed(requirement, input.claimed)) {
    return result('not-run', notRun('not-claimed', `the feature ${requirement.feature} is not claimed`))
  }
  if (input.only && !input.only.requirements.has(requirement.id)) {
    return result('not-run', LEFT_OUT)
  }
  if (tally.evidence.broken > 0) return result(requirement.level === 'stated' || input.strict ? 'fail' : 'warn')
  const { misfit } = tally.evidence
  if (misfit !== undefined) return result('not-run', notRun('answer-does-not-fit', misfit))
  const cases = input.cases.filter(({ requirements }) => requirements.includes(requirement.id))
  const failed = cases.find(({ state }) => state === 'error')
  if (failed) return result('error', errorOf(failed))
  const missing = missingSides(requirement, tally, input)
  if (tally.evidence.judged > 0 && missing.length === 0 && !isDoubtful(tally)) return result('pass')
  return result('not-run', whyNot(requirement, tally, cases, missing, input))
}

/** What has still to be seen of a requirement. */
interface Missing {
  readonly operation: string
  /** undefined: anything */
  readonly side: Side | undefined
}

const ACCEPTED = 'accepted '

/**
 * The operations, and the sides, at which a requirement has still to be seen. Rules about inputs and credentials have to
 * be seen at every operation that they hold for; of a run, with each of their values. Others, such as the shape of errors,
 * count wherever they occur.
 */
function missingSides(requirement: Requirement, tally: Tally, input: VerdictInput): Missing[] {
  const wanted = input.sides.get(requirement.id)
  const relevant = requirement.operations.filter(
    (id) => input.operations.has(id) && (input.only?.operations.has(id) ?? true),
  )
  return relevant.flatMap((operation): Missing[] => {
    const seen = tally.sides.get(operation)
    if (!wanted) return requirement.category === 'authentication' && !seen ? [{ operation, side: undefined }] : []
    const sides =
      wanted.get(operation)?.filter((side) => input.source !== 'traffic' || !side.startsWith(ACCEPTED)) ?? []
    return sides.filter((side) => !seen?.has(side)).map((side) => ({ operation, side }))
  })
}

/** '`enum local` was never taken at update-source: status 403, 12 times'; undefined: no value of its own is missing. */
function inWords(missing: readonly Missing[], { evidence: { unclear = {} } }: Tally): string | undefined {
  const [side] = missing.flatMap((one) => (one.side?.startsWith(ACCEPTED) ? [one.side] : []))
  if (side === undefined) return undefined
  const edge = side.slice(ACCEPTED.length)
  const begin = untaken(edge)
  const answers = Object.entries(unclear).filter(([why]) => why.startsWith(begin))
  const told = answers.map(([why, times]) => `${why.slice(begin.length)}, ${times} times`).join('; ')
  const where = missing.flatMap((one) => (one.side === side ? [one.operation] : []))
  return `\`${edge}\` was never taken at ${where.join(', ')}: ${told === '' ? 'it was not tried' : told}`
}

function whyNot(
  requirement: Requirement,
  tally: Tally,
  cases: readonly CaseEnd[],
  missing: readonly Missing[],
  input: VerdictInput,
): string {
  if (requirement.provoke === 'never') return notRun('not-observable', requirement.why ?? 'it cannot be seen over HTTP')
  const against = mostOften(tally.evidence.against)
  // Nothing else is the reason of what would have failed but for a doubt.
  if (against !== undefined && tally.evidence.judged === 0) return notRun('inconclusive', against)
  const declined = cases.flatMap((one) => declinedIn(one, requirement))
  if (declined[0] !== undefined && declined.length === cases.length) return notRun('not-offered', declined[0])
  const gap = requirement.needs?.find((id) => input.unanswered.has(id))
  if (gap !== undefined) return notRun('gap-unanswered', gap)
  const skipped = cases.find(({ state, reason }) => state === 'not-run' && reason !== 'not-offered')
  if (skipped) return notRun(skipped.reason ?? 'inconclusive', skipped.gap ?? skipped.detail ?? skipped.case)
  const beside = cases.map(({ notOffered = {} }) => Object.entries(notOffered)[0])
  if (beside[0] && !beside.includes(undefined) && tally.evidence.judged === 0)
    return notRun('answer-does-not-fit', wordsFor(...beside[0]))
  if (input.missing !== undefined) return notRun('disabled', input.missing)
  if (isDoubtful(tally)) return notRun('inconclusive', inDoubt(tally))
  const why = mostOften(tally.evidence.unclear)
  if (missing.length > 0 && tally.evidence.judged > 0) {
    const where = [...new Set(missing.map(({ operation }) => operation))].join(', ')
    const what = inWords(missing, tally) ?? `not seen whole at ${where}${why === undefined ? '' : ` (${why})`}`
    return notRun('inconclusive', what)
  }
  if (tally.evidence.inconclusive > 0) return notRun('inconclusive', why ?? 'no response allowed a judgement')
  const silent = requirement.level === 'open' ? 'nothing was observed' : 'it did not occur'
  const how = why ?? (input.source === 'traffic' ? 'it was not seen in this traffic' : silent)
  return notRun('not-provoked', requirement.provoke === 'if-seen' ? (requirement.why ?? how) : how)
}

/** The reason that was given most often for nothing being said. */
function mostOften(reasons: Readonly<Record<string, number>> = {}): string | undefined {
  const [first] = Object.entries(reasons).sort(([, one], [, other]) => other - one)
  return first?.[0]
}

/** Why a case could not show a requirement: the binding declines what it was to be shown by. At most one. */
function declinedIn({ state, reason, detail = '', notOffered = {} }: CaseEnd, { operations }: Requirement): string[] {
  if (state === 'not-run') return reason === 'not-offered' ? [detail] : []
  const operation = operations.find((id) => notOffered[id] !== undefined)
  return operation === undefined ? [] : [wordsFor(operation, notOffered[operation] ?? '')]
}

function wordsFor(operation: string, place: string): string {
  return `${operation} is not offered (${place})`
}

/** One thing that somebody else may have changed says little; that it happens again and again leaves nothing to pass. */
function isDoubtful({ evidence }: Tally): boolean {
  return (evidence.doubted ?? 0) >= ENOUGH
}

function inDoubt({ evidence }: Tally): string {
  const { doubted = 0, judged } = evidence
  return `broken ${doubted} times and held ${judged} times; another client may have done it (--alone rules that out)`
}

/** The first line: a stack follows it. */
function errorOf({ case: id, detail }: CaseEnd): string {
  return `${id}: ${detail?.split('\n')[0] ?? 'the case failed'}`
}

/**
 * Operations of claimed features, of those with a path in the text, of which no good request ever succeeded. Not those that
 * somebody left out of the run, nor what traffic has none of.
 */
function neverSucceeded({ ledger, operations, tallies, only, source, missing, cases }: VerdictInput): string[] {
  if (source === 'traffic' || missing !== undefined) return []
  return specifiedOperations().flatMap(({ id, response: { statusRequirement } }) => {
    if (!operations.has(id) || !ledger.has(statusRequirement)) return []
    if (only && !(only.operations.has(id) && only.requirements.has(statusRequirement))) return []
    const { sides, brokenAt, failedAt } = tallies.of(statusRequirement)
    // One that is carried out and answered with another status of success has worked.
    if (sides.has(id) || (brokenAt.get(id) ?? 0) > (failedAt.get(id) ?? 0)) return []
    const own = cases.filter(({ requirements }) => requirements.includes(statusRequirement))
    return own.length > 0 && own.every(({ reason }) => reason === 'disabled') ? [] : [id]
  })
}

/** What is missing of a whole verdict, and what would make it one. */
function whyPartial(
  open: readonly RequirementVerdict[],
  never: readonly string[],
  source: VerdictInput['source'],
): string {
  const one = open.length === 1
  const count = `${open.length} stated requirement${one ? '' : 's'} ${one ? 'was' : 'were'} not`
  if (source === 'traffic')
    return `${count} seen whole in this traffic, such as ${open[0]?.requirement.id}; to be conformant: record more, or run \`assay certify\``
  const works = never.length === 0 ? '' : `no good request of ${listed(never)} succeeded, and `
  return `${works}${count} run; to be conformant: ${remedies(open)}`
}

/** What became of the requirements that --only selected. */
function wordsOfPart(results: readonly RequirementVerdict[], open: readonly RequirementVerdict[]): string {
  const [first, ...rest] = results.filter(({ verdict }) => verdict === 'pass')
  const passed =
    rest.length > 0 ? `${rest.length + 1} requirements pass` : `${first?.requirement.id ?? 'nothing'} passes`
  return open.length === 0 ? passed : `${passed}, ${open.length} stated not run: ${remedies(open)}`
}

/** Of traffic: why nothing of it could be judged, and what to do. */
function whyNothing({ source, claimed }: VerdictInput): string {
  if (source !== 'traffic') return ''
  if (claimed.size === 0) return ': the binding knows no operation of these requests; give one that does with --binding'
  return `: no response shows a requirement of ${listed([...claimed].sort())}; record more, or claim others with --features`
}

/** What a person can do about requirements that were not run, what helps the most of them first. */
function remedies(open: readonly RequirementVerdict[]): string {
  const kinds = new Map<string, { readonly what: Set<string>; count: number }>()
  for (const result of open) {
    const [kind, what] = remedyOf(result)
    const known = kinds.get(kind) ?? { what: new Set(), count: 0 }
    known.what.add(what)
    known.count += 1
    kinds.set(kind, known)
  }
  return [...kinds]
    .sort(([, a], [, b]) => b.count - a.count)
    .map(([kind, { what, count }]) => `${kind.replace('…', listed([...what]))} (${count})`)
    .join('; ')
}

function remedyOf({ requirement, reason }: RequirementVerdict): readonly [kind: string, what: string] {
  const kind = reason.split(':')[0] ?? ''
  const whole = reason.slice(kind.length + 2)
  const detail = whole.length > LONGEST_DETAIL ? `${whole.slice(0, LONGEST_DETAIL)}…` : whole
  const setting = /\b(?:consent|resources|credentials)\.\w+/.exec(detail)?.[0]
  const gap = /GAP-[A-Z0-9-]+/.exec(detail)?.[0]
  const flag = /--[a-z-]+/.exec(detail)?.[0]
  if (kind === 'no-consent' && setting !== undefined) return ['give …', setting]
  if (kind === 'no-resource' && setting !== undefined) return ['set …', setting]
  if (gap !== undefined) return ['answer … in the binding', gap]
  const entry = entryToSet(detail)
  if (entry !== undefined) return ['set … in the binding', entry]
  if (kind === 'disabled' && flag !== undefined) return [flag.startsWith('--max') ? 'raise …' : 'run without …', flag]
  if (kind === 'answer-does-not-fit' || kind === 'gap-unanswered') return ['mend the binding: …', detail]
  return ['find out why: …', detail === '' ? requirement.id : `${requirement.id} (${detail})`]
}

const MOST_LISTED = 3
const LONGEST_DETAIL = 160

function listed(names: readonly string[]): string {
  const rest = names.length - MOST_LISTED
  return rest > 0 ? `${names.slice(0, MOST_LISTED).join(', ')} and ${rest} more` : names.join(', ')
}

/** So many requests with a body, all of them failing, are no whim of one operation. */
const MANY = 10

function overall(
  results: readonly RequirementVerdict[],
  input: VerdictInput,
  never: readonly string[],
): Pick<Verdicts, 'overall' | 'reason'> {
  const [problem] = input.problems
  if (problem !== undefined) return { overall: 'invalid', reason: problem }
  const errors = results.filter(({ verdict }) => verdict === 'error')
  if (errors[0]) return { overall: 'invalid', reason: `${errors[0].requirement.id}: ${errors[0].reason}` }
  // A case may fail whose requirements were found broken all the same, or are never judged.
  const broken = input.cases.find(({ state }) => state === 'error')
  if (broken) return { overall: 'invalid', reason: errorOf(broken) }
  if (input.successes === 0) return { overall: 'invalid', reason: 'no request succeeded, so nothing was tested' }
  const failed = results.filter(({ verdict }) => verdict === 'fail')
  if (failed[0]) {
    const named = failed.slice(0, 3).map(({ requirement }) => requirement.id)
    const more = failed.length > 3 ? ` and ${failed.length - 3} more` : ''
    return { overall: 'non-conformant', reason: `${named.join(', ')}${more} failed` }
  }
  const { sent = 0, accepted = 0 } = input.bodies ?? {}
  if (sent >= MANY && accepted === 0) {
    const reason = `none of ${sent} good requests with a body succeeded, so hardly anything was tested`
    return { overall: 'invalid', reason }
  }
  // A part of a run may have seen something of many requirements, and nothing whole.
  const looked = input.missing !== undefined && results.some(({ tally }) => tally.evidence.judged > 0)
  if (!looked && results.every(({ verdict }) => verdict !== 'pass' && verdict !== 'warn'))
    return { overall: 'invalid', reason: `nothing could be judged${whyNothing(input)}` }
  if (input.missing !== undefined)
    return { overall: 'partial', reason: `${input.missing}; to be conformant: merge the report of each shard` }
  const open = results.filter(({ requirement: { level, provoke }, verdict, reason }) =>
    leavesOpen({ level, provoke, verdict, reason }),
  )
  if (input.only) return { overall: 'partial', reason: `only a part was run (--only): ${wordsOfPart(results, open)}` }
  if (open.length > 0) return { overall: 'partial', reason: whyPartial(open, never, input.source) }
  return { overall: 'conformant', reason: '' }
}
