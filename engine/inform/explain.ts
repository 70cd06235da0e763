import { type Constraint, constraintsOf } from '../../schemas/constraints.ts'
import { ledger } from '../../schemas/ledger.ts'
import { type JsonSchema, loadResourceSchemas } from '../../schemas/load.ts'
import { type Operation, specifiedOperations } from '../../schemas/operations.ts'
import type { Requirement } from '../../schemas/types/requirements.ts'
import { createResolver, schemaNamed } from '../../schemas/walk.ts'
import { listed, nearest } from '../config/nearest.ts'
import { UsageError } from '../errors.ts'

/** What an explanation says of a case. */
export interface CaseTitle {
  readonly id: string
  readonly title: string
  readonly requirements: readonly string[]
}

/** All about one entry of the ledger. */
export interface Explanation {
  readonly requirement: Requirement
  /** how it is provoked and judged, a sentence each */
  readonly judged: readonly string[]
  readonly constraints: readonly Citation[]
  /** what the description of an operation cites it for */
  readonly cited: readonly { readonly operation: string; readonly as: string }[]
  /** those about the fewest requirements first: one made for this one is among them */
  readonly cases: readonly Pick<CaseTitle, 'id' | 'title'>[]
  /** gaps that have to be answered first */
  readonly needs: readonly Pick<Requirement, 'id' | 'text'>[]
  /** of a gap: requirements that wait for its answer */
  readonly neededBy: readonly string[]
}

/** All about one requirement or gap. `cases`: those that a run has. @throws UsageError for an unknown id */
export function explain(id: string, cases: readonly CaseTitle[]): Explanation {
  const entry = ledger().get(id.toUpperCase())
  if (!entry) {
    throw new UsageError({
      where: '',
      what: `there is no requirement ${JSON.stringify(id)}`,
      hint: `the nearest are ${listed(nearest(id, ledger().keys(), 5), 'and')}`,
    })
  }
  const { needs = [] } = entry
  const constraints = citationsOf(entry.id, loadResourceSchemas(), specifiedOperations())
  return {
    requirement: entry,
    judged: [...LEVEL[entry.level], ...provoked(entry), ...looked(constraints)],
    constraints,
    cited: specifiedOperations().flatMap((operation) =>
      citedFor(operation, entry.id).map((as) => ({ operation: operation.id, as })),
    ),
    cases: cases
      .filter(({ requirements }) => requirements.includes(entry.id))
      .sort((a, b) => a.requirements.length - b.requirements.length)
      .map(({ id: caseId, title }) => ({ id: caseId, title })),
    needs: needs.map((gap) => ({ id: gap, text: ledger().get(gap)?.text ?? '' })),
    neededBy: [...ledger().values()].filter((one) => one.needs?.includes(entry.id)).map((one) => one.id),
  }
}

const LEVEL: Readonly<Record<Requirement['level'], readonly string[]>> = {
  stated: ['Broken, it is a failure: the target is not conformant.'],
  implied: [
    'The specification states the rule, but not what a client sees when it is broken.',
    'Broken, it is a warning; with --strict a failure.',
  ],
  declared: [
    "The target's own binding promises it, not the specification.",
    'Broken, it is a warning; with --strict a failure.',
  ],
  open: ['Never judged: the specification leaves it open.'],
}

function provoked({ level, provoke }: Requirement): string[] {
  if (level === 'open') return provoke === 'never' ? [] : ['What a target does is recorded as an observation.']
  switch (provoke) {
    case 'always':
      return ['A run provokes it.']
    case 'if-seen':
      return ['A run judges it when it occurs. If it does not occur, the target can still be conformant.']
    case 'never':
      return ['It cannot be seen over HTTP: it is always not-run. The target can still be conformant.']
  }
}

function looked(constraints: readonly Citation[]): string[] {
  const sentences: string[] = []
  const parts = new Set(constraints.flatMap(({ uses }) => uses.map(({ part }) => part)))
  if (parts.has('request') || parts.has('parameter')) {
    sentences.push(
      'A request that breaks nothing else must be refused, while the same request with a good value is accepted in the same run.',
    )
  }
  if (constraints.some(({ accepted }) => accepted)) {
    sentences.push('Good values must be accepted, those on the bounds first.')
  }
  if (parts.has('answer') || parts.has('error')) sentences.push('Every response with this place is checked.')
  return sentences
}

