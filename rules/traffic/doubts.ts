import { ENOUGH, type Judgement } from '../core/judgement.ts'

/** Findings that somebody who is not in the recording could explain, kept until they are beyond doubt. */
export interface Doubts {
  /** `about`: the judged thing; `out`: new judgements are added to it */
  add(judgement: Judgement, about: string, out: Judgement[]): void
  /** what is in doubt now */
  open(): Judgement[]
  /** what stayed in doubt */
  end(): Judgement[]
}

interface Doubt {
  held: boolean
  confirmed: boolean
  readonly suspects: Map<string, Judgement>
}

const MOST_KINDS = 2_000

/**
 * One read that shows another value than was written may be the work of somebody else. Three different things of which
 * none was ever read rightly are not. The same kind of finding: requirement, operation and edge.
 */
export function createDoubts(): Doubts {
  const kinds = new Map<string, Doubt>()

  function doubtOf({ requirement, operation, edge = '' }: Judgement): Doubt {
    const kind = `${requirement} ${operation} ${edge}`
    const doubt = kinds.get(kind) ?? { held: false, confirmed: false, suspects: new Map<string, Judgement>() }
    if (kinds.size < MOST_KINDS) kinds.set(kind, doubt)
    return doubt
  }

  const suspects = (): Judgement[] => [...kinds.values()].flatMap((doubt) => [...doubt.suspects.values()])

  return {
    add(judgement, about, out) {
      const { outcome } = judgement
      const doubt = outcome === 'held' || outcome === 'broken' ? doubtOf(judgement) : undefined
      if (doubt && outcome === 'held') doubt.held = true
      if (!doubt || outcome === 'held' || doubt.confirmed) out.push(judgement)
      else suspect(doubt, judgement, about, out)
    },
    open: suspects,
    end: () => suspects().map(doubted),
  }
}

/** Keeps a finding until enough different things show the same, and none of them ever held. */
function suspect(doubt: Doubt, judgement: Judgement, about: string, out: Judgement[]): void {
  const { suspects } = doubt
  const known = suspects.get(about)
  suspects.set(about, judgement)
  if (!doubt.held && suspects.size >= ENOUGH) {
    doubt.confirmed = true
    out.push(...suspects.values())
    suspects.clear()
    return
  }
  if (known) out.push({ ...known, outcome: 'lost' })
  const [oldest] = suspects
  if (!oldest || suspects.size <= ENOUGH) return
  suspects.delete(oldest[0])
  out.push(doubted(oldest[1]))
}

function doubted(judgement: Judgement): Judgement {
  return { ...judgement, outcome: 'doubted' }
}
