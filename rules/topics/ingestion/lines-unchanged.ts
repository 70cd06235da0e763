import type { LineSender } from '../../../schemas/types/exchange.ts'
import { decide, type Judgement } from '../../core/judgement.ts'
import { misfit, nameInLine } from '../../core/misfit.ts'
import { about, type Oracle, type Rule } from '../../core/rule.ts'
import type { ExchangeView } from '../../core/view.ts'
import { shown } from '../../core/words.ts'
import type { Line } from '../../known/lines.ts'
import type { LinesKnown, Taken } from '../../known/lines-store.ts'
import { shownIn } from '../../known/selection.ts'

const FIELDS = ['host', 'app', 'level', 'tags'] as const
/** Lines of an answer that its body still holds. */
const SHOWN_LINES = 3

/** LINES-VERBATIM, LINES-FIELDS: a line comes out with the text and the fields that were sent (category 'Ingestion'). */
export const linesUnchangedRule: Rule<LinesKnown> = {
  name: 'lines come out with their text and fields',
  operations: () => ['export-v1', 'export-v2'],
  judge(view, known, oracle) {
    const names = comparedIn(view, oracle)
    let same = false
    let text: Taken | undefined
    let field: readonly [Taken, Line] | undefined
    // Lines of one request share what sent them: most pairs are the same as the one before.
    let alike: readonly [LineSender | undefined, LineSender | undefined] = [undefined, undefined]
    for (const read of shownIn(view)?.marked.values() ?? []) {
      const taken = known.taken.get(read.id)
      if (!taken || taken.batch.mayBeDropped) continue
      same = true
      if (!text && read.hash !== taken.line.hash) text = taken
      if (field || (alike[0] === taken.line.sender && alike[1] === read.sender)) continue
      if (differs(taken.line, read, names)) field = [taken, read]
      else alike = [taken.line.sender, read.sender]
    }
    if (!same) return []
    const base = { ...about(view), exchanges: [view.id], edge: view.operation?.id ?? '' }
    const fault = text && {
      message: 'a line comes out with another text than was sent',
      expected: `the text that was sent as ${text.line.id}`,
      actual: 'a text with another hash',
    }
    const exchanges = text ? [text.batch.exchange, view.id] : base.exchanges
    const verbatim = decide({ ...base, exchanges, requirement: 'LINES-VERBATIM' }, fault, undefined)
    return names.length === 0 ? [verbatim] : [verbatim, ...judgeFields(view, known, names, field)]
  },
}

/** The fields that can be sent and read under the binding. */
function comparedIn(view: ExchangeView, { binding }: Oracle): readonly (keyof LineSender)[] {
  const bound = view.operation?.fields ?? {}
  const sendable = binding.operations.get('ingest-lines')?.fields ?? {}
  return FIELDS.filter((name) => {
    const sent = name === 'host' || name === 'tags' || sendable[name] !== undefined
    return sent && bound[name] !== undefined
  })
}

function judgeFields(
  view: ExchangeView,
  known: LinesKnown,
  compared: readonly (keyof LineSender)[],
  different: readonly [Taken, Line] | undefined,
): Judgement[] {
  const claim = { ...about(view), edge: view.operation?.id ?? '', requirement: 'LINES-FIELDS', exchanges: [view.id] }
  if (!different) return [{ ...claim, outcome: 'held' }]
  const misnamed = misnamedFields(view, known, compared)
  const [first] = misnamed
  const { edge, ...place } = claim
  const judged: Judgement[] = first ? [{ ...place, outcome: 'misfit', message: misfit(view, ...first) }] : []
  const names = compared.filter((name) => !misnamed.some(([other]) => other === name))
  const [{ line, batch }, read] = different
  if (!differs(line, read, names)) return judged
  const fault = {
    message: 'a line comes out with other fields than were sent',
    expected: shown(only(line.sender, names)),
    actual: shown(only(read.sender, names)),
  }
  return [...judged, decide({ ...claim, exchanges: [batch.exchange, view.id] }, fault, undefined)]
}

/** Fields that a line seems to lack, and whose value it has under another name. */
function misnamedFields(
  view: ExchangeView,
  known: LinesKnown,
  names: readonly (keyof LineSender)[],
): (readonly [ours: string, found: string])[] {
  const found = new Map<string, string>()
  for (const [index, read] of (shownIn(view)?.lines ?? []).slice(0, SHOWN_LINES).entries()) {
    const sent = known.taken.get(read.id)?.line.sender
    for (const name of sent && read.sender ? names : []) {
      if (String(read.sender?.[name]) !== '' || found.has(name)) continue
      const other = nameInLine(view, index, sent?.[name])
      if (other !== undefined) found.set(name, other)
    }
  }
  return [...found]
}

function differs({ sender: sent }: Line, { sender: read }: Line, names: readonly (keyof LineSender)[]): boolean {
  return sent !== undefined && read !== undefined && names.some((name) => String(sent[name]) !== String(read[name]))
}

function only(sender: LineSender | undefined, names: readonly (keyof LineSender)[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, sender?.[name]]))
}
