import type { Binding } from '../../../schemas/binding.ts'
import { fieldBindings, isRecord } from '../../core/request-rules.ts'
import { isNothing, mayBeHidden, resembles } from '../../core/resembles.ts'
import type { Oracle } from '../../core/rule.ts'

/** The operation that copies transforms into a new group. */
export const COPYING = 'create-group-from-pipeline'

/** What is done to transforms, copies of them and the groups that hold these; `way`: how a transform is first seen. */
export function aroundCopies({ resources }: Binding, way: 'create' | 'read'): readonly string[] {
  const transform = resources.get('transform')
  const { create: revision } = resources.get('group-revision') ?? {}
  return [
    COPYING,
    'update-transform',
    transform?.[way],
    transform?.delete,
    resources.get('group')?.read,
    revision,
  ].filter((id) => id !== undefined)
}

/** Things of which so many are kept, the newest. */
const MOST = 1_000

export function keep<V>(map: Map<string, V>, key: string, value: V): void {
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > MOST && oldest !== undefined) map.delete(oldest)
}

/** What a transform or a copy of one shows of itself that a copy has to share. */
export interface Content {
  /** a kind that the specification knows; undefined where none is shown */
  readonly kind: string | undefined
  readonly config: Readonly<Record<string, unknown>> | undefined
}

/** A word that is no kind of a transform says what else an element of a group is, and nothing about its kind. */
export function contentOf(record: Readonly<Record<string, unknown>>, { binding, validator }: Oracle): Content {
  const { kinds, words } = fieldBindings(binding)
  const { field = '', schema = '' } = kinds.get('update-transform') ?? {}
  const word = record[field]
  const kind = typeof word === 'string' ? (words.get(word) ?? word) : undefined
  const known = kind !== undefined && schema !== '' && validator.violations(schema, kind).length === 0
  const { user_config: config } = record
  return { kind: known ? kind : undefined, config: isRecord(config) ? config : undefined }
}

/** Whether a copy shows the configuration that the original shows. */
export function hasConfigOf({ config }: Content, original: Content): boolean {
  return resembles(config, original.config) && tellingFields(original).some((name) => config?.[name] !== undefined)
}

/** Whether both show the same kind. */
export function hasKindOf({ kind }: Content, original: Content): boolean {
  return kind !== undefined && kind === original.kind
}

/** Whether a copy shows something that the original is not: another kind, no configuration at all, another value. */
export function differs(copy: Content, original: Content): boolean {
  if (hasOtherKind(copy, original)) return true
  const { config } = copy
  const telling = tellingFields(original)
  if (!config || telling.length === 0) return false
  if (Object.keys(config).length === 0) return true
  return telling.some((name) => {
    const value = config[name]
    return value !== undefined && value !== null && !resembles(value, original.config?.[name])
  })
}

/** Whether both show a kind, and not the same. */
export function hasOtherKind(copy: Content, original: Content): boolean {
  return copy.kind !== undefined && original.kind !== undefined && copy.kind !== original.kind
}

/** The fields of a configuration that have a value which a copy has no reason to hide. */
function tellingFields({ config }: Content): readonly string[] {
  return Object.entries(config ?? {}).flatMap(([name, value]) => {
    const empty = isNothing(value) || (isRecord(value) && Object.keys(value).length === 0)
    return empty || mayBeHidden(name) ? [] : [name]
  })
}
