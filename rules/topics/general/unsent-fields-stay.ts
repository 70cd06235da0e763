import { decide, type Judgement } from '../../core/judgement.ts'
import type { Rule } from '../../core/rule.ts'
import { faultAt } from '../../core/words.ts'
import { doubtOf } from '../../known/doubt.ts'
import { claimOf, compareParts, type KnownRecord, type PartialUpdate, recordAfter, stands } from '../../known/fields.ts'
import { followsRefusals } from '../../known/refusals.ts'

const NONE: readonly Judgement[] = []

/**
 * A partial update changes what it sends (`applies`) and leaves the rest (`leaves`): ROUTE-PATCH-APPLIES and
 * ROUTE-PATCH-PARTIAL (operation rule 7), STATEVAR-APPLIES and STATEVAR-PARTIAL (operation rule 9), EXCLUSION-UPDATE.
 */
export function unsentFieldsStay(partial: PartialUpdate, applies: string, leaves: string): Rule<KnownRecord> {
  return {
    name: `fields that ${partial.operation} does not send stay`,
    judge(view, known, oracle) {
      const write = known.parts?.write
      const record = followsRefusals(view) ? undefined : recordAfter(write, view)
      if (!write || !record) return NONE
      return compareParts(known, record, partial).map(({ name, wasSent, value, isCarried }) => {
        const claim = wasSent
          ? claimOf(write, view, applies, `sent ${name}`)
          : claimOf(write, view, leaves, `not sent ${name}`)
        if (isCarried) return decide(claim, undefined, undefined)
        const message = wasSent ? `${name} was sent and is not read back` : `${name} was not sent and did not stay`
        return decide(claim, faultAt(name, message, value, record[name]), doubtOf(view, write.at, oracle))
      })
    },
  }
}

/**
 * What was written and has been read once is what every later read shows, until it is written again: STATEVAR-READ and
 * PLACEMENT-READ (section 'Pipelines'). Whether the first read shows it is another rule's matter.
 * `fields`: those that are compared; left out: all that were sent.
 */
export function readFieldsStay(operation: string, requirement: string, fields?: readonly string[]): Rule<KnownRecord> {
  return {
    name: `fields of ${operation} that were read stay`,
    judge(view, { write, standing }, oracle) {
      if (write?.operation !== operation || !write.sent || !standing || followsRefusals(view)) return NONE
      const { sent } = write
      const { stood } = standing
      const names = Object.keys(sent).filter((name) => fields?.includes(name) ?? true)
      const [first] = names
      if (first === undefined || !names.every((name) => stood.has(name))) return NONE
      const record = recordAfter(write, view)
      if (!record) return NONE
      const strange = names.find((name) => !stands(name, record[name], sent[name], view))
      const name = strange ?? first
      const claim = {
        ...claimOf(write, view, requirement),
        exchanges: [write.exchange, stood.get(name) ?? '', view.id],
      }
      const message = `${name} is read with the value that was written, and with another one later`
      const fault = strange === undefined ? undefined : faultAt(name, message, sent[name], record[name])
      return [decide(claim, fault, doubtOf(view, write.at, oracle))]
    },
  }
}
