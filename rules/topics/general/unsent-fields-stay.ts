import { decide, type Judgement } from '../../core/judgement.ts'
import { recordIn } from '../../core/reads.ts'
import { about, type Rule } from '../../core/rule.ts'
import { shown } from '../../core/shown.ts'
import { doubtOf } from '../../known/doubt.ts'
import { compareParts, type KnownRecord, type Partial, stands } from '../../known/fields.ts'
import { followsRefusals } from '../../known/refusals.ts'

const NONE: readonly Judgement[] = []

/**
 * A partial update changes what it sends (`applies`) and leaves the rest (`partial`): ROUTE-PATCH-APPLIES and
 * ROUTE-PATCH-PARTIAL (operation rule 7), STATEVAR-APPLIES and STATEVAR-PARTIAL (operation rule 9), EXCLUSION-UPDATE.
 */
export function unsentFieldsStay(rule: Partial & { applies: string; partial: string }): Rule<KnownRecord> {
  const { operation } = rule
  return {
    name: `fields that ${operation} does not send stay`,
    judge(view, known, oracle) {
      const write = known.parts?.write
      if (!write || !view.accepted || view.operation?.effect !== 'read' || followsRefusals(view)) return NONE
      const record = view.exchange._start < write.at ? undefined : recordIn(view)
      if (!record) return NONE
      const { caseId } = about(view)
      const exchanges = [write.exchange, view.id]
      return compareParts(known, record, rule).map(({ name, wasSent, value, isCarried }): Judgement => {
        const requirement = wasSent ? rule.applies : rule.partial
        const edge = wasSent ? `sent ${name}` : `not sent ${name}`
        const message = wasSent ? `${name} was sent and is not read back` : `${name} was not sent and did not stay`
        const fault = { pointer: `/${name}`, message, expected: shown(value), actual: shown(record[name]) }
        const claim = { operation, caseId, requirement, edge, exchanges }
        return decide(claim, isCarried ? undefined : fault, isCarried ? undefined : doubtOf(view, write.at, oracle))
      })
    },
  }
}

/**
 * What was written and has been read once is what every later read shows, until it is written again: STATEVAR-READ and
 * PLACEMENT-READ (section 'Pipelines'). Whether the first read shows it is another rule's matter.
 * `fields`: those that are compared; left out: all that were sent.
 */
export function readFieldsStay(rule: {
  readonly operation: string
  readonly requirement: string
  readonly fields?: readonly string[]
}): Rule<KnownRecord> {
  const { operation, requirement } = rule
  return {
    name: `fields of ${operation} that were read stay`,
    judge(view, { write, standing }, oracle) {
      if (write?.operation !== operation || !write.sent || !standing || standing.stood.size === 0) return NONE
      if (!view.accepted || view.operation?.effect !== 'read' || followsRefusals(view)) return NONE
      const names = rule.fields ? rule.fields.filter((name) => name in (write.sent ?? {})) : Object.keys(write.sent)
      const [first = ''] = names
      const record = names.every((name) => standing.stood.has(name)) ? recordIn(view) : undefined
      if (!record || names.length === 0 || view.exchange._start < write.at) return NONE
      const { sent } = write
      const strange = names.find((name) => !stands(name, record[name], sent[name], view))
      const name = strange ?? first
      const claim = {
        ...about(view),
        operation,
        requirement,
        exchanges: [write.exchange, standing.stood.get(name) ?? '', view.id],
      }
      if (strange === undefined) return [decide(claim, undefined, undefined)]
      const message = `${name} is read with the value that was written, and with another one later`
      const fault = { pointer: `/${name}`, message, expected: shown(sent[name]), actual: shown(record[name]) }
      return [decide(claim, fault, doubtOf(view, write.at, oracle))]
    },
  }
}
