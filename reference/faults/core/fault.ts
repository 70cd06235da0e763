import type { BindingFile } from '../../../schemas/binding.ts'
import type { Overlay } from '../../core/overlay.ts'

/** What a fault or a variant does differently. */
export type Changes = Omit<Overlay, 'name'>

/** A deliberate fault of the reference, which a suite worth its name finds. */
export interface Fault {
  readonly name: string
  /** the fault, as a statement */
  readonly about: string
  /** requirements that have to turn red; the first is the one that the fault is about */
  readonly kills: readonly string[]
  /**
   * The fault shows in refused good requests, for which a fair reader finds other reasons as well. So it may be that no
   * requirement fails. But the first one does not pass either, so that no run ends as conformant. The reason stands here.
   */
  readonly withheld?: string
  readonly changes: Changes
  /** what the target would have to say of itself, laid over the binding of the reference */
  readonly binding?: () => BindingFile
}

export function overlayOf(fault: Fault): Overlay {
  return { name: fault.name, ...fault.changes }
}

/** `kills`: requirements, with blanks between. */
export function fault(name: string, kills: string, about: string, changes: Changes): Fault {
  return { name, about, kills: kills.split(' '), changes }
}
