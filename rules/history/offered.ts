import { at } from '../../schemas/pointer.ts'
import { about, type HistoryRule } from '../rule.ts'
import { type ExchangeView, jsonOf } from '../view.ts'

interface Tried {
  readonly accepted: boolean
  /** good requests that were refused for their own sake, or that the server failed at */
  readonly failed: readonly ExchangeView[]
}

/** operation -> that it can be used at all, in the form that the binding gives */
const REQUIREMENTS: Readonly<Record<string, string>> = {
  'ingest-lines': 'INGESTION-ACCEPTS',
  'export-v1': 'EXPORT-V1-OFFERED',
  'export-v2': 'EXPORT-V2-OFFERED',
  'get-ingestion-status': 'SUSPENSION-READ',
}

/** A good request that fails this often, and is never carried out, is no accident. */
const OFTEN = 3

/**
 * Operations that the text only names: a good request is carried out. That a target refuses it proves a fault only of
 * the sending of lines, whose form the binding gives whole; elsewhere only a server error does, and never one alone.
 */
export const offeredRule: HistoryRule<Tried> = {
  name: 'offered',
  bound: 1_000,
  key(view) {
    const id = view.operation?.id ?? ''
    return id in REQUIREMENTS && view.intent?.kind === 'base' ? id : undefined
  },
  init: () => ({ accepted: false, failed: [] }),
  step(state, view) {
    const requirement = REQUIREMENTS[view.operation?.id ?? ''] ?? ''
    if (view.accepted) {
      if (!isWhole(view)) return { state, judgements: [] }
      const held = { ...about(view), requirement, outcome: 'held' as const, exchanges: [view.id] }
      return { state: { accepted: true, failed: [] }, judgements: [held] }
    }
    const refused = view.operation?.id === 'ingest-lines' && (view.status === 400 || view.status === 422)
    const counts = view.conclusive && (refused || view.status === 500)
    return { state: counts ? { ...state, failed: [...state.failed, view].slice(-OFTEN) } : state, judgements: [] }
  },
  end({ accepted, failed }) {
    const last = failed.at(-1)
    if (accepted || !last || failed.length < OFTEN) return []
    return [
      {
        ...about(last),
        requirement: REQUIREMENTS[last.operation?.id ?? ''] ?? '',
        outcome: 'broken',
        exchanges: failed.map(({ id }) => id),
        message: `${last.operation?.id} is never carried out`,
        expected: 'success',
        actual: `status ${failed.map(({ status }) => status).join(', ')}`,
      },
    ]
  },
}

/** A 207 speaks of each line by itself; a status that is not in the answer was not read. */
function isWhole(view: ExchangeView): boolean {
  if (view.operation?.id === 'get-ingestion-status') {
    const pointer = view.operation.answer.ingesting
    return pointer !== undefined && typeof at(jsonOf(view.response), pointer) === 'boolean'
  }
  return view.status !== 207
}
