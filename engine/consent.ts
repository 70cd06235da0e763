import type { Binding } from '../schemas/binding.ts'
import { features } from '../schemas/features.ts'
import { specifiedOperations } from '../schemas/operations.ts'
import type { MeasuredCase } from '../suites/case.ts'
import { leftBehind } from '../suites/resources/kept.ts'
import { UsageError } from './errors.ts'

/** Kinds of things that stand for the account as a whole, and the consent that each of them needs. */
export const CONSENTS: ReadonlyMap<string, 'exclusions' | 'suspend' | 'archiving'> = new Map([
  ['exclusion', 'exclusions'],
  ['suspension', 'suspend'],
  ['archiving', 'archiving'],
])

/** Features about log lines: their cases send some. */
export const ABOUT_LINES: RegExp = /^(ingestion|exclusions|suspension|export|usage)/

/**
 * Refuses to touch a target that assay did not start itself without consent. The refusal says what the run would
 * create, change and delete.
 * @throws UsageError
 */
export function requireConsent(
  cases: readonly MeasuredCase[],
  binding: Binding,
  consented: boolean,
  baseUrl: string,
): void {
  if (consented) return
  const changes = changesOf(cases, binding)
  if (changes.length === 0) return
  throw new UsageError({
    where: baseUrl,
    what: `the run would ${changes.join('; ')}`,
    hint: 'agree with --yes-modify-target, or with consent.modifyTarget in the configuration',
  })
}

/** What cases would create, change and delete, each part a clause: 'create board, view'. */
export function changesOf(cases: readonly MeasuredCase[], binding: Binding): string[] {
  const used = new Set(cases.map(({ operation }) => operation))
  const changing = specifiedOperations().filter(({ id, effect }) => used.has(id) && effect !== 'read')
  const sends =
    binding.operations.get('ingest-lines')?.offered === true &&
    cases.some(({ features }) => features.some((feature) => ABOUT_LINES.test(feature)))
  // Operations that only a binding knows change a target as well.
  const bound = [...used].some((id) => {
    const operation = binding.operations.get(id)
    return operation?.offered === true && operation.effect !== 'read'
  })
  if (changing.length === 0 && !sends && !bound) return []
  const creates = [...binding.resources].filter(([, { create }]) => create !== undefined).map(([type]) => type)
  const deletes = changing.flatMap(({ deletes: type }) => (type === undefined ? [] : [type]))
  const updates = changing.filter(
    ({ creates: makes, deletes: removes }) => makes === undefined && removes === undefined,
  )
  return [
    ...(sends ? ['send log lines of its own'] : []),
    ...(creates.length > 0 ? [`create ${creates.join(', ')}`] : []),
    ...(updates.length > 0
      ? [`change what it made or what is listed under resources (${updates.map(({ id }) => id).join(', ')})`]
      : []),
    ...(deletes.length > 0 ? [`delete ${deletes.join(', ')} of its own`] : []),
  ]
}

/** The kinds of things that these cases may make and that nothing removes. */
export function staying(cases: readonly MeasuredCase[], binding: Binding): string[] {
  const used = new Set(cases.flatMap((one) => one.features))
  const operations = new Set(features().flatMap((feature) => (used.has(feature.id) ? feature.operations : [])))
  return leftBehind(binding).filter((type) => operations.has(binding.resources.get(type)?.create ?? ''))
}
