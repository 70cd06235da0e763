import type { Evidence } from '../schemas/types/report.ts'
import type { Judgement } from './judgement.ts'

/** What was found about one requirement. */
export interface Tally {
  readonly evidence: Evidence
  /** broken judgements that are kept, the newest of each case and edge; see `broken` in the evidence for their number */
  readonly broken: readonly Judgement[]
  /** operation -> sides seen held there */
  readonly sides: ReadonlyMap<string, ReadonlySet<string>>
}

/** Adds judgements up, in memory that does not grow with their number. */
export interface TallyBook {
  add(judgement: Judgement): void
  of(requirement: string): Tally
}

const MOST_FINDINGS = 40
const MOST_EDGES = 120
const MOST_OBSERVATIONS = 80

interface Entry {
  readonly evidence: Evidence & { edges: string[] }
  readonly edges: Set<string>
  readonly broken: Map<string, Judgement>
  readonly sides: Map<string, Set<string>>
}

export function createTallyBook(): TallyBook {
  const entries = new Map<string, Entry>()
  const entryOf = (requirement: string): Entry => {
    const known = entries.get(requirement)
    if (known) return known
    const made = emptyEntry()
    entries.set(requirement, made)
    return made
  }
  return {
    add(judgement) {
      const entry = entryOf(judgement.requirement)
      const { evidence } = entry
      switch (judgement.outcome) {
        case 'held':
        case 'broken':
          count(entry, judgement)
          break
        case 'inconclusive':
        case 'lost':
          evidence.inconclusive += 1
          break
        case 'observed': {
          const what = judgement.actual ?? ''
          if (
            Object.hasOwn(evidence.observations, what) ||
            Object.keys(evidence.observations).length < MOST_OBSERVATIONS
          ) {
            const before = Object.hasOwn(evidence.observations, what) ? evidence.observations[what] : 0
            evidence.observations[what] = (before ?? 0) + 1
          }
          break
        }
        case 'discarded':
          break
      }
    },
    of(requirement) {
      const { evidence, edges, broken, sides } = entries.get(requirement) ?? emptyEntry()
      return { evidence: { ...evidence, edges: [...edges] }, broken: [...broken.values()], sides }
    },
  }
}

function count(entry: Entry, judgement: Judgement): void {
  const { evidence, edges, broken, sides } = entry
  evidence.judged += 1
  evidence.operations[judgement.operation] = (evidence.operations[judgement.operation] ?? 0) + 1
  if (judgement.outcome === 'broken') {
    evidence.broken += 1
    const key = `${judgement.operation} ${judgement.caseId} ${judgement.edge ?? ''}`
    if (broken.has(key) || broken.size < MOST_FINDINGS) broken.set(key, judgement)
    return
  }
  if (judgement.edge !== undefined && edges.size < MOST_EDGES) edges.add(judgement.edge)
  const side = judgement.side ?? 'shape'
  if (side === 'accepted') evidence.accepted += 1
  if (side === 'refused') evidence.refused += 1
  const seen = sides.get(judgement.operation) ?? new Set<string>()
  sides.set(judgement.operation, seen.add(side))
}

function emptyEntry(): Entry {
  return {
    evidence: {
      judged: 0,
      accepted: 0,
      refused: 0,
      inconclusive: 0,
      broken: 0,
      operations: {},
      edges: [],
      observations: {},
    },
    edges: new Set(),
    broken: new Map(),
    sides: new Map(),
  }
}
