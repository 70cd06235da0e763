import type { Recording } from '../../fixtures/recording/read.ts'
import { type BindingData, shippedBindings } from '../../schemas/binding.ts'
import { loadBinding } from '../config/binding.ts'
import { UsageError } from '../errors.ts'
import { factsIn } from '../judge/facts.ts'

/**
 * The binding that a recording names, where it names one. A recording holds no more than the name: only what ships with
 * assay is found by it. @throws UsageError for a binding of somebody's own, which has to be given
 */
export function recordedBindingName({ about, path }: Pick<Recording, 'about' | 'path'>): string | undefined {
  const name = about?.binding
  if (name === undefined || name === '') return undefined
  if (shippedBindings().includes(name)) return name
  throw new UsageError({
    where: path,
    what: `the recording names the binding ${JSON.stringify(name)}, which does not ship with assay`,
    hint: 'give it with --binding FILE, or with --config FILE',
  })
}

/**
 * The binding that a recording was made with, as far as it says so: the evidence of a run holds all of it, other
 * recordings its name. @throws UsageError as above
 */
export function recordedBinding(recording: Recording): BindingData | undefined {
  const facts = factsIn(recording)
  if (facts) return facts.binding
  const name = recordedBindingName(recording)
  return name === undefined ? undefined : loadBinding(name, recording.folder)
}
