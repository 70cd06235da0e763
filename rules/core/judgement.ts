/**
 * What a rule says about one requirement after seeing exchanges.
 * held: the target kept it; broken: it did not; failed: it did not here, which counts where it was never held at the operation
 * in the whole run; doubted: it did not, unless somebody did it who is not in the traffic;
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
  | 'misfit'
  | 'discarded'
  | 'lost'

export interface Judgement {
  readonly requirement: string
  readonly outcome: Outcome
  readonly operation: string
  readonly caseId: string
  /** of a rule about inputs: a good one accepted, or a bad one refused */
  readonly side?: 'accepted' | 'refused'
  /** in traffic, somebody who is not in it could be behind this one */
  readonly others?: true
  readonly edge?: string
  readonly pointer?: string
  /** ids of the exchanges behind it; the deciding one last */
  readonly exchanges: readonly string[]
  readonly message?: string
  readonly expected?: string
  readonly actual?: string
}
