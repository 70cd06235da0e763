import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Report } from '../../schemas/types/report.ts'
import { EXIT } from '../terminal/exit-codes.ts'

/** Variables of the environment, by name. */
export type Environment = Readonly<Record<string, string | undefined>>

// Each input has the name of the option that it stands for.
const VALUES = ['config', 'binding', 'profile', 'seed', 'shard', 'expect', 'baseline', 'out', 'bundle', 'sign']
/** of several words */
const LISTS = ['features', 'only', 'fail-on']
/** true or false */
const SWITCHES = ['embedded', 'strict', 'allow-partial', 'yes-modify-target']

/** The inputs that `report merge` understands. */
const MERGING = new Set(['expect', 'baseline', 'fail-on', 'out', 'allow-partial'])

/** What an input of the action holds: `allow-partial` stands in `ASSAY_INPUT_ALLOW_PARTIAL`. */
export function inputOf(env: Environment, name: string): string {
  return (env[`ASSAY_INPUT_${name.toUpperCase().replaceAll('-', '_')}`] ?? '').trim()
}

/** The command line that the inputs ask for. `reports`: the reports found where they are to be merged. */
export function commandOf(env: Environment, reports: readonly string[]): string[] {
  const merging = inputOf(env, 'merge') !== ''
  const given = (names: readonly string[], wordsOf: (value: string) => readonly string[] | undefined): string[] =>
    names.flatMap((name) => {
      const value = inputOf(env, name)
      const words = value === '' || (merging && !MERGING.has(name)) ? undefined : wordsOf(value)
      return words === undefined ? [] : [`--${name}`, ...words]
    })
  const options = [
    ...given(VALUES, (value) => [value]),
    ...given(LISTS, (value) => value.match(/[^\s,]+/g) ?? undefined),
    ...given(SWITCHES, (value) => (value === 'true' ? [] : undefined)),
    ...['--reporter', 'markdown', 'ctrf', 'badge-json'],
  ]
  if (merging) return ['report', 'merge', ...reports, ...options]
  const url = inputOf(env, 'url')
  return ['certify', ...(url === '' ? [] : [url]), ...options]
}

/** Every report.json in a folder and below it, in order; a file itself; none where there is neither. */
export function reportsIn(path: string): string[] {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(^|[/\\])report\.json$/.test(name))
    .map((name) => join(path, name))
    .sort()
}

/** The output of a command in its folder, for later steps. */
export interface ActionOutcome {
  /** '' where there is no report */
  readonly verdict: string
  /** path of report.json; '' where there is none */
  readonly report: string
  /** Markdown; '' where there is none */
  readonly summary: string
}

/** No report, and so no verdict. */
export const NO_OUTCOME: ActionOutcome = { verdict: '', report: '', summary: '' }

/** With these there is no verdict, whatever stands in the folder. */
const WITHOUT_VERDICT: ReadonlySet<number> = new Set([EXIT.usage, EXIT.unreachable])

/**
 * To be called before a command writes into the folder `out`. Tells what the command left there when it ended with
 * `code`. A file that was there before and did not change is of an earlier run, and does not count.
 */
export function watchOutcome(out: string): (code: number) => ActionOutcome {
  const path = join(out, 'report.json')
  const summaryPath = join(out, 'summary.md')
  const before = new Map([path, summaryPath].map((one) => [one, stampOf(one)]))
  const isNew = (one: string): boolean => {
    const stamp = stampOf(one)
    return stamp !== undefined && stamp !== before.get(one)
  }
  return (code) => {
    if (WITHOUT_VERDICT.has(code) || !isNew(path)) return NO_OUTCOME
    const { verdict } = JSON.parse(readFileSync(path, 'utf8')) as Report
    return { verdict, report: path, summary: isNew(summaryPath) ? readFileSync(summaryPath, 'utf8') : '' }
  }
}

/** Tells one writing of a file from another, also within the same moment: each is a new file under the old name. */
function stampOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found?.isFile() ? `${found.ino} ${found.mtimeNs} ${found.ctimeNs}` : undefined
}
