import type { FindingLine } from '../../schemas/types/report.ts'

/**
 * What a rule says about one requirement after seeing exchanges.
 * held: the target kept it; broken: it did not; failed: it did not here, which counts where it was never held at the operation
 * in the whole run; doubted: it did not, unless somebody did it who is not in the traffic;
 * unshown: no answer shows what was to be judged, and the binding may say where it stands (the message says how);
 * observed: never judged, only noted; inconclusive: nothing can be said; misfit: nothing can be said, as the binding does not
 * fit the target (the message says where).
 */
export type Outcome =
  | 'held'
  | 'broken'
  | 'failed'
  | 'doubted'
  | 'observed'
  | 'inconclusive'
  | 'unshown'
  | 'misfit'
  | 'discarded'
  | 'lost'

/** So many things, each seen wrong and none ever seen right, are no coincidence. */
export const ENOUGH = 3

export interface Judgement {
  readonly requirement: string
  readonly outcome: Outcome
  readonly operation: string
  readonly caseId: string
  /** of a rule about inputs: a good one accepted, or a bad one refused */
  readonly side?: 'accepted' | 'refused'
  /** in traffic: whether somebody who is not in it could be behind this one; left out: as the rule says */
  readonly others?: boolean
  readonly edge?: string
  readonly pointer?: string
  /** ids of the exchanges behind it; the deciding one last */
  readonly exchanges: readonly string[]
  readonly message?: string
  /** what spoke against the target, and was not believed for the reason that the message gives */
  readonly against?: string
  readonly expected?: string
  readonly actual?: string
  readonly lines?: readonly FindingLine[]
}

/** A judgement in words; an empty string means nothing. */
export function wordsOf({
  message = '',
  expected = '',
  actual = '',
  pointer = '',
}: Judgement): Record<'message' | 'expected' | 'actual' | 'pointer', string> {
  return { message, expected, actual, pointer }
}

/** What is judged, without how it came out. */
export type Claim = Omit<Judgement, 'outcome' | 'message' | 'against' | 'expected' | 'actual' | 'lines'>

/** What is wrong: in a sentence, and what was expected beside what came. */
export interface Fault {
  readonly message: string
  readonly expected: string
  readonly actual: string
  readonly pointer?: string
  /** of lines that were lost or doubled: those around the place */
  readonly lines?: readonly FindingLine[]
}

// New fields stand before copied ones: V8 takes a microsecond for each new field behind a copied object, and a
// fifth of that for all of them before it.

/** The target kept the requirement. */
export function held(claim: Claim): Judgement {
  return { outcome: 'held', ...claim }
}

/** The target broke it. */
export function broken(claim: Claim, fault: Fault): Judgement {
  return { ...claim, outcome: 'broken', ...fault }
}

/** No judgement. `why`: in words, for the reader of the report. */
export function unclear({ requirement, operation, caseId, exchanges, edge }: Claim, why: string): Judgement {
  const claim = { requirement, operation, caseId, exchanges, ...(edge === undefined ? {} : { edge }) }
  return { ...claim, outcome: 'inconclusive', message: why }
}

/** A finding that is not believed. `doubt`: why, in words. */
export function doubted(finding: Judgement, doubt: string): Judgement {
  return { ...unclear(finding, doubt), against: finding.message ?? '' }
}

/** How reasons begin that tell why a good value was not taken. `edge`: its name. */
export function untaken(edge: string): string {
  return `not taken (${edge}): `
}

/** Nothing was shown of it, so there was nothing to judge. `why`: what was not shown, and where a binding would name it. */
export function unshown(claim: Claim, why: string): Judgement {
  return { ...unclear(claim, why), outcome: 'unshown' }
}

/** For a gap of the text: the behaviour of the target. */
export function observed(claim: Claim, what: string): Judgement {
  return { outcome: 'observed', actual: what, ...claim }
}

/** Held where nothing is wrong; broken where something is, unless there is a doubt. */
export function decide(claim: Claim, fault: Fault | undefined, doubt?: string | undefined): Judgement {
  if (!fault) return held(claim)
  const finding = broken(claim, fault)
  return doubt === undefined ? finding : doubted(finding, doubt)
}
