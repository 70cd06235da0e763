import { isGap, type Requirement } from '../ledger.ts'
import { readData } from '../load.ts'

/** One sentence, table row or gap bullet of the specification, and the ledger entries that stand for it. */
interface OutlineItem {
  /** what it is about, to find it again */
  readonly about: string
  readonly entries: readonly string[]
}

/** One section of the specification, counted from its text, then item by item in the order of the text. */
export interface OutlineSection {
  readonly section: string
  readonly counts: { readonly statements: number; readonly tableRows: number; readonly gapBullets: number }
  readonly statements: readonly OutlineItem[]
  readonly tableRows: readonly OutlineItem[]
  readonly gapBullets: readonly OutlineItem[]
  /** entries that no sentence stands for: silences, and what only a binding promises */
  readonly beyond: readonly string[]
}

export interface Outline {
  readonly specification: string
  readonly sections: readonly OutlineSection[]
}

/** The outline of the specification that assay is written for. */
export function loadOutline(): Outline {
  return readData<Outline>('outline.json')
}

const PARTS = ['statements', 'tableRows', 'gapBullets'] as const

/** Whether outline and ledger cover each other. Returns what does not hold. */
export function checkOutline(outline: Outline, ledger: readonly Requirement[]): string[] {
  const entries = new Map(ledger.map((entry) => [entry.id, entry]))
  const sections = new Set(outline.sections.map(({ section }) => section))
  const problems = outline.sections.flatMap((section) => checkSection(section, entries))
  for (const { id, section } of ledger) {
    if (!sections.has(section)) problems.push(`${id}: the specification has no section '${section}'`)
  }
  return problems
}

function checkSection(section: OutlineSection, entries: ReadonlyMap<string, Requirement>): string[] {
  const problems: string[] = []
  const covered = new Set<string>()
  for (const part of PARTS) {
    const items = section[part]
    if (items.length !== section.counts[part]) {
      problems.push(`${section.section}: ${section.counts[part]} ${part} were counted, ${items.length} are listed`)
    }
    for (const item of items) {
      const where = `${section.section}, ${part}, '${item.about}'`
      if (item.entries.length === 0) problems.push(`${where}: no entry of the ledger stands for it`)
      for (const id of item.entries) {
        covered.add(id)
        const entry = entries.get(id)
        if (!entry) problems.push(`${where}: ${id} is not in the ledger`)
        else if (part === 'gapBullets' && !isGap(entry)) problems.push(`${where}: ${id} is not a gap`)
      }
    }
  }
  for (const id of section.beyond) {
    const level = entries.get(id)?.level
    if (level === undefined) problems.push(`${section.section}: ${id} is not in the ledger`)
    if (level === 'stated') problems.push(`${section.section}: ${id} is stated, but by no sentence`)
    if (covered.has(id)) problems.push(`${section.section}: ${id} is both covered and beyond the text`)
  }
  for (const { id, section: home } of entries.values()) {
    if (home === section.section && !covered.has(id) && !section.beyond.includes(id)) {
      problems.push(`${section.section}: ${id} is in the ledger, but not in the outline`)
    }
  }
  return problems
}
