import type { Violation } from '../../../schemas/validator.ts'
import { broken, type Judgement } from '../../core/judgement.ts'
import { placesIn } from '../../core/places.ts'
import { about, type Oracle } from '../../core/rule.ts'
import { type ExchangeView, otherThanJson } from '../../core/view.ts'
import { shown } from '../../core/words.ts'

/** Judges an answer's body by a schema: every constraint that has something to look at in it is held or broken. */
export function judgeBody(
  view: ExchangeView,
  schema: string,
  bodyRequirement: string | undefined,
  oracle: Oracle,
): Judgement[] {
  const { response } = view
  const base = { ...about(view), exchanges: [view.id] }
  if (response.kind === 'cut') return []
  if (response.kind !== 'json') {
    if (bodyRequirement === undefined) return []
    const actual = otherThanJson(view)
    const fault = { message: `the response has ${actual}`, expected: 'a JSON body', actual }
    return [broken({ ...base, requirement: bodyRequirement }, fault)]
  }
  const violations = oracle.validator.violations(schema, response.value)
  const judged: Judgement[] = violations.length === 0 ? [] : brokenBy(violations, view)
  const faults = new Set(judged.map(({ requirement }) => requirement))
  const { operation, caseId, exchanges } = base
  const hold = (requirement: string): void => {
    if (faults.size > 0 && faults.has(requirement)) return
    judged.push({ operation, caseId, exchanges, requirement, outcome: 'held' })
  }
  if (bodyRequirement !== undefined) hold(bodyRequirement)
  for (const requirement of placesIn(schema, oracle.schemas).concernedBy(response.value)) {
    if (requirement !== bodyRequirement) hold(requirement)
  }
  return judged
}

function brokenBy(violations: readonly Violation[], view: ExchangeView): Judgement[] {
  const base = { ...about(view), exchanges: [view.id] }
  return violations.flatMap((violation): Judgement[] => {
    const { requirement, pointer, keyword, value, message: expected } = violation
    if (requirement === undefined || mayBeShort(violation)) return []
    const message = `the response's ${pointer === '' ? 'body' : pointer} ${expected}`
    const actual = keyword === 'required' ? 'the field is missing' : shown(value)
    return [broken({ ...base, requirement }, { pointer, message, expected, actual })]
  })
}

let characters: Intl.Segmenter | undefined

/** Whether a text is too long only where each code point counts: what a character is, beyond those of one, is not said. */
function mayBeShort({ keyword, value, limit }: Violation): boolean {
  if (keyword !== 'maxLength' || typeof value !== 'string' || limit === undefined) return false
  // Not made before it is needed: the first of a process takes 12 ms.
  characters ??= new Intl.Segmenter('und', { granularity: 'grapheme' })
  return [...characters.segment(value.normalize('NFC'))].length <= limit
}
