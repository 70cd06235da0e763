import { decide, type Judgement, observed } from '../../core/judgement.ts'
import { about, type Oracle, type Rule } from '../../core/rule.ts'
import { EXPORTING_V2, type ExchangeView } from '../../core/view.ts'
import { doubtOf } from '../../known/doubt.ts'
import { type Exclusion, selectedBy, standingOf } from '../../known/exclusions.ts'
import type { Line } from '../../known/lines.ts'
import type { LinesKnown, Sent } from '../../known/lines-store.ts'
import { isOnlyPage, type Shown, selects, shownIn } from '../../known/selection.ts'

/**
 * EXCLUSION-DROPS, EXCLUSION-OTHERS-STAY, EXCLUSION-STORED-STAY, EXCLUSION-DELETE-STORES: an exclusion rule drops the
 * new lines that match it, and only those. After its deletion they are stored again (category 'Exclusions', operation
 * rule 12).
 */
export const exclusionDropsRule: Rule<LinesKnown> = {
  operations: () => EXPORTING_V2,
  judge(view, known, oracle) {
    const { made, unknown } = known.exclusion
    const shown = made && !unknown ? shownIn(view) : undefined
    if (!shown || !isOnlyPage(view, shown.selection)) return []
    const judgements: Judgement[] = []
    for (const batch of known.sent.all) {
      if (batch.end > view.exchange._start) continue
      const lines = batch.lines.filter((line) => selects(shown.selection, line))
      if (lines.length > 0) judgements.push(...judgeBatch(batch, lines, { known, view, shown, oracle }))
    }
    return judgements
  },
}

interface Look {
  readonly known: LinesKnown
  readonly view: ExchangeView
  readonly shown: Shown
  readonly oracle: Oracle
}

/** Which of the lines of one request come out, and have to. */
function judgeBatch(batch: Sent, lines: readonly Line[], look: Look): readonly Judgement[] {
  const { known, view, shown, oracle } = look
  const { exclusion, newest } = known
  const { active, removed } = exclusion
  const out = shown.marked
  const isMatching = (line: Line): boolean => selectedBy(exclusion, line) === true
  const matching = lines.filter(isMatching)
  const others = lines.filter((line) => selectedBy(exclusion, line) === false)
  const doubt = doubtOf(view, newest, oracle)
  const standing = standingOf(exclusion, batch, oracle)
  if (standing === undefined) return []

  /** `unsure`: why even a settled read is no proof */
  function judge(
    requirement: string,
    due: readonly Line[],
    there: boolean,
    message: string,
    unsure?: string,
  ): Judgement[] {
    const wrong = due.filter(({ id }) => out.has(id) !== there).length
    if (due.length === 0 || (wrong === 0 && !there && doubt !== undefined)) return []
    const exchanges = [active?.exchange, removed?.exchange, batch.exchange, view.id].filter((id) => id !== undefined)
    const fault = {
      message,
      expected: there ? `${due.length} lines come out` : `none of ${due.length} lines comes out`,
      actual: there ? `${wrong} of them are missing` : `${wrong} of them come out`,
    }
    const claim = { ...about(view), requirement, exchanges: [...new Set(exchanges)] }
    return [decide(claim, wrong > 0 ? fault : undefined, unsure ?? (there ? doubt : undefined))]
  }

  if (standing.when === 'before') {
    const seen = matching.filter(({ id }) => known.taken.get(id)?.paged)
    return judge('EXCLUSION-STORED-STAY', seen, true, 'lines that were stored before an exclusion rule are gone')
  }
  if (standing.when === 'removed') {
    const message = 'new lines that match a deleted exclusion rule are still dropped'
    return judge('EXCLUSION-DELETE-STORES', matching, true, message, standing.doubt)
  }
  // A rule selects by an application or a host: it cannot match a line of which the target knows none, or another.
  const misread = matching.some(({ id, sender }) => {
    const told = out.get(id)?.sender
    const by = SELECTORS.filter((name) => namesOf(exclusion, name).has(sender?.[name] ?? ''))
    return by.every(
      (name) => view.operation?.fields[name] !== undefined && (told?.[name] ?? sender?.[name]) !== sender?.[name],
    )
  })
  // Lines of another host are sent in a request of their own, after this one.
  const after = known.sent.all.filter(({ start }) => start >= batch.end).flatMap((one) => one.lines)
  const isWitness = (line: Line): boolean => selectedBy(exclusion, line) === false && selects(shown.selection, line)
  const witnesses = others.length > 0 ? others : after.filter(isWitness)
  const beside = witnesses.length > 0 && witnesses.every(({ id }) => out.has(id))
  const stored = matching.some(({ id }) => out.has(id))
  const judged = judge('EXCLUSION-OTHERS-STAY', others, true, 'new lines that match no exclusion rule are dropped')
  // That none came says something only where what was sent with it came.
  if (beside || stored) {
    const unsure = standing.doubt ?? (misread ? MISREAD : undefined)
    const message = 'new lines that match an exclusion rule are stored'
    judged.unshift(...judge('EXCLUSION-DROPS', matching, false, message, unsure))
  }
  const first = known.sent.all.find(({ start, lines: sent }) => start >= (active?.end ?? 0) && sent.some(isMatching))
  if (first !== batch || !beside || doubt !== undefined) return judged
  const what = `the first matching lines after an exclusion rule was made are ${stored ? 'stored' : 'dropped'}`
  return [observed({ ...about(view), requirement: 'GAP-EXCLUSION-EFFECT', exchanges: [view.id] }, what), ...judged]
}

const SELECTORS = ['app', 'host'] as const

/** The words by which a rule may select lines of an application, or of a host. */
function namesOf({ names, words }: Exclusion, by: (typeof SELECTORS)[number]): ReadonlySet<string> {
  return by === 'app' ? names : new Set([...names, ...words])
}

const MISREAD = 'not judged: the target shows another application or host than was sent'
