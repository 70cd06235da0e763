import type { RequirementResult } from '../../../schemas/types/report.ts'
import type { Sort, View } from './address.ts'
import { LEVEL_ORDER, VERDICT_ORDER } from './words.ts'

/** The requirements that a view shows, in its order. Equal ones stay in the order of the ledger. */
export function selected(results: readonly RequirementResult[], view: View): RequirementResult[] {
  const found = results.filter((result) => matches(result, view))
  const compare = ORDERS[view.sort]
  if (compare) found.sort(compare)
  return view.descending ? found.reverse() : found
}

/** Whether a view shows a requirement: each filter that is set has to fit, and every word of the search. */
export function matches(result: RequirementResult, view: View): boolean {
  if (view.verdicts.length > 0 && !view.verdicts.includes(result.verdict)) return false
  if (view.levels.length > 0 && !view.levels.includes(result.level)) return false
  if (view.category !== '' && view.category !== result.category) return false
  const words = view.search.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return true
  const text = searchable(result)
  return words.every((word) => text.includes(word))
}

const texts = new WeakMap<RequirementResult, string>()

/** All of a requirement that a search looks at, in small letters. */
function searchable(result: RequirementResult): string {
  const known = texts.get(result)
  if (known !== undefined) return known
  const { id, text, section, category, feature, reason, evidence, findings } = result
  const parts = [id, text, section, category, feature, reason]
  parts.push(...Object.keys(evidence.operations), ...Object.keys(evidence.observations))
  for (const { message, operation, case: caseId } of findings) parts.push(message, operation, caseId)
  const made = parts.join('\n').toLowerCase()
  texts.set(result, made)
  return made
}

type Compare = (a: RequirementResult, b: RequirementResult) => number

const ORDERS: Readonly<Record<Sort, Compare | undefined>> = {
  ledger: undefined,
  id: (a, b) => compareText(a.id, b.id),
  level: (a, b) => LEVEL_ORDER.indexOf(a.level) - LEVEL_ORDER.indexOf(b.level),
  category: (a, b) => compareText(a.category, b.category),
  verdict: (a, b) => VERDICT_ORDER.indexOf(a.verdict) - VERDICT_ORDER.indexOf(b.verdict),
  evidence: (a, b) => weight(a) - weight(b),
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function weight({ evidence }: RequirementResult): number {
  return evidence.judged + Object.values(evidence.observations).reduce((sum, times) => sum + times, 0)
}
