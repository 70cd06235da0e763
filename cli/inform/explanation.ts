import type { Requirement } from '../../schemas/ledger.ts'
import type { JsonSchema } from '../../schemas/load.ts'
import type { Operation } from '../../schemas/operations.ts'
import { type Citation, citationsOf } from './citations.ts'

/** What an explanation says of a case. */
export interface CaseTitle {
  readonly id: string
  readonly title: string
  readonly requirements: readonly string[]
}

export interface ExplanationFacts {
  readonly ledger: ReadonlyMap<string, Requirement>
  readonly schemas: ReadonlyMap<string, JsonSchema>
  readonly operations: readonly Operation[]
  readonly cases: readonly CaseTitle[]
}

/** All about one entry of the ledger. */
export interface Explanation {
  readonly requirement: Requirement
  /** how it is provoked and judged, a sentence each */
  readonly judged: readonly string[]
  readonly constraints: readonly Citation[]
  /** what the description of an operation cites it for */
  readonly cited: readonly { readonly operation: string; readonly as: string }[]
  readonly cases: readonly Pick<CaseTitle, 'id' | 'title'>[]
  /** gaps that have to be answered first */
  readonly needs: readonly Pick<Requirement, 'id' | 'text'>[]
  /** of a gap: requirements that wait for its answer */
  readonly neededBy: readonly string[]
}

/** Gathers what there is to say about a requirement. Pure. */
export function explain(requirement: Requirement, facts: ExplanationFacts): Explanation {
  const { id } = requirement
  const constraints = citationsOf(id, facts.schemas, facts.operations)
  return {
    requirement,
    judged: [...LEVEL[requirement.level], ...provoked(requirement), ...looked(constraints)],
    constraints,
    cited: facts.operations.flatMap((operation) =>
      citedFor(operation, id).map((as) => ({ operation: operation.id, as })),
    ),
    cases: facts.cases
      .filter((one) => one.requirements.includes(id))
      .map(({ id: caseId, title }) => ({ id: caseId, title })),
    needs: (requirement.needs ?? []).map((gap) => ({ id: gap, text: facts.ledger.get(gap)?.text ?? '' })),
    neededBy: [...facts.ledger.values()].filter(({ needs }) => needs?.includes(id)).map((entry) => entry.id),
  }
}

const LEVEL: Readonly<Record<Requirement['level'], readonly string[]>> = {
  stated: ['Breaking it is a failure: the target is not conformant.'],
  implied: [
    'The specification states the rule, but not what a client sees when it is broken.',
    'Breaking it is a warning; with --strict a failure.',
  ],
  declared: [
    "The target's own binding promises it, not the specification.",
    'Breaking it is a warning; with --strict a failure.',
  ],
  open: ['Never judged: the specification leaves it open.'],
}

function provoked({ level, provoke }: Requirement): string[] {
  if (level === 'open') return provoke === 'never' ? [] : ['What a target does is recorded as an observation.']
  switch (provoke) {
    case 'always':
      return ['A run brings it about.']
    case 'if-seen':
      return ['A run judges it when it occurs; where it does not, that does not stand in the way of conformant.']
    case 'never':
      return ['It cannot be seen over HTTP: always not-run, which does not stand in the way of conformant.']
  }
}

function looked(constraints: readonly Citation[]): string[] {
  const sentences: string[] = []
  const parts = new Set(constraints.flatMap(({ uses }) => uses.map(({ part }) => part)))
  if (parts.has('request') || parts.has('parameter')) {
    sentences.push(
      'A request that breaks nothing else has to be refused, while the same request with a good value is accepted in the same run.',
    )
  }
  if (constraints.some(({ accepted }) => accepted)) {
    sentences.push('Good values, those on the bounds first, have to be accepted.')
  }
  if (parts.has('answer') || parts.has('error')) sentences.push('Every answer that has the place is checked.')
  return sentences
}

function citedFor({ response, errors }: Operation, id: string): string[] {
  const error = (name: string, condition: string): string => `${name} where ${condition.replaceAll('-', ' ')}`
  return [
    ...(response.statusRequirement === id ? [`success is ${response.status === 200 ? 'status 200' : 'any 2xx'}`] : []),
    ...(response.bodyRequirement === id
      ? [response.body === 'none' ? 'no body in the answer' : 'a body in the answer']
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
