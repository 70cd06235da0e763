import type { OutlineSection as Whole } from '../../../schemas/outline.ts'
import type { RequirementResult } from '../../../schemas/types/report.ts'

/** The part of schemas/outline.json that the page needs. */
export type OutlineSection = Omit<Whole, 'counts'>

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

/** The sections of the specification in its order, with what became of their sentences. None is lost: what the outline does not name stands at the end. */
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
