import { loadResourceSchemas } from '../../schemas/load.ts'
import { type Operation, type Parameter, specifiedOperations } from '../../schemas/operations.ts'
import type { Case } from '../kit/case.ts'
import type { Field } from '../kit/generate/field.ts'
import { fields } from '../kit/generate/fields.ts'
import { FromBase } from '../kit/generate/from-base.ts'
import { type SchemaSet, schemaSet } from '../kit/generate/schema-set.ts'
import { type Placing, probeField } from '../kit/probe-field.ts'
import { openScene } from '../kit/scene.ts'
import { createTwins } from '../kit/twins.ts'
import { requirementsOf } from './fields.ts'

/** A case for each path or query parameter that the schemas say something about. */
export function parameterCases(set: SchemaSet = schemaSet(loadResourceSchemas())): Case[] {
  return specifiedOperations().flatMap((operation) =>
    operation.parameters.flatMap((parameter) => {
      const field = fields(set, parameter.schema).find(({ nearMisses }) => nearMisses.length > 0)
      return field ? [parameterCase(operation, parameter, field)] : []
    }),
  )
}

function parameterCase(operation: Operation, parameter: Parameter, field: Field): Case {
  const placing: Placing = {
    operation: operation.id,
    pointer: `${parameter.in}:${parameter.name}`,
    acceptance: false,
    place(request, value) {
      if (value instanceof FromBase || typeof value !== 'string' || value === '') return undefined
      if (parameter.in === 'path') return { params: { ...request.params, [parameter.name]: value } }
      return { query: { ...request.query, [parameter.name]: value } }
    },
  }
  return {
    id: `${operation.id}/${parameter.in}:${parameter.name}`,
    title: `the ${parameter.in} parameter ${parameter.name} of ${operation.id}: bad values are refused`,
    operation: operation.id,
    features: [operation.feature],
    requirements: requirementsOf(field),
    cost: field.nearMisses.length,
    async run(context) {
      const scene = await openScene(context, operation.id)
      await probeField(context, createTwins(context, scene), field, placing)
    },
  }
}
