import { broken, type Claim, decide, doubted, held, type Judgement, unclear } from '../../core/judgement.ts'
import { carries } from '../../core/reads.ts'
import { about, type Rule } from '../../core/rule.ts'
import type { ExchangeView } from '../../core/view.ts'
import { faultAt, inWords, oneOf, shown } from '../../core/words.ts'
import { doubtOf } from '../../known/doubt.ts'
import { looksAfterRemovals, newIn } from '../../known/existence.ts'
import { type Fields, type KnownRecord, knownValue, type RecordWrite, recordAfter } from '../../known/fields.ts'
import type { Kind } from '../../known/kinds.ts'
import { naming, type Refused } from '../../known/refusals.ts'
import { looking, type Things, toldOf } from '../../known/things.ts'

const NONE: readonly Judgement[] = []

/**
 * A change that was refused is not carried out: what it sent is not read afterwards (sections 'Authentication' and
 * 'Errors'). The requirements are those that the requests were refused by. Where none of them tells why a value has not
 * stayed, it is the one by which sent values are stored. Only of a run, which means requests to be refused.
 */
export function refusedIsNotCarriedOut({ id: operation, applies, values, fields }: RecordWrite): Rule<KnownRecord> {
  const appliesTo = (name: string): string => (values && (fields?.[name] ?? values)) ?? applies
  return {
    judge(view, known, oracle) {
      const { write, standing } = known
      const last = standing?.refused.at(-1)
      if (!last || !standing || !write?.sent || write.operation !== operation) return NONE
      const record = view.exchange._start < last.at ? undefined : recordAfter(write, view)
      if (!record) return NONE
      const stand = (name: string): boolean => carries(record[name], knownValue(known, name))
      const isComparable = (name: string): boolean =>
        standing.faithful.has(name) || (stand(name) && !standing.other.has(name))
      const comparable = Object.keys(write.sent).filter(isComparable)
      const lost = comparable.filter((name) => !stand(name))
      const doubt = doubtOf(view, last.at, oracle)
      if (lost.length > 0) {
        const blamed = blame(known, view, lost, record, appliesTo)
        return doubt === undefined ? blamed : blamed.map(({ edge: _, ...finding }) => doubted(finding, doubt))
      }
      if (doubt !== undefined) return NONE
      // A change that would have shown had it been carried out, and does not.
      return standing.refused
        .filter(({ sent }) => comparable.some((name) => tells(sent[name], knownValue(known, name))))
        .map((one) => held(aboutRefused(one, operation, view)))
    },
  }
}

/** Blames the request whose values are read. If nobody's are read, the old values have not stayed. */
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
    const message = `a request was refused (${one.why}) and carried out nevertheless: ${name} is read as it was sent there`
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

/** Whether a sent value differs from the stored one. */
function tells(sent: unknown, stored: unknown): boolean {
  return sent !== undefined && !carries(stored, sent)
}

/** What is judged of a refused request about a thing, by a later read or list. */
function aboutRefused(one: Refused, operation: string, view: ExchangeView, ...before: readonly string[]): Claim {
  return { ...about(view), operation, ...naming(one), exchanges: [...before, one.exchange, view.id] }
}

/**
 * The thing that a refused request would have made is not in the list of its kind (sections 'Authentication' and
 * 'Errors'). It is known by its name, which no other request of the run gives.
 */
export function refusedIsNotMade(kind: Kind): Rule<Things> {
  return looking(kind, ({ way, list }, view, { creations, names: given }, oracle) => {
    const last = creations.at(-1)
    const { label } = oracle.binding.resources.get(kind.type) ?? {}
    if (!last || way === 'read' || label === undefined || view.exchange._start < last.at) return []
    const names = new Set(list.map((element) => element[label]))
    const doubt = doubtOf(view, last.at, oracle)
    return creations.flatMap((one): Judgement[] => {
      const name = one.sent[label]
      const isListed = names.has(name)
      if (given.has(String(name)) || (!isListed && doubt !== undefined)) return []
      const claim = aboutRefused(one, kind.create, view)
      const message = `a request was refused (${one.why}) and carried out nevertheless: what it makes is listed`
      const expected = `no ${kind.type} ${shown(name)}`
      return [isListed ? broken(claim, { message, expected, actual: `${shown(name)} is in the list` }) : held(claim)]
    })
  })
}

/**
 * The same where nothing in a request has a name to be known by. The thing is then one that the list of its kind did
 * not hold before, and that no accepted request has made. Cases use places where nobody else makes such things, before
 * and after each requirement that they try.
 */
export function refusedMakesNothingNew(kind: Kind): Rule<Things> {
  return looking(kind, (look, view, known, oracle) => {
    const last = known.creations.at(-1)
    const more = look.way === 'list' ? newIn(known, look, view) : undefined
    if (!last || !more || (more.length === 0 && doubtOf(view, last.at, oracle) !== undefined)) return []
    // The newest refusal of each requirement.
    const refused = [...new Map(known.creations.map((one) => [one.requirement, one])).values()]
    return refused.map((one) => {
      const claim = aboutRefused(one, kind.create, view)
      if (more.length === 0) return held(claim)
      if (refused.length > 1) return unclear(claim, 'not judged: any of several refused requests may have made it')
      const message = `a request was refused (${one.why}), and ${oneOf(kind.type)} is listed that nothing else has made`
      const expected = `no other ${inWords(kind.type)} than before`
      return broken(claim, { message, expected, actual: `${more.length} more` })
    })
  })
}

/**
 * The thing that a refused request would have removed is still there (section 'Authentication'). It is read as before
 * or, if it cannot be read by itself, listed. Judged of what was shown before.
 */
export function refusedIsNotRemoved(kind: Kind): Rule<Things> {
  return looking(kind, (look, view, known, oracle) => {
    if (known.removals.size === 0 || !looksAfterRemovals(look, view, kind, oracle)) return []
    const isRead = look.way === 'read'
    return toldOf(known.removals, look, view, look.surely).flatMap(({ id, fact, there }): Judgement[] => {
      const { read, list } = known.shown.get(id) ?? {}
      const before = isRead ? read : list?.exchange
      const doubt = doubtOf(view, fact.at, oracle)
      if (before === undefined || (there && doubt !== undefined)) return []
      return fact.by.map((one) => {
        const gone = {
          message: `a request was refused (${one.why}), and what it removes is gone nevertheless`,
          expected: `the ${inWords(kind.type)}, ${isRead ? 'read' : 'listed'} as before`,
          actual: isRead ? `status ${view.status}` : 'it is not listed',
        }
        return decide(aboutRefused(one, kind.remove, view, before), there ? undefined : gone, doubt)
      })
    })
  })
}
