import type { Judgement } from './judgement.ts'

/** Findings that somebody who is not in the recording could explain, kept until they are beyond doubt. */
export interface Doubts {
  /** `about`: what the history hangs on. Returns what can be said now. */
  add(judgement: Judgement, about: string): Judgement[]
  /** what stayed in doubt */
  end(): Judgement[]
}

interface Doubt {
  held: boolean
  confirmed: boolean
  readonly suspects: Map<string, Judgement>
}

/** So many things, each seen wrong and none ever seen right, are no coincidence. */
const ENOUGH = 3
const MOST_KINDS = 2_000

/**
 * One read that shows another value than was written may be the work of somebody else. Three different things of which
 * none was ever read rightly are not. The same kind of finding: requirement, operation and edge.
 */
export function createDoubts(): Doubts {
  const kinds = new Map<string, Doubt>()
  return {
    add(judgement, about) {
      const { outcome } = judgement
      if (outcome !== 'held' && outcome !== 'broken') return [judgement]
      const kind = `${judgement.requirement} ${judgement.operation} ${judgement.edge ?? ''}`
      const doubt = kinds.get(kind) ?? { held: false, confirmed: false, suspects: new Map<string, Judgement>() }
      if (kinds.size < MOST_KINDS || kinds.has(kind)) kinds.set(kind, doubt)
      if (outcome === 'held') {
        doubt.held = true
        return [judgement]
      }
      if (doubt.confirmed) return [judgement]
      const known = doubt.suspects.get(about)
      doubt.suspects.set(about, judgement)
      if (doubt.held || doubt.suspects.size < ENOUGH) {
        if (doubt.suspects.size > ENOUGH) doubt.suspects.delete([...doubt.suspects.keys()][0] ?? '')
        return known ? [lost(known)] : []
      }
      doubt.confirmed = true
      const all = [...doubt.suspects.values()]
      doubt.suspects.clear()
      return all
    },
    end: () => [...kinds.values()].flatMap(({ suspects }) => [...suspects.values()].map(lost)),
  }
}

function lost(judgement: Judgement): Judgement {
  return { ...judgement, outcome: 'lost', message: `${judgement.message ?? ''}, unless somebody else changed it` }
}
