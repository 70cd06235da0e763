import type { Judgement } from '../judgement.ts'
import { isMarked, receivedLines } from '../lines.ts'
import { about, type HistoryRule } from '../rule.ts'
import { selectionOf } from '../selection.ts'

/** An export without an address, of the same group, that returned lines. */
interface Twin {
  readonly exchange: string | undefined
}

/**
 * With an e-mail address export v1 does not return the lines, and only confirms (section 'Export v1'). Judged beside the
 * same request without the address, which returned lines.
 */
export const mailsRule: HistoryRule<Twin> = {
  name: 'mails',
  intended: true,
  bound: 1_000,
  key: (view) => (view.operation?.id === 'export-v1' ? view.intent?.group : undefined),
  init: () => ({ exchange: undefined }),
  step(state, view) {
    const { email } = selectionOf(view)
    const marked = (receivedLines(view) ?? []).filter(isMarked).length
    if (email === undefined) {
      return { state: view.accepted && marked > 0 ? { exchange: view.id } : state, judgements: [] }
    }
    if (state.exchange === undefined) return { state, judgements: [] }
    const base = { ...about(view), exchanges: [state.exchange, view.id] }
    const judgements: Judgement[] = []
    if (view.accepted && marked > 0) {
      judgements.push({
        ...base,
        requirement: 'EXPORT-V1-MAIL-NO-LINES',
        outcome: 'broken',
        message: 'an export with an e-mail address returns the lines all the same',
        expected: 'no lines',
        actual: `${marked} lines`,
      })
    } else if (view.accepted) {
      judgements.push({ ...base, requirement: 'EXPORT-V1-MAIL-NO-LINES', outcome: 'held' })
      judgements.push({ ...base, requirement: 'EXPORT-V1-MAIL-CONFIRMS', outcome: 'held' })
    } else if (view.conclusive && ([400, 422].includes(view.status) || view.status >= 500)) {
      judgements.push({
        ...base,
        requirement: 'EXPORT-V1-MAIL-CONFIRMS',
        outcome: 'broken',
        message: 'an export with an e-mail address is not confirmed',
        expected: 'a confirmation that the result will be mailed',
        actual: `status ${view.status}`,
      })
    }
    return { state, judgements }
  },
  end: () => [],
}
