import { readData } from './load.ts'
import type { OperationRow, ResourceRow, ServiceFile } from './types/service.ts'

export type { OperationRow, ResourceRow } from './types/service.ts'

/** Things of one type that are made, read, listed, changed and removed one by one, and what the ledger says of each verb. */
export interface Collection extends ResourceRow, NonNullable<ResourceRow['relations']> {
  readonly create: string
  readonly update: string | undefined
  readonly remove: string | undefined
  /** further operations that change one */
  readonly others: readonly string[]
  /** which of the families of credentials its operations take */
  readonly family: string
}

let loaded: ServiceFile | undefined

/** The one table of the service: what is known of each operation and of each type of thing. */
export function service(): ServiceFile {
  loaded ??= readData<ServiceFile>('service.json')
  return loaded
}

let byId: ReadonlyMap<string, OperationRow> | undefined

/** The row of an operation, also of one that only a binding gives a path. */
export function operationRow(id: string | undefined): OperationRow | undefined {
  byId ??= new Map(service().operations.map((row) => [row.id, row]))
  return byId.get(id ?? '')
}

/** The ids of operations by what their rows say. */
export function operationsWhere(test: (row: OperationRow) => unknown): readonly string[] {
  return service().operations.flatMap((row) => (test(row) ? [row.id] : []))
}

export function resourceRow(type: string | undefined): ResourceRow | undefined {
  return service().resources.find((row) => row.type === type)
}

/** The operations on things of a type, by what they do. */
export function operationsOn(type: string, ...verbs: readonly OperationRow['verb'][]): readonly string[] {
  return operationsWhere(({ resource, verb }) => resource === type && verbs.includes(verb))
}

/** Everything that is made and removed one by one, what acts on the whole account included. */
export const allCollections: readonly Collection[] = service().resources.flatMap((row): Collection[] => {
  const [create = ''] = operationsOn(row.type, 'create')
  const [update] = operationsOn(row.type, 'update')
  const [remove] = operationsOn(row.type, 'remove')
  if (row.relations === undefined) return []
  const others = operationsOn(row.type, 'change')
  return [{ ...row, ...row.relations, create, update, remove, others, family: operationRow(create)?.family ?? 'v1' }]
})

/** The same without what acts on the whole account. */
export const collections: readonly Collection[] = allCollections.filter(({ account }) => account !== true)
