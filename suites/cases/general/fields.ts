import { ledger } from '../../../schemas/ledger.ts'
import { type Operation, type Parameter, specifiedOperations } from '../../../schemas/operations.ts'
import type { Case } from '../../case.ts'
import { lift } from '../../generate/body.ts'
import { fieldOf, specificationSet } from '../../generate/fields.ts'
import { type RulePlace, rulePlaces } from '../../generate/places.ts'
import { createControl, openControl } from '../../request/control.ts'
import { openGoodRequest } from '../../request/good-request.ts'
import { observedGaps } from '../../request/observed-gap.ts'
import { type Placing, probeField } from '../../request/probe-field.ts'
import { storedBy, storedRequirement } from '../../request/stored.ts'

/** A case for each place with rules in the body of each operation, made from the schemas. */
export function fieldCases(): Case[] {
  return specifiedOperations().flatMap((operation) => {
    const ref = operation.request?.schema
    return ref === undefined ? [] : rulePlaces(specificationSet(), ref).map((place) => bodyCase(operation, ref, place))
  })
}

function bodyCase(operation: Operation, ref: string, { pointer, requirements, accepting }: RulePlace): Case {
  const name = pointer === '' ? 'body' : pointer.slice(1)
  const placing: Placing = {
    operation: operation.id,
    pointer,
    acceptance: true,
    place: ({ body }, value) => ({ body: lift(body, pointer, value) }),
  }
  const stored = accepting ? storedRequirement(operation.id) : undefined
  return {
    id: `${operation.id}/${name}`,
    title: `${name} of ${operation.id}: good values are accepted and bad ones refused`,
    operation: operation.id,
    features: [operation.feature],
    requirements: [
      ...requirements,
      ...(stored === undefined ? [] : [stored]),
      ...observedGaps(operation.id, pointer, ledger()),
      ...(operation.family === 'v3' ? ['GAP-V3-ERRORS'] : []),
    ],
    cost: 10 * requirements.length,
    async run(context) {
      const { good, control } = await openControl(context, operation.id)
      const reading = stored === undefined || !context.observes ? undefined : storedBy(context, good, control.group)
      await probeField(context, control, fieldOf(ref, pointer), { ...placing, stored: reading })
    },
  }
}

/** A case for each path or query parameter that the schemas say something about. */
export function parameterCases(): Case[] {
  return specifiedOperations().flatMap((operation) =>
    operation.parameters.flatMap((parameter) =>
      rulePlaces(specificationSet(), parameter.schema).map((place) => parameterCase(operation, parameter, place)),
    ),
  )
}

function parameterCase(operation: Operation, parameter: Parameter, { pointer, requirements }: RulePlace): Case {
  const placing: Placing = {
    operation: operation.id,
    pointer: `${parameter.in}:${parameter.name}`,
    inUrl: parameter.in,
    acceptance: false,
    place(request, value) {
      const text = String(value)
      if (parameter.in === 'path') return { params: { ...request.params, [parameter.name]: text } }
      return { query: { ...request.query, [parameter.name]: text } }
    },
  }
  return {
    id: `${operation.id}/${parameter.in}:${parameter.name}`,
    title: `the ${parameter.in} parameter ${parameter.name} of ${operation.id}: bad values are refused`,
    operation: operation.id,
    features: [operation.feature],
    requirements,
    cost: 10,
    async run(context) {
      const good = await openGoodRequest(context, operation.id)
      await probeField(context, createControl(context, good), fieldOf(parameter.schema, pointer), placing)
    },
  }
}
