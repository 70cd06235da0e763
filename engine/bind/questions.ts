import { isGap, ledger } from '../../schemas/ledger.ts'
import { service } from '../../schemas/service.ts'
import type { BindingFile } from '../../schemas/types/binding.ts'
import type { TargetConfig } from '../../schemas/types/config.ts'
import { CONSENTS } from '../consent.ts'
import type { Findings, Sure } from './found.ts'
import { resolved, shipped } from './shipped.ts'

/** An operation, and what became of it. */
export interface OperationRow {
  readonly id: string
  readonly found: boolean
  /** the target has it, as far as its document, its traffic or its answers say */
  readonly there: boolean
  readonly method: string
  readonly path: string
  readonly status: number | null
  /** JSON pointers into the response */
  readonly idAt: string | null
  readonly recordAt: string | null
  readonly listAt: string | null
  /** where it comes from, or why it was not found */
  readonly from: string
  readonly sure: Sure | null
  /** requirements that are about it */
  readonly unlocks: number
}

/** The settings without which an operation cannot be tried. */
export function settingsFor(
  { family, effect, resource }: { readonly family: string; readonly effect?: string; readonly resource?: string },
  { credentials = {}, consent = {} }: TargetConfig,
  modify: boolean,
): string[] {
  const key = { enterprise: 'enterpriseServiceKey', ingestion: 'ingestionKey' } as const
  const needed = key[family as 'ingestion']
  const agreed = CONSENTS.get(resource ?? '')
  const isChange = effect !== 'read'
  return [
    ...(needed !== undefined && credentials[needed] === undefined ? [`credentials.${needed}`] : []),
    ...(isChange && !modify ? ['consent.modifyTarget'] : []),
    ...(isChange && agreed !== undefined && consent[agreed] !== true ? [`consent.${agreed}`] : []),
  ]
}

/** Keys and consents without which a search finds less, and how many operations wait for each. */
export function lackingFor(target: TargetConfig, modify: boolean): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const setting of service().operations.flatMap((row) => settingsFor(row, target, modify)))
    counts.set(setting, (counts.get(setting) ?? 0) + 1)
  return counts
}

/** Something that is still open. */
export interface Question {
  /** operation or gap */
  readonly about: string
  readonly text: string
  /** requirements that wait for the answer */
  readonly unlocks: number
  /** what to write, and where */
  readonly fix: string
}

/** How many requirements, gaps aside, are about an operation. */
function requirementsOf(operation: string): number {
  return [...ledger().values()].filter(
    (entry) => !isGap(entry) && entry.level !== 'open' && entry.operations.includes(operation),
  ).length
}

export function rowsOf({ operations, open, tried }: Findings): OperationRow[] {
  return [...shipped()[0].operations.values()].map(({ id, method, path }) => {
    const found = operations.get(id)
    return {
      id,
      found: found !== undefined,
      there: found !== undefined || tried.get(id) === true,
      method: found?.method ?? method,
      path: found?.path ?? path,
      status: found?.status ?? null,
      idAt: found?.answer?.id ?? null,
      recordAt: found?.answer?.record ?? null,
      listAt: found?.answer?.list ?? null,
      from: found?.from ?? open.get(id) ?? 'not seen',
      sure: found?.sure ?? null,
      unlocks: requirementsOf(id),
    }
  })
}

/** Places without which an operation is of little use. A change need not answer with anything. */
const ASKED_FOR = new Set(['list', 'events', 'pagination_id', 'processing_status'])

export function questionsOf(findings: Findings, file: BindingFile, rows: readonly OperationRow[]): Question[] {
  const operations = rows
    .filter(({ found, id }) => !found && file.operations?.[id] === undefined)
    .map(({ id, method, from, unlocks }) => ({
      about: id,
      text: `Where does the target have ${id}? ${sentence(from)}`,
      unlocks,
      fix:
        lacking(from) ??
        `write method (such as ${method}) and path to operations.${id}, or "offered": false where the target does not have it`,
    }))
  const inherited = resolved(file.extends)
  const gaps = [...ledger().values()].flatMap((entry): Question[] => {
    if (!isGap(entry) || entry.answer === undefined) return []
    const own = file.answers?.[entry.id]
    const isAnswered = own === undefined ? inherited.answers.has(entry.id) : own !== null
    if (isAnswered && !findings.open.has(entry.id)) return []
    const unlocks = [...ledger().values()].filter(
      ({ needs, level }) => needs?.includes(entry.id) && level !== 'open',
    ).length
    const why = findings.open.get(entry.id)
    return [
      {
        about: entry.id,
        text: `${entry.text}${why === undefined ? '' : ` ${sentence(why)}`}`,
        unlocks,
        fix: `write the answer to answers.${entry.id}; \`assay gaps\` shows its form`,
      },
    ]
  })
  const places = Object.entries(file.operations ?? {}).flatMap(([id, { answer = {} }]): Question[] => {
    const lost = Object.keys(answer).filter(
      (name) => answer[name as keyof typeof answer] === null && ASKED_FOR.has(name),
    )
    if (lost.length === 0 || !findings.operations.has(id) || !/^(list|get|create|export|start)-/.test(id)) return []
    const text = `Where in the response of ${id} is its ${lost.join(', its ')}?`
    const unlocks = requirementsOf(id)
    return [{ about: id, text, unlocks, fix: `write a JSON pointer to operations.${id}.answer.${lost[0]}` }]
  })
  return [...operations, ...gaps, ...places].sort((a, b) => b.unlocks - a.unlocks || (a.about < b.about ? -1 : 1))
}

/** What to do where something of the configuration was lacking. */
function lacking(from: string): string | undefined {
  const settings = from.match(/\b(?:credentials|consent)\.\w+/g)
  if (!settings) return undefined
  const agreed = settings.some((one) => one.startsWith('consent.')) ? ' (a consent to true, if you agree)' : ''
  return `set ${settings.join(' and ')}${agreed} in the configuration, and bind again`
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.?]$/.test(words) ? '' : '.'}`
}
