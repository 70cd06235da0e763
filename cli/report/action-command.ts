import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Variables of the environment, by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** input -> option that takes its value */
const VALUES: Readonly<Record<string, string>> = {
  config: '--config',
  binding: '--binding',
  profile: '--profile',
  seed: '--seed',
  shard: '--shard',
  expect: '--expect',
  baseline: '--baseline',
  out: '--out',
  bundle: '--bundle',
  sign: '--sign',
}

/** input that holds several words -> option that takes them */
const LISTS: Readonly<Record<string, string>> = { features: '--features', only: '--only', 'fail-on': '--fail-on' }

/** input that is true or false -> option */
const SWITCHES: Readonly<Record<string, string>> = {
  embedded: '--embedded',
  strict: '--strict',
  'allow-partial': '--allow-partial',
  'yes-modify-target': '--yes-modify-target',
}

/** What of this `report merge` understands. */
const MERGING = new Set(['expect', 'baseline', 'fail-on', 'out', 'allow-partial'])

/** What an input of the action holds: `allow-partial` stands in `ASSAY_INPUT_ALLOW_PARTIAL`. */
export function inputOf(env: Environment, name: string): string {
  return (env[`ASSAY_INPUT_${name.toUpperCase().replaceAll('-', '_')}`] ?? '').trim()
}

/** The command line that the inputs ask for. `reports`: the reports found where they are to be merged. */
export function commandOf(env: Environment, reports: readonly string[]): string[] {
  const merging = inputOf(env, 'merge') !== ''
  const fits = (name: string): boolean => !merging || MERGING.has(name)
  const options = [
    ...Object.entries(VALUES).flatMap(([name, option]) => {
      const value = inputOf(env, name)
      return value === '' || !fits(name) ? [] : [option, value]
    }),
    ...Object.entries(LISTS).flatMap(([name, option]) => {
      const words = inputOf(env, name)
        .split(/[\s,]+/)
        .filter((word) => word !== '')
      return words.length === 0 || !fits(name) ? [] : [option, ...words]
    }),
    ...Object.entries(SWITCHES).flatMap(([name, option]) =>
      inputOf(env, name) === 'true' && fits(name) ? [option] : [],
    ),
    '--reporter',
    'markdown',
    'ctrf',
    'badge',
    'badge-json',
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
