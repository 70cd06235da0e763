import type { Binding } from '../../schemas/binding.ts'
import { specifiedOperations } from '../../schemas/operations.ts'
import type { Case } from '../../suites/kit/case.ts'
import { UsageError } from '../errors.ts'

/**
 * Refuses to touch a target that assay did not start itself without a word of consent; the refusal says what the run
 * would create, change and delete.
 * @throws UsageError
 */
export function requireConsent(cases: readonly Case[], binding: Binding, consented: boolean, baseUrl: string): void {
  if (consented) return
  const used = new Set(cases.map(({ operation }) => operation))
  const changing = specifiedOperations().filter(({ id, effect }) => used.has(id) && effect !== 'read')
  if (changing.length === 0) return
  const creates = [...binding.resources].filter(([, { create }]) => create !== undefined).map(([type]) => type)
  const deletes = changing.flatMap(({ deletes: type }) => (type === undefined ? [] : [type]))
  const updates = changing.filter(
    ({ creates: makes, deletes: removes }) => makes === undefined && removes === undefined,
  )
  const parts = [
    ...(creates.length > 0 ? [`create ${creates.join(', ')}`] : []),
    ...(updates.length > 0
      ? [`change what it made or what is listed under resources (${updates.map(({ id }) => id).join(', ')})`]
      : []),
    ...(deletes.length > 0 ? [`delete ${deletes.join(', ')} of its own`] : []),
  ]
  throw new UsageError({
    where: baseUrl,
    what: `the run would ${parts.join('; ')}`,
    hint: 'agree with --yes-modify-target, or with consent.modifyTarget in the configuration',
  })
}
