import { entryToSet, LEFT_OUT } from '../rules/core/not-run.ts'
import type { Report, RequirementResult } from '../schemas/types/report.ts'
import { counted } from './counted.ts'

/** Requirements that were not judged for one cause, and what to do about it. */
export interface ToDo {
  /** a clause without an end: 'credentials.ingestionKey is not configured' */
  readonly cause: string
  /** a sentence; '' where nobody can do anything about it */
  readonly fix: string
  /** those of the text itself first */
  readonly results: readonly RequirementResult[]
}

/** Everything that was not judged. */
export interface NotJudged {
  /** what can be done, most requirements first */
  readonly toDo: readonly ToDo[]
  /**
   * requirements that need no action: nobody can observe them, the text leaves them open, or they were left out on
   * purpose
   */
  readonly rest: readonly ToDo[]
}

/** How many gaps the binding leaves unanswered, and how many of those hold a requirement back: most hold back nothing. */
export function unansweredInWords({ binding, requirements }: Pick<Report, 'binding' | 'requirements'>): string {
  const unanswered = new Set(binding.unanswered)
  const held = requirements.flatMap(({ level, verdict, reason }) => {
    const gap = level === 'open' || verdict !== 'not-run' ? undefined : /\bGAP-[A-Z0-9-]+/.exec(reason)?.[0]
    return gap !== undefined && unanswered.has(gap) ? [gap] : []
  })
  const gaps = new Set(held).size
  const which = gaps === 0 ? 'none holds' : `${gaps} ${gaps === 1 ? 'holds' : 'hold'}`
  const what = gaps === 0 ? 'anything' : counted(held.length, 'requirement')
  return `${counted(unanswered.size, 'gap')} unanswered${unanswered.size === 0 ? '' : `: ${which} ${what} back`}`
}

type Way = Pick<ToDo, 'cause' | 'fix'>

/**
 * The requirements of a report that were not judged, by cause; not those that --only left out. `all`: every result of the report, since the text of a gap is
 * one of them.
 */
export function notJudged(all: readonly RequirementResult[]): NotJudged {
  const texts = new Map(all.filter(({ level }) => level === 'open').map(({ id, text }) => [id, text]))
  const groups = new Map<string, { way: Way; results: RequirementResult[] }>()
  for (const result of all) {
    if (result.verdict !== 'not-run' || result.reason === LEFT_OUT) continue
    const way = wayOf(result, texts)
    // Each requirement has its own words for doubts about answers: one entry shows those of the first.
    const key = way.fix === LOOK || way.fix === SEND ? way.fix : `${way.fix}\n${withoutExample(way.cause)}`
    const group = groups.get(key) ?? { way, results: [] }
    groups.set(key, group)
    group.results.push(result)
  }
  const sorted = [...groups.values()]
    .map(({ way, results }) => ({ ...way, results: [...results].sort((a, b) => weight(b) - weight(a)) }))
    .sort((a, b) => b.results.length - a.results.length)
  return { toDo: sorted.filter(({ fix }) => fix !== ''), rest: sorted.filter(({ fix }) => fix === '') }
}

