import { isDeepStrictEqual } from 'node:util'
import type { Binding } from '../../../schemas/binding.ts'
import { broken, held, type Judgement, unclear } from '../../core/judgement.ts'
import { readerOf } from '../../core/reads.ts'
import { isRecord } from '../../core/request-rules.ts'
import { about, type Rule } from '../../core/rule.ts'
import { shown } from '../../core/words.ts'
import { doubtOf } from '../../known/doubt.ts'
import { claimOf, type KnownRecord, type RecordKind, valueIn } from '../../known/fields.ts'

const SWITCHING = 'update-processing-status'
const VALUE = 'processing_status'
const NONE: readonly Judgement[] = []

/** Whether one pipeline is enabled: in the target's words, which do not matter. */
export const processingStatus: RecordKind = {
  type: 'processing-status',
  shownBy: 'pipeline',
  free: true,
  standing: 'in runs',
  // Only the two bodies that the binding names are known to switch; what another one does is not stated.
  value: { name: VALUE, bodies },
}

function bodies({ answers }: Binding): readonly unknown[] {
  const named = answers.get('GAP-PROCESSING-STATUS-BODY')?.value
  return isRecord(named) ? [named.enabled, named.disabled] : []
}

/**
 * PROCESSING-STATUS-SWITCHES: switching a pipeline between enabled and disabled shows in a later read (operation rule
 * 10). It shows another value after the other switch, and the same value after the same switch.
 */
export const switchShows: Rule<KnownRecord> = {
  operations: (binding) => [readerOf(binding, 'pipeline', 'read')],
  judge(view, { write, values }, oracle) {
    const value = valueIn(view, VALUE)
    if (value === undefined || !write?.sent || view.exchange._start < write.at) return NONE
    const sent = JSON.stringify(write.sent)
    const others = [...(values?.after ?? [])].filter(([body]) => body !== sent)
    const same = others.find(([, seen]) => isDeepStrictEqual(seen.value, value))
    const claim = claimOf(write, view, 'PROCESSING-STATUS-SWITCHES', sent)
    const doubt = doubtOf(view, write.at, oracle)
    // The old status may still be shown: only one that differs from the other switch's shows the new one.
    if (doubt !== undefined) return same || others.length === 0 ? [unclear(claim, doubt)] : NONE
    if (!same) return others.length > 0 ? [held(claim)] : NONE
    const [body, seen] = same
    const message = 'the processing status is the same after enabling and after disabling'
    const expected = `another status than ${shown(value)}, which was read after ${body}`
    const exchanges = [...seen.exchanges, ...claim.exchanges]
    return [broken({ ...claim, exchanges }, { message, expected, actual: shown(value) })]
  },
}

/**
 * PROCESSING-STATUS-STATES: a pipeline is enabled or disabled (section 'States and transitions'). Whatever the words,
 * there are two.
 */
export const statesAreTwo: Rule<KnownRecord> = {
  operations: (binding) => [readerOf(binding, 'pipeline', 'read')],
  judge(view, { values }) {
    const value = valueIn(view, VALUE)
    if (value === undefined || !values) return NONE
    const name = JSON.stringify(value)
    const isNew = !values.seen.has(name)
    const count = values.seen.size + (isNew ? 1 : 0)
    const claim = { ...about(view), operation: SWITCHING, requirement: 'PROCESSING-STATUS-STATES' }
    if (count === 2) return [held({ ...claim, exchanges: [view.id] })]
    if (count < 2 || !isNew) return NONE
    const [first, second] = values.seen.keys()
    const message = 'the processing status of a pipeline has a third value'
    const fault = { message, expected: `${first} or ${second}`, actual: name }
    return [broken({ ...claim, exchanges: [...values.seen.values(), view.id] }, fault)]
  },
}
