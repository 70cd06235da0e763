import { type Operation, type Parameter, specifiedOperations } from '../../../schemas/operations.ts'
import type { Case } from '../../kit/case.ts'
import { fieldOf, specificationSet } from '../../kit/field-of.ts'
import { type RulePlace, rulePlaces } from '../../kit/generate/rule-places.ts'
import { type Placing, probeField } from '../../kit/probe-field.ts'
import { openScene } from '../../kit/scene.ts'
import { createTwins } from '../../kit/twins.ts'

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
      const scene = await openScene(context, operation.id)
      await probeField(context, createTwins(context, scene), fieldOf(parameter.schema, pointer), placing)
    },
  }
}
