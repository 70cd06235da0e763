import type { Requirement } from '../../../schemas/ledger.ts'
import type { CaseRecord } from '../../../schemas/types/case.ts'
import type { Judgement } from '../judgement.ts'
import { createTallyBook } from '../tally.ts'
import { decide, type VerdictInput, type Verdicts } from '../verdict.ts'

export const requirement = (given: Partial<Requirement> & { id: string }): Requirement => ({
  section: 'Errors',
  level: 'stated',
  category: 'pipelines',
  feature: 'pipelines',
  operations: ['update-transform'],
  text: 'text',
  provoke: 'always',
  ...given,
})
export const record = (given: Partial<CaseRecord> = {}): CaseRecord => ({
  case: 'c',
  requirements: ['R'],
  state: 'done',
  requests: 1,
  durationMs: 1,
  ...given,
})

export interface World extends Partial<Omit<VerdictInput, 'ledger' | 'tallies' | 'sides'>> {
  readonly requirements?: readonly Requirement[]
  readonly judgements?: readonly Partial<Judgement>[]
  /** sides that have to be seen of R at update-transform */
  readonly sides?: readonly ('accepted' | 'refused')[]
}

/** What is decided of a made-up run. */
export function decided({
  requirements = [requirement({ id: 'R' })],
  judgements = [{}],
  sides,
  ...given
}: World): Verdicts {
  const tallies = createTallyBook()
  for (const judgement of judgements) {
    tallies.add({
      requirement: 'R',
      outcome: 'held',
      operation: 'update-transform',
      caseId: 'c',
      exchanges: [],
      ...judgement,
    })
  }
  return decide({
    ledger: new Map(requirements.map((one) => [one.id, one])),
    tallies,
    cases: [record()],
    sides: new Map(sides ? [['R', new Map([['update-transform', sides]])]] : []),
    claimed: new Set(['pipelines']),
    operations: new Set(['update-transform', 'update-source']),
    unanswered: new Set(),
    answered: new Map(),
    only: undefined,
    strict: false,
    problems: [],
    successes: 1,
    ...given,
  })
}
