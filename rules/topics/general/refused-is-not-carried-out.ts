import { broken, held, type Judgement, unclear } from '../../core/judgement.ts'
import { carries } from '../../core/reads.ts'
import { about, type Rule } from '../../core/rule.ts'
import { faultAt } from '../../core/shown.ts'
import type { ExchangeView } from '../../core/view.ts'
import { doubtOf } from '../../known/doubt.ts'
import { type Fields, type KnownRecord, knownValue, recordAfter } from '../../known/fields.ts'
import { naming, type Refused } from '../../known/refusals.ts'

const NONE: readonly Judgement[] = []

/**
 * A change that was refused is not carried out: what it sent is not read afterwards (sections 'Authentication' and
 * 'Errors'). The requirements are those that the requests were refused by; where none of them tells why a value has not
 * stayed, `applies`, that what was sent is stored; `fields`: those of single fields. Only of a run, which means requests
 * to be refused.
 */
export function refusedIsNotCarriedOut(
  operation: string,
  applies: string,
  fields: Readonly<Record<string, string>> = {},
): Rule<KnownRecord> {
  return {
    name: `what ${operation} refused is not carried out`,
    judge(view, known, oracle) {
      const { write, standing } = known
      const last = standing?.refused.at(-1)
      if (!last || !standing || !write?.sent || write.operation !== operation) return NONE
      const record = view.exchange._start < last.at ? undefined : recordAfter(write, view)
      if (!record) return NONE
      const stand = (name: string): boolean => carries(record[name], knownValue(known, name))
      const isTelling = (name: string): boolean =>
        standing.faithful.has(name) || (stand(name) && !standing.other.has(name))
      const telling = Object.keys(write.sent).filter(isTelling)
      const lost = telling.filter((name) => !stand(name))
      const doubt = doubtOf(view, last.at, oracle)
      if (lost.length > 0) {
        const blamed = blame(known, view, lost, record, (name) => fields[name] ?? applies)
        return doubt === undefined ? blamed : blamed.map(({ edge: _, ...claim }) => unclear(claim, doubt))
      }
      if (doubt !== undefined) return NONE
      // What would have shown had it been carried out, and does not.
      return standing.refused
        .filter(({ sent }) => telling.some((name) => tells(sent[name], knownValue(known, name))))
        .map((one) => held({ ...about(view), operation, ...naming(one), exchanges: [one.exchange, view.id] }))
    },
  }
}

/** Whose values are read is who was carried out; where nobody's are, what was there has not stayed. */
function blame(
  known: KnownRecord,
  view: ExchangeView,
  lost: readonly string[],
  record: Fields,
  appliesTo: (name: string) => string,
): Judgement[] {
  const { refused = [], stood } = known.standing ?? {}
  const { operation = '', exchange: first = '' } = known.write ?? {}
  const finding = (
    name: string,
    of: Pick<Judgement, 'requirement' | 'edge'>,
    by: readonly Refused[],
    message: string,
  ) =>
    broken(
      { ...about(view), operation, ...of, exchanges: [first, ...by.map(({ exchange }) => exchange), view.id] },
      faultAt(name, message, knownValue(known, name), record[name]),
    )
  const done = refused.flatMap((one): Judgement[] => {
    const name = lost.find((field) => shows(record[field], one.sent[field]))
    if (name === undefined) return []
    const message = `a request was refused (${one.why}) and carried out all the same: ${name} is read as it was sent there`
    return [finding(name, naming(one), [one], message)]
  })
  const name = lost.find((field) => stood?.has(field))
  if (done.length > 0 || name === undefined) return done
  const message = `${name} has not stayed, though whatever was sent since was refused`
  return [finding(name, { requirement: appliesTo(name) }, refused.slice(-1), message)]
}

/** Whether what is read is what was sent: of an empty list or object only another empty one is. */
function shows(read: unknown, sent: unknown): boolean {
  if (sent === undefined || read === undefined) return false
  const empty = typeof sent === 'object' && sent !== null && Object.keys(sent).length === 0
  return empty ? JSON.stringify(read) === JSON.stringify(sent) : carries(read, sent)
}

/** Whether a value that was sent can be told from the one that is stored. */
function tells(sent: unknown, stored: unknown): boolean {
  return sent !== undefined && !carries(stored, sent)
}