/** A cause without the request that shows it, which is another one for each requirement. */
function withoutExample(cause: string): string {
  return cause.replace(/ \((?:GET|POST|PUT|PATCH|DELETE) .*$/s, '')
}

const WEIGHTS: readonly string[] = ['open', 'declared', 'implied', 'stated']

function weight({ level }: RequirementResult): number {
  return WEIGHTS.indexOf(level)
}

const LOOK = 'Look at these requests in the report: the target answers them in a way that proves nothing.'

const REPEAT =
  'Run `assay certify --only` with these ids, and look at their requests in the evidence: no response was about them.'

const SEND = 'Send good and bad requests there: record more traffic, or run the whole of `assay certify`.'

/** Why a requirement was not judged, and the way out. `texts`: those of the gaps. */
function wayOf({ reason, level, id }: RequirementResult, texts: ReadonlyMap<string, string>): Way {
  const [, kind = '', detail = ''] = /^([a-z-]+): (.*)$/s.exec(reason) ?? []
  const entry = entryToSet(detail)
  if (entry !== undefined)
    return { cause: detail.slice(0, detail.indexOf(': set `')), fix: `Set \`${entry}\` in the binding.` }
  switch (kind) {
    case 'not-observable':
      return { cause: 'cannot be observed over HTTP', fix: '' }
    case 'answered':
      return { cause: 'are gaps that the binding answers', fix: '' }
    case 'not-offered':
      return { cause: `need what the target does not offer, as the binding says (${operationOf(detail)})`, fix: '' }
    case 'not-claimed':
      return { cause: `belong to a feature that is not claimed (${detail.split(' ')[2] ?? detail})`, fix: '' }
    case 'disabled':
      return disabled(detail)
    case 'not-provoked':
      return notProvoked(detail, level)
    case 'answer-does-not-fit':
      return { cause: detail, fix: 'Correct this answer in the binding.' }
    case 'inconclusive':
      return inconclusive(detail, id)
    default:
      return missing(detail, texts)
  }
}

function inconclusive(detail: string, id: string): Way {
  // Brackets behind it say why a request that was sent there was not judged.
  const [, where] = /^not seen whole at ([^(]*)$/.exec(detail) ?? []
  if (where !== undefined) return { cause: `were seen only in part, such as ${id} at ${where}`, fix: SEND }
  return { cause: `the responses prove nothing, for ${id} because: ${detail}`, fix: LOOK }
}

function disabled(detail: string): Way {
  const option = /--(?:read-only|max-ingest-bytes|max-ingest)/.exec(detail)?.[0]
  if (option === '--read-only') return { cause: 'the run was read-only', fix: 'Run without --read-only.' }
  if (option !== undefined) return { cause: `${option} left too few lines`, fix: `Allow more with ${option}.` }
  if (detail.includes('shard')) return { cause: detail, fix: 'Merge the reports of all shards: `assay report merge`.' }
  return { cause: `were ${detail}`, fix: '' }
}

function notProvoked(detail: string, level: string): Way {
  if (level === 'open') return { cause: 'are gaps about which nothing was observed', fix: '' }
  if (detail === 'it was not seen in this traffic') {
    return { cause: 'they do not occur in this traffic', fix: 'Record more traffic, or run `assay certify`.' }
  }
  // A requirement that is only seen by chance has a reason of its own, and holds nothing back.
  const isMissed = level === 'stated' && (detail === 'it did not occur' || detail.startsWith('not judged'))
  return { cause: 'did not occur', fix: isMissed ? REPEAT : '' }
}

/** What a run lacked: a place in the configuration or the answer to a gap is named in the reason. */
function missing(detail: string, texts: ReadonlyMap<string, string>): Way {
  const [setting] = /\b(?:credentials|consent|resources|sink)\.[A-Za-z]+/.exec(detail) ?? []
  if (setting?.startsWith('consent.')) {
    const cause = detail.replace(/ \(consent\.[A-Za-z]+\)$/, '')
    return { cause, fix: `If that is all right, set \`${setting}\` to true in the configuration.` }
  }
  if (setting !== undefined) {
    return { cause: `${setting} is not configured`, fix: `Set \`${setting}\` in the configuration.` }
  }
  const [gap] = /\bGAP-[A-Z0-9-]+/.exec(detail) ?? []
  if (gap !== undefined) {
    const text = texts.get(gap)?.replace(/\.$/, '')
    const cause = `the binding does not answer ${gap}${text === undefined ? '' : ` (${text})`}`
    if (gap.startsWith('GAP-PATHS-'))
      return { cause, fix: '`assay bind --probe` finds these operations; or add them to the binding.' }
    return { cause, fix: `Answer it in the binding; \`assay explain ${gap}\` says how.` }
  }
  if (/^the binding (?:has no|does not say)/.test(detail)) return { cause: detail, fix: 'Add it to the binding.' }
  return { cause: detail, fix: LOOK_AT_REFUSAL }
}

const LOOK_AT_REFUSAL =
  'The evidence folder holds the request: mend the sample body in the binding, or use a credential with the right.'

/** Of 'create-board is not offered (binding.json#/operations/create-board)'. */
function operationOf(detail: string): string {
  return detail.split(' ')[0] ?? detail
}
