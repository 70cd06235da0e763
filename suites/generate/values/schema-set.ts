import type { JsonSchema } from '../../../schemas/load.ts'
import type { Validator } from '../../../schemas/validator.ts'
import type { Resolve } from '../../../schemas/walk.ts'

/** Schemas that refer to each other, with what reads and checks them. A `ref` names one: its name, or name#definition. */
export interface SchemaSet {
  /** file name without its ending -> schema */
  readonly schemas: ReadonlyMap<string, JsonSchema>
  readonly resolve: Resolve
  readonly validator: Validator
}

/** A schema that no value can be made for: a contradiction, or a keyword that the generators do not know. */
export class GenerateError extends Error {
  /** schema and JSON pointer of the value: 'tap-request /limit' */
  readonly place: string

  constructor(place: string, problem: string) {
    super(`${place}: ${problem}`)
    this.name = 'GenerateError'
    this.place = place
  }
}
