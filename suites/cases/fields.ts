import { loadResourceSchemas } from '../../schemas/load.ts'
import { type Operation, specifiedOperations } from '../../schemas/operations.ts'
import type { Case } from '../kit/case.ts'
import type { Field } from '../kit/generate/field.ts'
import { fields } from '../kit/generate/fields.ts'
import { lift } from '../kit/generate/lift.ts'
import { type SchemaSet, schemaSet } from '../kit/generate/schema-set.ts'
import { type Placing, probeField } from '../kit/probe-field.ts'
import { openScene } from '../kit/scene.ts'
import { createTwins } from '../kit/twins.ts'

/** A case for each place in the body of each operation, made from the schemas. */
export function fieldCases(set: SchemaSet = schemaSet(loadResourceSchemas())): Case[] {
  return specifiedOperations().flatMap((operation) => {
    const inBody = operation.request ? fields(set, operation.request.schema) : []
    return inBody.map((field) => bodyCase(operation, field))
  })
}

function bodyCase(operation: Operation, field: Field): Case {
  const place = field.pointer === '' ? 'body' : field.pointer.slice(1)
  const placing: Placing = {
    operation: operation.id,
    pointer: field.pointer,
    acceptance: true,
    place: ({ body }, value) => ({ body: lift(body, field.pointer, value) }),
  }
  return {
    id: `${operation.id}/${place}`,
    title: `${place} of ${operation.id}: good values are accepted and bad ones refused`,
    operation: operation.id,
    features: [operation.feature],
    requirements: requirementsOf(field),
    cost: field.nearMisses.length + field.edges.length,
    async run(context) {
      const scene = await openScene(context, operation.id)
      await probeField(context, createTwins(context, scene), field, placing)
    },
  }
}

/** The requirements that the probes of a field are about. */
export function requirementsOf(field: Field): string[] {
  const cited = [...field.nearMisses, ...field.shadowed, ...field.edges.filter(({ judged }) => judged)]
  return [...new Set(cited.flatMap(({ requirement }) => (requirement === undefined ? [] : [requirement])))]
}
