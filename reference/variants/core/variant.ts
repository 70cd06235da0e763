import type { BindingFile } from '../../../schemas/binding.ts'
import type { Overlay } from '../../core/overlay.ts'
import type { Changes } from '../../faults/core/fault.ts'

/** Another behaviour of the reference, which the specification allows or leaves open: no finding may come of it. */
export interface Variant {
  readonly name: string
  /** the behaviour, as a statement */
  readonly about: string
  /** made anew for each start: some variants count or remember */
  readonly changes: () => Changes
  /** makes the ids of everything that is created */
  readonly newId?: () => () => string
  /** what the target would have to say of itself, laid over the binding of the reference */
  readonly binding?: () => BindingFile
  /** milliseconds within which reads may be old */
  readonly settleTimeout?: number
  /** enterprise operations need an access token beside their key */
  readonly enterprise?: 'both'
}

export function overlayOfVariant(variant: Variant): Overlay {
  return { name: variant.name, ...variant.changes() }
}
