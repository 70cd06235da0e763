import type { Binding } from '../../schemas/binding.ts'
import { oncePer } from '../../schemas/once.ts'
import type { Judgement } from '../core/judgement.ts'
import type { HistoryRule, Oracle, Rule } from '../core/rule.ts'
import type { ExchangeView } from '../core/view.ts'

/**
 * One part of the store: what may be believed about one subject, learnt from exchanges. A subject is a collection of
 * things, the lines of an account, or a group of requests. `rules/traffic` decides for all parts what overlapping
 * requests and other clients leave of it. It lets the part learn the same request with an unknown outcome.
 */
export interface Part<Known>
  extends Pick<
    HistoryRule<Known>,
    'name' | 'bound' | 'overlap' | 'others' | 'single' | 'intended' | 'acrossCases' | 'key' | 'init' | 'knowsNothing'
  > {
  /** the operations that it learns from; left out: those of any request that has a key */
  operations?(binding: Binding): readonly (string | undefined)[]
  /**
   * Changes `known` in place, after the rules have judged. A request that it does not understand makes unknown, never
   * known.
   */
  learn(known: Known, view: ExchangeView, oracle: Oracle): void
}

const NONE: readonly Judgement[] = []

/** A part of the store with the rules that ask it. */
export function historyOf<Known>(part: Part<Known>, rules: readonly Rule<Known>[]): HistoryRule<Known> {
  const rulesFor = createFinder(rules)
  const { learn, operations, ...rest } = part
  return {
    ...rest,
    ...(operations && {
      operations: (binding: Binding) => [
        ...operations(binding),
        ...rules.flatMap((rule) => rule.operations?.(binding) ?? []),
      ],
    }),
    step(known, view, oracle) {
      let judgements: Judgement[] | undefined
      for (const rule of rulesFor(view.operation?.id, oracle.binding)) {
        const said = rule.judge(view, known, oracle)
        if (said.length === 0) continue
        if (judgements) for (const judgement of said) judgements.push(judgement)
        else judgements = [...said]
      }
      learn(known, view, oracle)
      return { state: known, judgements: judgements ?? NONE }
    },
    end: () => NONE,
  }
}

/** Which rules judge exchanges of an operation: worked out once for each. */
function createFinder<Known>(
  rules: readonly Rule<Known>[],
): (operation: string | undefined, binding: Binding) => readonly Rule<Known>[] {
  const findersFor = oncePer((binding: Binding) => {
    const judging = rules.map((rule) => ({ rule, operations: rule.operations?.(binding) }))
    const byOperation = new Map<string | undefined, readonly Rule<Known>[]>()
    return (operation: string | undefined): readonly Rule<Known>[] => {
      const known = byOperation.get(operation)
      if (known) return known
      const found = judging.flatMap(({ rule, operations }) => ((operations?.includes(operation) ?? true) ? [rule] : []))
      byOperation.set(operation, found)
      return found
    }
  })
  return (operation, binding) => findersFor(binding)(operation)
}
