import { madeIn } from '../../rules/core/reads.ts'
import { table } from '../../schemas/table.ts'
import type { CaseContext, Sent } from '../case.ts'
import { isBroken } from './control.ts'
import type { GoodRequest } from './good-request.ts'
import { readBack, reader } from './read-back.ts'

interface Kept {
  readonly type: string
  readonly requirement: string
}

/** Operations whose good values have to be read back as they were sent, and the requirement about that. */
const KEPT: Readonly<Record<string, Kept>> = table({
  'update-transform': { type: 'transform', requirement: 'TRANSFORM-UPDATE-REPLACES' },
  'update-source': { type: 'source', requirement: 'SOURCE-UPDATE-REPLACES' },
  'create-group-from-pipeline': { type: 'group', requirement: 'GROUP-READ' },
})

/** Reads what good requests of one operation have stored. */
export interface Stored {
  /** judged by what is read */
  readonly requirement: string
  /**
   * Reads the thing that an accepted request was about, or that it made; nothing where it was not accepted, or once
   * something was found to be stored otherwise.
   */
  read(sent: Sent): Promise<void>
}

/** The requirement that reading what the operation stored is about; undefined where there is none. */
export function storedRequirement(operation: string): string | undefined {
  return KEPT[operation]?.requirement
}

/** undefined: the operation is not known to store anything, or the binding has no read for it. */
export function storedBy(context: CaseContext, good: GoodRequest, group: string): Stored | undefined {
  const { binding } = context
  const kept = KEPT[good.operation.id]
  const placeholder = binding.resources.get(kept?.type ?? '')?.id
  const operation = kept && reader(context, kept.type, 'read')
  if (!kept || placeholder === undefined || operation === undefined) return undefined
  if (binding.operations.get(operation)?.offered !== true) return undefined
  const makes = binding.resources.get(kept.type)?.create === good.operation.id
  let found = false
  return {
    requirement: kept.requirement,
    async read({ view }) {
      if (found || !view.accepted) return
      const { params } = await good.request()
      const id = makes ? madeIn(view) : params[placeholder]
      if (id === undefined) return
      const { judgements } = await readBack(context, operation, { ...params, [placeholder]: id }, group, 'until-new')
      found = isBroken(judgements)
    },
  }
}
