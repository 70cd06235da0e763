import { ledger } from '../../schemas/ledger.ts'
import type { Basis, Report } from '../../schemas/types/report.ts'
import { targetName } from '../build.ts'
import type { NamedReport } from '../compare/compare.ts'

/** A report that can be merged. */
export interface Mergeable {
  readonly name: string
  readonly report: Report
  readonly basis: Basis
}

/**
 * The reports that are to be merged, each run once: a report that is given twice counts once.
 * @throws MergeError where they are not about the same target by the same rules
 */
export function fitting(reports: readonly NamedReport[]): Mergeable[] {
  const named = reports.map(withBasis)
  const [first] = named
  if (!first) throw new MergeError('', 'there is no report to merge', 'name some')
  for (const other of named) requireAlike(first, other)
  const known = new Map<string, string>()
  return named.filter(({ name, basis }) => {
    const keys = basis.runs.map(({ verb, prefix, startedAt }) => `${verb} ${prefix} ${startedAt}`)
    const twice = keys.filter((key) => known.has(key))
    if (twice.length > 0 && twice.length === keys.length) return false
    const [key] = twice
    if (key !== undefined) {
      throw new MergeError(name, `holds a run that ${known.get(key)} holds as well`, 'merge the reports of single runs')
    }
    for (const one of keys) known.set(one, name)
    return true
  })
}

function withBasis({ name, report }: NamedReport): Mergeable {
  const { basis } = report
  if (!basis) {
    throw new MergeError(
      name,
      'does not say what its verdicts follow from',
      'write it again with this version of assay',
    )
  }
  const missing = report.requirements.length !== ledger().size
  if (missing || report.requirements.some(({ id }) => !ledger().has(id))) {
    throw new MergeError(name, 'knows other requirements than this version of assay', 'use one version for all')
  }
  return { name, report, basis }
}

const ALIKE: readonly (readonly [string, (report: Report) => string, string])[] = [
  ['version of the specification', ({ specification }) => specification, ''],
  ['version of the suite', ({ suite }) => `${suite.name} ${suite.version}`, 'use one version for all'],
  ['target', targetOf, 'give the target a name and a version in its configuration where its address changes'],
  ['binding', ({ binding }) => binding.chain.join(' > ') || 'none', 'use one binding for all'],
  ['rule of weight', ({ strict }) => (strict ? 'strict' : 'not strict'), 'use --strict for all or for none'],
]

/** What a target is known by: its name and version where it has some, else its address. */
function targetOf({ target }: Report): string {
  return target.name === '' ? target.baseUrl : targetName(target)
}

/** Refuses another report that differs from the first in something that has to be alike. */
function requireAlike(first: NamedReport, other: NamedReport): void {
  for (const [what, of, hint] of ALIKE) {
    const [expected, found] = [of(first.report), of(other.report)]
    if (expected !== found) {
      throw new MergeError(other.name, `is of another ${what} (${found}) than ${first.name} (${expected})`, hint)
    }
  }
}

/** Reports that cannot become one. The message says why, `where` which of them, `hint` what to do. */
class MergeError extends Error {
  override readonly name = 'MergeError'
  readonly where: string
  readonly hint: string

  constructor(where: string, message: string, hint: string) {
    super(message)
    this.where = where
    this.hint = hint
  }
}
