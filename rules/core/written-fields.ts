import { createResolver } from '../../schemas/constraints.ts'
import type { JsonSchema } from '../../schemas/load.ts'
import { specifiedOperations } from '../../schemas/operations.ts'
import { isRecord } from './request-rules.ts'
import type { Oracle } from './rule.ts'

const specifiedIn = new WeakMap<Oracle, ReadonlySet<string>>()
const boundIn = new WeakMap<object, ReadonlySet<string>>()
const NONE: ReadonlySet<string> = new Set()
/** Sent, and counted by the server all the same (section 'Pipeline node common fields'). */
const COUNTED = 'generation_id'

/**
 * The fields of a body, or of a record, that whoever uses `operation` chooses: those that the specification names in
 * requests, and those of the binding's sample. Whoever changes a record that was read and puts it back sends all the rest
 * as well, ids and times among it, of which the text says nothing.
 */
export function writtenFields(
  body: Readonly<Record<string, unknown>>,
  operation: string | undefined,
  oracle: Oracle,
): Readonly<Record<string, unknown>> {
  const named = namedFields(oracle)
  const bound = boundFields(oracle.binding.operations.get(operation ?? '')?.body)
  const isChosen = (name: string): boolean => name !== COUNTED && (named.has(name) || bound.has(name))
  // Most bodies have no other fields: then nothing has to be copied.
  return Object.keys(body).every(isChosen)
    ? body
    : Object.fromEntries(Object.entries(body).filter(([name]) => isChosen(name)))
}

function boundFields(sample: unknown): ReadonlySet<string> {
  if (!isRecord(sample)) return NONE
  const known = boundIn.get(sample)
  if (known) return known
  const names = new Set(Object.keys(sample))
  boundIn.set(sample, names)
  return names
}

function namedFields(oracle: Oracle): ReadonlySet<string> {
  const known = specifiedIn.get(oracle)
  if (known) return known
  const resolve = createResolver(oracle.schemas)
  const names = new Set<string>()
  const collect = (schema: JsonSchema, root: JsonSchema): void => {
    // What one request is about is the target's in another.
    for (const name of Object.keys(schema.properties ?? {})) if (!/_ids?$/.test(name)) names.add(name)
    if (schema.$ref !== undefined) {
      const file = schema.$ref.split('#')[0] ?? ''
      collect(resolve(schema.$ref, root), file === '' ? root : resolve(file, root))
    }
  }
  for (const { request } of specifiedOperations()) {
    const [file = ''] = request?.schema.split('#') ?? []
    const root = oracle.schemas.get(file)
    if (root) collect(root, root)
  }
  for (const gap of ['GAP-TRANSFORM-KIND-FIELD', 'GAP-SOURCE-KIND-FIELD']) {
    const kind = oracle.binding.answers.get(gap)?.value
    if (typeof kind === 'string') names.add(kind)
  }
  specifiedIn.set(oracle, names)
  return names
}
