import { setTimeout as sleep } from 'node:timers/promises'
import { type CertifyOptions, planRun } from '../../engine/certify/plan.ts'
import { findConfig } from '../../engine/config/config-file.ts'
import { type Check, type Examined, examine } from '../../engine/doctor/doctor.ts'
import { certificateOf } from '../../engine/doctor/tls.ts'
import type { Problem } from '../../engine/errors.ts'
import { openTargetSession } from '../../engine/session.ts'
import { clean, padded, wrap } from '../../reports/text.ts'
import { resolveBinding } from '../../schemas/binding.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { type AsJson, colorsFor, type Io, printedAsJson } from '../terminal/io.ts'

export type DoctorOptions = Pick<CertifyOptions, 'config' | 'binding' | 'features' | 'timeout' | 'readOnly'> & AsJson

const TIMEOUT_MS = 10_000
const MOST_BODY_BYTES = 4 * 1024 * 1024

/** Looks at a target and its configuration as a run would find them, and prints what is amiss. @throws UsageError */
export async function runDoctor(
  url: string | undefined,
  options: DoctorOptions,
  problems: readonly Problem[],
  io: Io,
): Promise<void> {
  const file = findConfig(options.config, io.cwd, 'reads')
  const given = { ...options, url, ...(file === undefined ? {} : { config: file }) }
  const { config, binding, claimed, selection, settings } = await planRun(given, io, problems)
  const timeoutMs = Math.min(settings.timeout, TIMEOUT_MS)
  const session = openTargetSession(config, {
    idPrefix: 'doctor-',
    connections: 1,
    timeoutMs,
    maxBodyBytes: MOST_BODY_BYTES,
  })
  try {
    const certificate = config.proxy === undefined ? await certificateOf(config.baseUrl, timeoutMs) : undefined
    const examined = await examine({
      config,
      binding: resolveBinding(binding),
      claimed,
      cases: selection.cases,
      session,
      certificate,
      now: Date.now,
      sleep,
    })
    const { checks, unreachable } = examined
    if (!printedAsJson(io, options.json, { checks }, 2)) io.stdout.write(inLines(examined, io))
    if (unreachable) io.exitCode = EXIT.unreachable
    else if (checks.some(({ state }) => state === 'problem')) io.exitCode = EXIT.usage
  } finally {
    await session.close()
  }
}

/** Columns of the names of checks, at least. */
const NAMES = 20

/** A line for each check, the fix under it, problems counted at the end. */
function inLines({ checks }: Examined, io: Io): string {
  const { green, red, yellow, dim, bold } = colorsFor(io)
  const paints = { ok: green, problem: red, note: yellow }
  const lines: string[] = []
  for (const about of new Set(checks.map((check) => check.about))) {
    const own = checks.filter((check) => check.about === about)
    const layout = { names: Math.max(NAMES, ...own.map(({ name }) => name.length)) + 2, columns: io.columns, dim }
    lines.push(...(lines.length === 0 ? [] : ['']), bold(about))
    const times = counts(own)
    for (const check of own) {
      const isRepeated = (times.get(check.fix) ?? 0) > 1
      lines.push(...ofCheck(isRepeated ? { ...check, fix: '' } : check, layout, paints[check.state]))
    }
    // What mends several is said once, after them.
    for (const [fix, count] of times)
      if (count > 1)
        lines.push(...wrap(clean(`fix of ${count} of these: ${fix}`), io.columns - 4).map((line) => `    ${dim(line)}`))
  }
  const problems = checks.filter(({ state }) => state === 'problem').length
  lines.push(
    '',
    problems === 0 ? 'ready: no problem found' : `${problems} ${problems === 1 ? 'problem' : 'problems'} found`,
  )
  return `${lines.join('\n')}\n`
}

type Paint = (text: string) => string

interface Layout {
  /** of the names of a section */
  readonly names: number
  readonly columns: number
  readonly dim: Paint
}

/** How often each fix is needed. */
function counts(checks: readonly Check[]): Map<string, number> {
  const times = new Map<string, number>()
  for (const { fix } of checks) if (fix !== '') times.set(fix, (times.get(fix) ?? 0) + 1)
  return times
}

function ofCheck({ name, state, what, fix }: Check, { names, columns, dim }: Layout, paint: Paint): string[] {
  const wide = columns >= 2 * names
  const margin = ' '.repeat(wide ? names + 12 : 4)
  const width = Math.max(20, columns - margin.length)
  const [first = '', ...rest] = wrap(clean(what), width)
  const head = `  ${paint(padded(state, 8))}  ${padded(clean(name), names)}`
  const text = wide
    ? [head + first, ...rest.map((line) => margin + line)]
    : [head.trimEnd(), ...[first, ...rest].map((line) => margin + line)]
  return fix === '' ? text : [...text, ...wrap(clean(`fix: ${fix}`), width).map((line) => margin + dim(line))]
}
