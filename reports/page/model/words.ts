import type { Report, RequirementResult, Verdict } from '../../../schemas/types/report.ts'
import type { Change } from '../../compare/compare.ts'

export type Level = RequirementResult['level']
export type Overall = Report['verdict']

/** In the order in which they matter to a reader. */
export const VERDICT_ORDER: readonly Verdict[] = ['fail', 'error', 'warn', 'pass', 'observed', 'not-run']
export const LEVEL_ORDER: readonly Level[] = ['stated', 'implied', 'declared', 'open']

interface Words {
  readonly label: string
  /** tells verdicts apart where colours do not */
  readonly sign: string
  readonly means: string
}

export const VERDICTS: Readonly<Record<Verdict, Words>> = {
  fail: {
    label: 'fail',
    sign: '×',
    means: 'A stated requirement is broken; under strict rules an implied or declared one too.',
  },
  error: { label: 'error', sign: '?', means: 'assay itself went wrong here. This is never the fault of the target.' },
  warn: {
    label: 'warn',
    sign: '!',
    means: 'An implied or declared requirement is broken. The text does not say what a client would see.',
  },
  pass: { label: 'pass', sign: '✓', means: 'Judged, and nothing broken: good input taken, bad input refused.' },
  observed: { label: 'observed', sign: '○', means: 'The text is silent. What the target does is noted, never judged.' },
  'not-run': { label: 'not run', sign: '–', means: 'Not judged in this run. The reason is always given.' },
}

export const LEVELS: Readonly<Record<Level, string>> = {
  stated: 'the text says what a client sees',
  implied: 'the text has a rule, but not what a client sees when it is broken',
  declared: "promised by the target's own binding",
  open: 'the text is silent',
}

export const OVERALL: Readonly<
  Record<Overall, { readonly sign: string; readonly tone: Verdict; readonly means: string }>
> = {
  conformant: {
    sign: '✓',
    tone: 'pass',
    means: 'Every stated requirement of the claimed features that a run can bring about was judged, and holds.',
  },
  partial: {
    sign: '–',
    tone: 'warn',
    means: 'Nothing failed, but not everything that a run can bring about was judged.',
  },
  'non-conformant': { sign: '×', tone: 'fail', means: 'At least one requirement is broken.' },
  invalid: { sign: '?', tone: 'error', means: 'Nothing was really tested, or assay itself went wrong.' },
}

export const CHANGE_WORDS: Readonly<Record<Change, string>> = {
  'newly-failing': 'newly failing',
  'newly-warning': 'newly warning',
  vanished: 'no longer judged',
  fixed: 'fixed',
  appeared: 'judged for the first time',
  different: 'different in another way',
  same: 'the same',
}

/** Milliseconds in the unit that reads best. */
export function duration(ms: number): string {
  if (ms < 10) return `${trimmed(ms, 2)} ms`
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${trimmed(ms / 1000, 1)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

function trimmed(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)))
}

/** An ISO time as a person writes it; any other text stays unchanged. */
export function moment(iso: string): string {
  const time = Date.parse(iso)
  return Number.isNaN(time) ? iso : `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
