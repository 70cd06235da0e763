import { madeIn } from '../../../rules/core/reads.ts'
import { isRecord } from '../../../rules/core/request-rules.ts'
import { mayBeHidden } from '../../../rules/core/resembles.ts'
import type { CaseContext } from '../../kit/case.ts'
import { readBack, reader } from '../../kit/read-back.ts'

/** A kind of transforms with a configuration for it; undefined: what the binding makes. */
type Making = { readonly kind: string; readonly config: unknown } | undefined

/**
 * Makes three transforms that can be told apart by what they hold: one as the binding makes them, and two of other kinds
 * where it has configurations for those. Each is read once, so that it is known how the target shows it. Their ids.
 */
export async function makeDistinct(
  context: CaseContext,
  parents: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const [first, second] = otherKinds(context)
  const ids: string[] = []
  for (const making of [undefined, first, second]) {
    const { id, params } = (await makeOther(context, parents, making)) ?? (await context.make('transform', parents))
    const read = reader(context, 'transform', 'read')
    if (context.binding.operations.get(read ?? '')?.offered === true) await readBack(context, read, params)
    ids.push(id)
  }
  return ids
}

/** Kinds that the binding configures without anything that a target may hide. */
function otherKinds({ binding }: CaseContext): Making[] {
  const samples = binding.answers.get('GAP-USER-CONFIG')?.value as { readonly transform?: object } | undefined
  const usual = JSON.stringify(binding.operations.get('create-transform')?.body ?? null)
  return Object.entries(samples?.transform ?? {}).flatMap(([kind, config]) => {
    const telling = isRecord(config) && Object.keys(config).length > 0 && !hides(config)
    return telling && !usual.includes(JSON.stringify(kind)) ? [{ kind, config }] : []
  })
}

function hides(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false
  return Object.entries(value).some(([name, inner]) => mayBeHidden(name) || hides(inner))
}

/** Undefined where the target does not make it, or does not tell its id: whether it has to is not stated. */
async function makeOther(
  context: CaseContext,
  parents: Readonly<Record<string, string>>,
  making: Making,
): Promise<{ readonly id: string; readonly params: Readonly<Record<string, string>> } | undefined> {
  const field = context.binding.answers.get('GAP-TRANSFORM-KIND-FIELD')?.value
  const resource = context.binding.resources.get('transform')
  const operation = context.binding.operations.get(resource?.create ?? '')
  if (!making || typeof field !== 'string' || !resource || operation?.offered !== true) return undefined
  const label = context.label()
  const usual = context.fill(operation.body, { ...parents, label })
  if (!isRecord(usual)) return undefined
  const body = { ...usual, [field]: making.kind, user_config: making.config }
  const { view } = await context.send({
    operation: operation.id,
    params: parents,
    body,
    label,
    intent: { kind: 'setup' },
  })
  const id = madeIn(view)
  return id === undefined ? undefined : { id, params: { ...parents, [resource.id]: id } }
}
