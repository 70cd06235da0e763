import { existsSync, readFileSync } from 'node:fs'
import type { DifferenceGroup, ExampleAnswer, ReplayReport } from '../../schemas/types/replay.ts'
import type { Report, RequirementResult } from '../../schemas/types/report.ts'
import { boundedExchange, shortFinding, TEXTS, targetName } from '../build.ts'
import type { NamedReport } from '../compare/compare.ts'
import { number } from '../counted.ts'
import { inertJson } from '../inert.ts'
import { markupText } from '../markup.ts'
import { comparedInWords } from '../replay-words.ts'
import { bounded } from '../text.ts'

// Beside this module where it was built; a build by the side of `dist`, and the sources, take the page from there.
const HERE = new URL('../', import.meta.url)
const PLACES = ['./', '../dist/reports/', '../../dist/reports/']
const LONGEST_NAME = 200
/** of all data in a page, in bytes */
const MOST_DATA = 1_000_000
/** of what a replay found, of it */
const MOST_BESIDE = 500_000

const built = new Map<string, string>()

/** A page without data, as it was built; undefined where it was not. */
export function builtPage(name: 'page.html' | 'live.html'): string | undefined {
  const found = built.get(name)
  if (found !== undefined) return found
  const place = PLACES.map((folder) => new URL(`${folder}${name}`, HERE)).find((url) => existsSync(url))
  if (place === undefined) return undefined
  const page = readFileSync(place, 'utf8')
  built.set(name, page)
  return page
}

/** A page with its title and its data, which stand in it as text and as inert JSON. */
export function filledPage(page: string, title: string, data: object): string {
  const parts: Readonly<Record<string, string>> = { title: markupText(title, 2 * LONGEST_NAME), data: inertJson(data) }
  // one pass, so that nothing that is put in is looked at again
  return page.replaceAll(/%(title|data)%/g, (_mark, name: string) => parts[name] ?? '')
}

/**
 * The report as one HTML file that needs nothing from anywhere and asks nobody. The report stands in it as inert data;
 * what a target answered cannot become markup or script. If a report is too large for a page, long bodies and further
 * findings are left out, and the page says so.
 */
export function renderHtml(report: Report, page: string, replay?: ReplayReport): string {
  return rendered([{ name: 'report.json', report }], page, replay)
}

/** The same for several reports: opened as a comparison, in which the first is the baseline. */
export function renderComparisonHtml(reports: readonly NamedReport[], page: string): string {
  return rendered(reports, page)
}

function rendered(reports: readonly NamedReport[], page: string, found?: ReplayReport): string {
  const replay = found && slimReplay(found, MOST_BESIDE)
  const each = Math.floor((MOST_DATA - (replay ? MOST_BESIDE : 0)) / Math.max(1, reports.length))
  const cuts = new Set<string>()
  const shown = reports.map(({ name, report }) => {
    const slim = slimmed(report, each)
    for (const cut of slim.cuts) cuts.add(cut)
    return { name, report: slim.report }
  })
  return filledPage(page, titleOf(reports, replay), { reports: shown, cuts: [...cuts], replay })
}

function titleOf(reports: readonly NamedReport[], replay: ReplayReport | undefined): string {
  const [first] = reports
  if (!first || reports.length > 1) return `Comparison of ${reports.length} reports`
  const { target, verdict, specification } = first.report
  const name = bounded(targetName(target), LONGEST_NAME)
  if (replay) return `Replay to ${name || 'the target'}: ${comparedInWords(replay).replace(/\.$/, '')}`
  return `${name || 'The target'}: ${verdict} with specification ${specification}`
}

/** A report that fits, and what was left out to make it fit. */
export interface Slim {
  readonly report: Report
  /** in words; empty where nothing but what merging needs is missing */
  readonly cuts: readonly string[]
}

interface Limits {
  /** characters of each body and curl line */
  readonly body: number
  /** findings of each requirement */
  readonly findings: number
}

