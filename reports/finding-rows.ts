import type { Finding, FindingExchange } from '../schemas/types/report.ts'
import { markdownBlock, markdownCode, markdownText } from './markup.ts'
import { changeOf, exchangeLine, STEP, stepsOf, whereOf } from './shown-exchange.ts'
import { apart, clean } from './text.ts'

/** What a row says: outputs give each kind its own place and length. Of commands the first is the one to show. */
export type RowKind = 'message' | 'differs' | 'place' | 'case' | 'line' | 'body' | 'response' | 'command'

/** A row of a finding, the same in every output. Its text is one clean line; only a command is as it was written. */
export interface FindingRow {
  readonly kind: RowKind
  /** '' where it goes on with the row before */
  readonly label: string
  readonly text: string
}

interface RowOptions {
  /** what all addresses begin with, which is not said again */
  readonly base?: string | undefined
  /** characters of a row; of some kinds fewer */
  readonly most?: number
  readonly mostOf?: Partial<Readonly<Record<RowKind, number>>>
  /** the exchanges stand in a recording: many requests for one address look alike there */
  readonly isRecorded?: boolean
}

const MOST = 1000
const LONGEST_LABEL = 40
/** Of ids in the steps of a walk the beginning tells which is which. */
const UUIDS = /([0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/**
 * A finding row by row, in the order of every output. Before the deciding request stands what it is compared with: the
 * change that a read does not show, or the control of a refusal. Rows without a text are left out.
 */
export function findingRows(finding: Finding, options: RowOptions = {}): FindingRow[] {
  const { base = '', most = MOST, mostOf = {}, isRecorded = false } = options
  const lengthOf = (kind: RowKind): number => mostOf[kind] ?? most
  const [expected, actual] = apart(finding.expected, finding.actual, lengthOf('differs'))
  const { compared, deciding, role } = comparedIn(finding)
  const { steps, afterMs } = stepsOf(finding)
  const bodies = apart(compared?.requestBody ?? '', deciding?.requestBody ?? '', lengthOf('body'))
  const line = (exchange: FindingExchange | undefined): string => (exchange ? exchangeLine(exchange, base) : '')
  const isSame = compared !== undefined && compared.requestBody === deciding?.requestBody
  const rows: readonly (readonly [kind: RowKind, label: string, text: string])[] = [
    ['message', '', finding.message],
    ['differs', 'expected', expected],
    ['differs', 'actual', actual],
    ['place', 'at', whereOf(finding).join(', ')],
    ['case', 'case', finding.case],
    ...steps.map((step, index): [RowKind, string, string] => [
      'line',
      index === 0 ? 'steps' : '',
      `${index + 1}. ${line(step).replace(UUIDS, '$1…')}`,
    ]),
    ['line', 'after', afterMs > 0 ? `${(afterMs / 1000).toFixed(1)} s` : ''],
    ['line', role, line(compared)],
    ['body', '', bodies[0]],
    ['line', 'request', line(deciding)],
    ['body', '', bodies[1] !== '' && isSame ? 'the same body' : bodies[1]],
    ['response', 'response', deciding?.responseBody ?? ''],
    [
      'place',
      'recorded',
      isRecorded && deciding ? [deciding.id, deciding.startedAt ?? ''].filter(Boolean).join(', ') : '',
    ],
    ['command', 'again', finding.reproduce],
    ['command', 'by hand', finding.curl],
  ]
  return rows
    .filter(([, , text]) => text !== '')
    .map(([kind, label, text]) => ({
      kind,
      label: clean(label, LONGEST_LABEL),
      text: kind === 'command' ? text : clean(text, lengthOf(kind)),
    }))
}

/** The request that decides, and the one that it is compared with. The steps of a walk stand for the latter. */
function comparedIn(finding: Finding) {
  const about = finding.exchanges.filter(({ role }) => role !== 'setup' && role !== STEP)
  const deciding = about.at(-1)
  const change = changeOf(finding)
  const isWalk = finding.exchanges.some(({ role }) => role === STEP)
  const compared = isWalk ? undefined : (change ?? about.at(-2))
  return { deciding, compared, role: compared === undefined ? '' : compared === change ? 'change' : compared.role }
}

/** The rows as lines with labels. `safe`: makes a text harmless where it is shown. */
export function labelledRows(finding: Finding, safe: (text: string) => string, options?: RowOptions): string {
  return findingRows(finding, options)
    .map(({ label, text }) => `${label === '' ? '' : `${label}: `}${safe(text)}`)
    .join('\n')
}

/** The rows as a list in Markdown, and the command in a block of its own. */
export function markdownRows(finding: Finding): string[] {
  const rows = findingRows(finding, { most: 300 })
  const command = rows.find(({ kind }) => kind === 'command')
  const lines = rows
    .filter(({ kind }) => kind !== 'message' && kind !== 'command')
    .map(({ kind, label, text }) => `- ${kind === 'body' ? 'body' : markdownText(label)}: ${markdownCode(text, 400)}`)
  return command ? [...lines, '', markdownBlock(command.text, 'sh', 600)] : lines
}
