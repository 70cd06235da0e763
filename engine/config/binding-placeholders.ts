import type { Operation } from '../../schemas/operations.ts'
import { placeholders } from '../../schemas/template.ts'
import type { BindingFile } from '../../schemas/types/binding.ts'
import type { Problem } from '../errors.ts'
import { didYouMean } from './nearest.ts'
import { placeIn } from './record-problems.ts'

/** A file of the chain and how messages call it. */
export interface Sourced {
  readonly file: BindingFile
  readonly source: string
}

/** Where a template stands: in an answer, or in an operation that reads or changes something. */
type Place =
  | { readonly part: 'answer' }
  | { readonly part: 'body' | 'query'; readonly operation: string; readonly reads: boolean }

/** What a run fills in beside the ids of resources, and where it does. `only`: in words, for messages. */
const RUN_VALUES: Readonly<Record<string, { readonly only: string; fills(place: Place): boolean }>> = {
  label: {
    only: 'a query may hold a name only where something is made or changed',
    fills: (place) => place.part !== 'query' || !place.reads,
  },
  email: {
    only: 'a query may hold an address only where something is made or changed',
    fills: (place) => place.part !== 'query' || !place.reads,
  },
  generation_id: { only: 'it is filled in bodies', fills: ({ part }) => part !== 'query' },
  lines: {
    only: 'it is filled in the body of ingest-lines',
    fills: (place) => place.part === 'body' && place.operation === 'ingest-lines',
  },
  token: {
    only: 'it is filled in body and query of confirm-suspension',
    fills: (place) => place.part !== 'answer' && place.operation === 'confirm-suspension',
  },
  ingestionKey: { only: 'it is filled in the headers of GAP-INGESTION-AUTH', fills: ({ part }) => part === 'answer' },
  iamToken: { only: 'it is filled in the headers of GAP-IAM-HEADER', fills: ({ part }) => part === 'answer' },
  cloudResourceName: { only: 'it is filled in the headers of GAP-IAM-HEADER', fills: ({ part }) => part === 'answer' },
}

/** Samples, queries and answers with a {{placeholder}} that nothing fills where it stands. */
export function placeholderProblems(files: readonly Sourced[], operations: readonly Operation[]): Problem[] {
  const ids = [
    ...files.flatMap(({ file }) => Object.values(file.resources ?? {}).map(({ id }) => id)),
    ...operations.flatMap(({ parameters }) => parameters.map(({ name }) => name)),
  ]
  const known = [...Object.keys(RUN_VALUES), ...ids]
  const check = (template: unknown, place: Place, where: string): Problem[] =>
    [...placeholders(template)].flatMap((name) => {
      const value = Object.hasOwn(RUN_VALUES, name) ? RUN_VALUES[name] : undefined
      if (ids.includes(name) || value?.fills(place) === true) return []
      const made = 'a sample may hold ids of resources, and what a run makes, such as {{label}}'
      return [{ where, what: `nothing fills {{${name}}}`, hint: value?.only ?? didYouMean(name, known, made) }]
    })
  return files.flatMap(({ file, source }) => [
    ...Object.entries(file.operations ?? {}).flatMap(([operation, { body, query }]) => {
      const reads = methodOf(operation, files, operations) === 'GET'
      const where = placeIn(source, `/operations/${operation}`)
      return [
        ...check(body, { part: 'body', operation, reads }, `${where}/body`),
        ...check(query, { part: 'query', operation, reads }, `${where}/query`),
      ]
    }),
    ...Object.entries(file.answers ?? {}).flatMap(([gap, answer]) =>
      check(answer, { part: 'answer' }, placeIn(source, `/answers/${gap}`)),
    ),
    ...tokenProblems({ file, source }, files),
  ])
}

/** A second call of a suspension has to name a token, but the binding does not say where the first one returns it. */
function tokenProblems({ file, source }: Sourced, files: readonly Sourced[]): Problem[] {
  const { body, query } = file.operations?.['confirm-suspension'] ?? {}
  const told = files.some(({ file: other }) => other.operations?.['suspend-ingestion']?.answer?.token !== undefined)
  if (told || !placeholders([body, query]).has('token')) return []
  return [
    {
      where: placeIn(source, '/operations/confirm-suspension'),
      what: 'nothing fills {{token}}',
      hint: 'answer.token of suspend-ingestion says where in its response it stands',
    },
  ]
}

/** The method by which an operation is called; the nearest file that gives one decides. */
function methodOf(id: string, files: readonly Sourced[], operations: readonly Operation[]): string {
  const specified = operations.find((operation) => operation.id === id)?.method
  const bound = files.find(({ file }) => file.operations?.[id]?.method !== undefined)
  return specified ?? bound?.file.operations?.[id]?.method ?? 'GET'
}
