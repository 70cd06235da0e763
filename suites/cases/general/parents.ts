import type { CaseContext } from '../../kit/case.ts'

/** The parents of a new resource, made before: their ids by placeholder. */
export async function parentsOf(context: CaseContext, type: string): Promise<Readonly<Record<string, string>>> {
  let params: Readonly<Record<string, string>> = {}
  for (const needed of context.binding.resources.get(type)?.needs ?? []) {
    const placeholder = context.binding.resources.get(needed)?.id
    if (placeholder !== undefined && params[placeholder] !== undefined) continue
    params = { ...params, ...(await context.make(needed, params)).params }
  }
  return params
}
