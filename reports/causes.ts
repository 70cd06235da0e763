import type { Finding, RequirementResult } from '../schemas/types/report.ts'
import { changeOf } from './shown-exchange.ts'

/** Broken requirements that one defect explains, as far as their requests tell. */
export interface Cause {
  /** what they have in common; `…` stands for what differs */
  readonly title: string
  readonly results: readonly RequirementResult[]
  /** how else some of them put it, and how many */
  readonly others: readonly (readonly [words: string, count: number])[]
}

/**
 * Broken requirements by cause, those with most requirements first. Findings that a later read shows belong together
 * where the same kind of change was lost: all removals, or all updates. Of others, those with the same message do.
 */
export function causesOf(results: readonly RequirementResult[]): Cause[] {
  const groups = new Map<string, { result: RequirementResult; shape: string }[]>()
  for (const result of results) {
    const [finding] = result.findings
    const shape = finding ? shapeOf(finding) : result.reason
    const key = (finding && lostChange(finding)) ?? shape
    groups.set(key, [...(groups.get(key) ?? []), { result, shape }])
  }
  return [...groups.values()].sort((a, b) => b.length - a.length).map(causeOf)
}

function causeOf(members: readonly { readonly result: RequirementResult; readonly shape: string }[]): Cause {
  const counts = new Map<string, number>()
  for (const { shape } of members) counts.set(shape, (counts.get(shape) ?? 0) + 1)
  const [[title = ''] = [], ...others] = [...counts].sort(([, a], [, b]) => b - a)
  const results = members.map(({ result }) => result)
  const [only] = results.length === 1 ? results : []
  return { title: only?.findings[0]?.message ?? title, results, others }
}

/** The method of the change that a finding is about, and that a later read does not show. */
function lostChange(finding: Finding): string | undefined {
  const change = changeOf(finding)
  if (change === undefined || change.operation !== finding.operation) return undefined
  return change.method === 'PATCH' ? 'PUT' : change.method
}

const QUOTED = /'[^']*'|"[^"]*"/g
const COUNTS = /\d[\d,.]*/g

/** The message without what is another in each requirement: values, numbers, the field, and the kind of resource. */
function shapeOf({ message, pointer, operation }: Finding): string {
  const [, ...noun] = operation.split('-')
  const own = [noun.join('-'), pointer.split('/').at(-1) ?? ''].filter((word) => word.length > 1)
  let shape = message.replace(/ \([^()]*\)$/, '').replaceAll(QUOTED, '…')
  for (const word of own)
    shape = shape
      .split(' ')
      .map((part) => (part === word ? '…' : part))
      .join(' ')
  return shape.replaceAll(COUNTS, '…')
}
