import { loadBinding } from '../../../engine/config/binding.ts'
import { resolveBinding } from '../../../schemas/binding.ts'
import type { Served } from '../../testing/world.ts'

/** What a served reference has of everything that it lists without a parent: operation -> its answer. */
export async function account({ url, credentials }: Served): Promise<Map<string, unknown>> {
  const { resources, operations } = resolveBinding(loadBinding('reference', '/'))
  const found = new Map<string, unknown>()
  for (const { list } of resources.values()) {
    const operation = list === undefined ? undefined : operations.get(list)
    if (!operation || operation.path.includes('{')) continue
    const answer = await fetch(new URL(operation.path, url), {
      headers: {
        authorization: `Token ${credentials.accessToken}`,
        ...(operation.family === 'enterprise'
          ? { 'enterprise-servicekey': `${credentials.enterpriseServiceKey}` }
          : {}),
      },
    })
    if (!answer.ok) throw new Error(`${operation.id}: ${answer.status}`)
    found.set(operation.id, await answer.json())
  }
  return found
}
