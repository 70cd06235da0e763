import type { Changes } from '../../faults/core/fault.ts'
import type { CodedVariants } from '../core/variant.ts'

const SECOND_MS = 1_000

/** Keeps everybody out for a while, with this status, after more than so many requests within a second. */
function keepsOut(most: number, counts: 'wrong' | 'all', forMs: number, status: 401 | 403): () => Changes {
  return () => {
    const times: number[] = []
    let until = 0
    const isShut = (): boolean => Date.now() < until
    return {
      authorize:
        (inner) =>
        (...given) => {
          if (isShut()) return false
          const right = inner(...given)
          if (right && counts === 'wrong') return true
          times.push(Date.now())
          if (times.length > most && Date.now() - (times.at(-most - 1) ?? 0) < SECOND_MS) until = Date.now() + forMs
          times.splice(0, times.length - most - 1)
          return right
        },
      answer: (answer) => (answer.status === 401 && isShut() ? { ...answer, status } : answer),
    }
  }
}

const LONG_MS = 60_000

/** Something before the target that guards it. The text describes none, and forbids none. */
export const guardVariants: CodedVariants = {
  'guard-403': keepsOut(5, 'wrong', SECOND_MS, 403),
  'guard-401': keepsOut(5, 'wrong', SECOND_MS, 401),
  'guard-minute': keepsOut(5, 'wrong', LONG_MS, 403),
  firewall: keepsOut(150, 'all', SECOND_MS / 2, 403),
}
