import type { RequirementResult, Verdict } from '../../../schemas/types/report.ts'
import { LEVEL_ORDER, type Level, VERDICT_ORDER } from './words.ts'

/** verdict -> number of requirements; every verdict is there */
export type Tallied = Readonly<Record<Verdict, number>>

export function tally(results: readonly RequirementResult[]): Tallied {
  const counts = Object.fromEntries(VERDICT_ORDER.map((verdict) => [verdict, 0])) as Record<Verdict, number>
  for (const { verdict } of results) counts[verdict] += 1
  return counts
}

/** Each level by itself: they are never added up. */
export function byLevel(results: readonly RequirementResult[]): Map<Level, Tallied> {
  const levels = new Map<Level, Tallied>()
  for (const level of LEVEL_ORDER) {
    const own = results.filter((result) => result.level === level)
    if (own.length > 0) levels.set(level, tally(own))
  }
  return levels
}

/**
 * The verdict that colours a whole: the first in order of weight that anything in it has. What mostly was not run never
 * looks like success.
 */
export function worst(results: readonly RequirementResult[]): Verdict | undefined {
  const found = VERDICT_ORDER.find((verdict) => results.some((result) => result.verdict === verdict))
  const counts = tally(results.filter(({ level }) => level !== 'open'))
  return found === 'pass' && counts['not-run'] > counts.pass ? 'not-run' : found
}

/**
 * Observations such as `update-member /role missing: status 400`, by their outcome, the most frequent first. The outcome
 * is '' where an observation does not tell cause and outcome apart.
 */
export function byOutcome(observations: Readonly<Record<string, number>>) {
  const groups = new Map<string, { causes: string[]; times: number }>()
  for (const [what, times] of Object.entries(observations)) {
    const colon = what.lastIndexOf(': ')
    const outcome = colon < 0 ? '' : what.slice(colon + 2)
    const group = groups.get(outcome) ?? { causes: [], times: 0 }
    groups.set(outcome, group)
    group.causes.push(colon < 0 ? what : what.slice(0, colon))
    group.times += times
  }
  return [...groups]
    .map(([outcome, { causes, times }]) => ({ outcome, causes, times }))
    .sort((a, b) => b.causes.length - a.causes.length)
}

/** The part of schemas/outline.json that the page needs. */
export interface OutlineSection
  extends Readonly<Record<'statements' | 'tableRows' | 'gapBullets', readonly OutlineItem[]>> {
  readonly section: string
  /** entries that no sentence stands for: silences, and promises of a binding */
  readonly beyond: readonly string[]
}

/** One sentence, table row or gap bullet of the specification, and the ledger entries that stand for it. */
interface OutlineItem {
  readonly about: string
  readonly entries: readonly string[]
}

export interface SectionItem {
  readonly about: string
  readonly results: readonly RequirementResult[]
}

export interface Section {
  /** the last part of its heading */
  readonly title: string
  /** 0 for a heading of the first order */
  readonly depth: number
  readonly items: readonly SectionItem[]
  /** all requirements of its items, each once */
  readonly results: readonly RequirementResult[]
}

/**
 * The sections of the specification in its order, with what became of their sentences. None is lost: those that the
 * outline does not name come last.
 */
export function sectionsOf(outline: readonly OutlineSection[], results: readonly RequirementResult[]): Section[] {
  const byId = new Map(results.map((result) => [result.id, result]))
  const named = new Set<string>()
  const sections = outline.map(({ section, statements, tableRows, gapBullets, beyond }) => {
    const rest = beyond.length > 0 ? [{ about: 'between the lines', entries: beyond }] : []
    const items = [...statements, ...tableRows, ...gapBullets, ...rest]
      .map(({ about, entries }) => ({ about, results: entries.flatMap((id) => byId.get(id) ?? []) }))
      .filter((item) => item.results.length > 0)
    for (const item of items) for (const { id } of item.results) named.add(id)
    return sectionOf(section, items)
  })
  const others = new Map<string, RequirementResult[]>()
  for (const result of results) {
    if (!named.has(result.id)) others.set(result.section, [...(others.get(result.section) ?? []), result])
  }
  for (const [section, own] of others) sections.push(sectionOf(section, [{ about: 'all', results: own }]))
  return withHeadings(sections.filter(({ items }) => items.length > 0))
}

/** Headings that have no sentence of their own, such as 'Resources and their fields', stand before their first section. */
function withHeadings(sections: readonly Placed[]): Section[] {
  const seen = new Set<string>()
  return sections.flatMap(({ path, ...section }) => {
    const above = path.slice(0, -1).flatMap((title, depth): Section[] => {
      const own = path.slice(0, depth + 1).join(' > ')
      if (seen.has(own)) return []
      seen.add(own)
      return [{ title, depth, items: [], results: [] }]
    })
    seen.add(path.join(' > '))
    return [...above, section]
  })
}

interface Placed extends Section {
  /** the headings above it, and its own */
  readonly path: readonly string[]
}

function sectionOf(section: string, items: readonly SectionItem[]): Placed {
  const parts = section.split(' > ')
  return {
    path: parts,
    title: parts.at(-1) ?? section,
    depth: parts.length - 1,
    items,
    results: [...new Set(items.flatMap((item) => item.results))],
  }
}