const STEPS: readonly Limits[] = [
  { body: 16_384, findings: Number.POSITIVE_INFINITY },
  { body: 4096, findings: Number.POSITIVE_INFINITY },
  { body: 2048, findings: Number.POSITIVE_INFINITY },
  { body: 2048, findings: 2 },
  { body: 2048, findings: 1 },
  { body: 512, findings: 1 },
  { body: 128, findings: 1 },
  { body: 128, findings: 0 },
]

/**
 * The report in at most `most` bytes of a page, if possible. First the data that only merging needs are left out. Then
 * long bodies are cut, then the further findings of a requirement. Verdicts, reasons and counts always stay.
 */
export function slimmed(report: Report, most: number): Slim {
  const bare = withoutBasis(report)
  let slim: Slim = { report: bare, cuts: [] }
  for (const limits of STEPS) {
    slim = limited(bare, limits)
    if (Buffer.byteLength(inertJson(slim.report)) <= most) break
  }
  return slim
}

/** What a replay found, in at most `most` bytes: of examples as much as fits, then of groups. */
function slimReplay(replay: ReplayReport, most: number): ReplayReport {
  let slim = replay
  for (const { body, groups } of REPLAY_STEPS) {
    slim = { ...replay, differences: replay.differences.slice(0, groups).map((group) => shortGroup(group, body)) }
    if (Buffer.byteLength(inertJson(slim)) <= most) break
  }
  const hidden = replay.differences.slice(slim.differences.length).reduce((sum, { count }) => sum + count, 0)
  return { ...slim, moreDifferences: replay.moreDifferences + hidden }
}

const REPLAY_STEPS: readonly { readonly body: number; readonly groups: number }[] = [
  { body: 8192, groups: 500 },
  { body: 2048, groups: 500 },
  { body: 512, groups: 200 },
  { body: 0, groups: 100 },
]

function shortGroup(group: DifferenceGroup, body: number): DifferenceGroup {
  const { sent, recordedAnswer, replayedAnswer, ...example } = group.example
  if (!recordedAnswer || !replayedAnswer || body === 0) return { ...group, example }
  const short = (answer: ExampleAnswer): ExampleAnswer => ({ ...answer, body: bounded(answer.body, body) })
  return {
    ...group,
    example: {
      ...example,
      ...(sent === undefined ? {} : { sent: bounded(sent, body) }),
      recordedAnswer: short(recordedAnswer),
      replayedAnswer: short(replayedAnswer),
    },
  }
}

/** The page shows only the runs of the basis. */
function withoutBasis({ basis, ...rest }: Report): Report {
  if (!basis) return rest
  const { failed: _failed, ...shown } = basis
  return { ...rest, basis: { ...shown, expected: [], cases: [], sides: {}, broken: {} } }
}

function limited(report: Report, { body, findings }: Limits): Slim {
  const kept = report.requirements.map((result) => ({ ...result, findings: result.findings.slice(0, findings) }))
  const kinds = report.serverErrors?.kinds ?? []
  const exchanges = [
    ...kept.flatMap((result) => result.findings.flatMap((finding) => finding.exchanges)),
    ...kinds.map(({ smallest }) => smallest),
  ]
  const cutBodies = exchanges.flatMap((one) => TEXTS.filter((name) => one[name].length > body)).length
  const cutFindings = countFindings(report.requirements) - countFindings(kept)
  const requirements = kept.map((result) => ({
    ...result,
    findings: result.findings.map((finding) => shortFinding(finding, body, 2 * body)),
  }))
  const short = kinds.map((kind) => ({ ...kind, smallest: boundedExchange(kind.smallest, body) }))
  const cuts = [
    ...(cutBodies > 0 ? [`what ${number(cutBodies)} bodies hold beyond ${body} characters`] : []),
    ...(cutFindings > 0 ? [`${number(cutFindings)} further findings`] : []),
  ]
  const { serverErrors } = report
  return {
    report: { ...report, requirements, ...(serverErrors && { serverErrors: { ...serverErrors, kinds: short } }) },
    cuts,
  }
}

function countFindings(results: readonly RequirementResult[]): number {
  return results.reduce((sum, { findings }) => sum + findings.length, 0)
}
