import { isDeepStrictEqual } from 'node:util'
import { broken, held, type Judgement, unclear } from '../../core/judgement.ts'
import { readerOf } from '../../core/reads.ts'
import { about, type Rule } from '../../core/rule.ts'
import { shown } from '../../core/shown.ts'
import { doubtOf } from '../../known/doubt.ts'
import { isState, type KnownStatus, SWITCHING, statusIn } from '../../known/processing-status.ts'

const NONE: readonly Judgement[] = []

/**
 * PROCESSING-STATUS-SWITCHES: switching a pipeline between enabled and disabled shows in a later read: another value after
 * the other switch, the same value after the same switch (operation rule 10). The words that a target uses do not matter.
 */
export const switchShows: Rule<KnownStatus> = {
  name: 'switch shows',
  operations: (binding) => [readerOf(binding, 'pipeline', 'read')],
  judge(view, { write: { sent, exchange, at }, after }, oracle) {
    const value = statusIn(view)
    if (value === undefined || sent === undefined || view.exchange._start < at) return NONE
    const others = [...after].filter(([body]) => body !== sent)
    const same = others.find(([, seen]) => isDeepStrictEqual(seen.value, value))
    const exchanges = [exchange, view.id]
    const claim = {
      ...about(view),
      operation: SWITCHING,
      requirement: 'PROCESSING-STATUS-SWITCHES',
      edge: sent,
      exchanges,
    }
    const doubt = doubtOf(view, at, oracle)
    // The old status may still be shown: only one that differs from the other switch's shows the new one.
    if (doubt !== undefined) return same || others.length === 0 ? [unclear(claim, doubt)] : NONE
    if (!same) return others.length > 0 ? [held(claim)] : NONE
    const [body, seen] = same
    return [
      broken(
        { ...claim, exchanges: [...seen.exchanges, ...exchanges] },
        {
          message: 'the processing status is the same after enabling and after disabling',
          expected: `another status than ${shown(value)}, which was read after ${body}`,
          actual: shown(value),
        },
      ),
    ]
  },
}

/**
 * PROCESSING-STATUS-STATES: a pipeline is enabled or disabled (section 'States and transitions'). Whatever the words,
 * there are two.
 */
export const statesAreTwo: Rule<KnownStatus> = {
  name: 'states are two',
  operations: (binding) => [readerOf(binding, 'pipeline', 'read')],
  judge(view, { states }): readonly Judgement[] {
    const value = statusIn(view)
    if (value === undefined || !isState(value)) return NONE
    const name = JSON.stringify(value)
    const isNew = !states.has(name)
    const count = states.size + (isNew ? 1 : 0)
    const claim = { ...about(view), operation: SWITCHING, requirement: 'PROCESSING-STATUS-STATES' }
    if (count === 2) return [held({ ...claim, exchanges: [view.id] })]
    if (count < 2 || !isNew) return NONE
    const [first, second] = states.keys()
    return [
      broken(
        { ...claim, exchanges: [...states.values(), view.id] },
        {
          message: 'the processing status of a pipeline has a third value',
          expected: `${first} or ${second}`,
          actual: name,
        },
      ),
    ]
  },
}