function citedFor({ response, errors }: Operation, id: string): string[] {
  const error = (name: string, condition: string): string => `${name} where ${condition.replaceAll('-', ' ')}`
  return [
    ...(response.statusRequirement === id ? [`success is ${response.status === 200 ? 'status 200' : 'any 2xx'}`] : []),
    ...(response.bodyRequirement === id
      ? [response.body === 'none' ? 'no body in the response' : 'a body in the response']
      : []),
    ...errors.flatMap((stated) => [
      ...(stated.refusedRequirement === id ? [error('refused', stated.condition)] : []),
      ...(stated.statusRequirement === id ? [error(`status ${stated.status}`, stated.condition)] : []),
      ...(stated.codeRequirement === id ? [error(`code ${stated.code}`, stated.condition)] : []),
      ...(stated.bodyStatusRequirement === id ? [error('status `error` in the body', stated.condition)] : []),
      ...(stated.bodyRequirement === id ? [error('an error body', stated.condition)] : []),
    ]),
  ]
}

/** A keyword of a schema that stands for a requirement. */
export interface Citation {
  /** path in schemas/resources/ */
  readonly file: string
  /** JSON pointer of the node in that file */
  readonly pointer: string
  readonly keyword: string
  /** what the keyword asks for; of `required`, the property */
  readonly value: unknown
  /** whether good values have to be accepted too */
  readonly accepted: boolean
  readonly uses: readonly Use[]
}

/** A place where an operation uses the constraint. */
export interface Use {
  readonly operation: string
  readonly part: 'request' | 'answer' | 'error' | 'parameter'
  /** JSON pointer of the value in the body, `*` for each element; the name of a parameter */
  readonly pointer: string
}

/** Every place in the schemas that cites a requirement, and the operations that use it there. */
export function citationsOf(
  id: string,
  schemas: ReadonlyMap<string, JsonSchema>,
  operations: readonly Operation[],
): Citation[] {
  const uses = usesOf(id, schemas, operations)
  return [...schemas].flatMap(([name, schema]) =>
    nodesOf(schema, '').flatMap(({ node, pointer }) =>
      citedIn(node, id).map(
        (found): Citation => ({
          file: `${name}.schema.json`,
          pointer,
          ...found,
          uses: uses.filter(({ constraint }) => same(constraint, node, found)).map(({ use }) => use),
        }),
      ),
    ),
  )
}

type Cited = Pick<Citation, 'keyword' | 'value' | 'accepted'>

function citedIn(node: JsonSchema, id: string): Cited[] {
  return Object.entries(node['x-requirement'] ?? {}).flatMap(([keyword, cited]): Cited[] => {
    const accepted = node['x-accept']?.includes(keyword) ?? false
    const value = (node as Record<string, unknown>)[keyword]
    if (typeof cited === 'string') return cited === id ? [{ keyword, value, accepted }] : []
    const properties = Object.keys(cited).filter((property) => cited[property] === id)
    return properties.map((property) => ({ keyword, value: property, accepted }))
  })
}

function same(constraint: Constraint, node: JsonSchema, { keyword, value }: Cited): boolean {
  if (constraint.schema !== node || constraint.keyword !== keyword) return false
  return constraint.property === undefined || constraint.property === value
}

interface Found {
  readonly constraint: Constraint
  readonly use: Use
}

function usesOf(id: string, schemas: ReadonlyMap<string, JsonSchema>, operations: readonly Operation[]): Found[] {
  const resolve = createResolver(schemas)
  const constraints = (ref: string): Constraint[] => {
    const named = schemaNamed(ref, schemas)
    return named ? constraintsOf(named.schema, resolve, named.root).filter(({ requirement }) => requirement === id) : []
  }
  return operations.flatMap(({ id: operation, request, response, errors, parameters }) => {
    const body = (part: Use['part'], ref: string | undefined): Found[] =>
      ref === undefined
        ? []
        : constraints(ref).map((constraint) => ({ constraint, use: { operation, part, pointer: constraint.pointer } }))
    return [
      ...body('request', request?.schema),
      ...body('answer', response.schema),
      ...[...new Set(errors.map(({ schema }) => schema))].flatMap((schema) => body('error', schema)),
      ...parameters.flatMap(({ name, schema }) =>
        constraints(schema).map(
          (constraint): Found => ({ constraint, use: { operation, part: 'parameter', pointer: name } }),
        ),
      ),
    ]
  })
}

/** Every schema node of a file, references not followed. */
function nodesOf(value: unknown, pointer: string): { node: JsonSchema; pointer: string }[] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return []
  const children = Object.entries(value)
    .filter(([name]) => !name.startsWith('x-'))
    .flatMap(([name, child]) => nodesOf(child, `${pointer}/${name}`))
  return [{ node: value as JsonSchema, pointer }, ...children]
}
