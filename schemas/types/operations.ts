// Generated from schemas/records/operations.schema.json by `npm run generate`. Do not edit.

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
/**
 * operations that share their authentication
 */
export type OperationFamily = 'v1' | 'v2' | 'v3' | 'enterprise' | 'ingestion'
export type Effect = 'read' | 'own' | 'account' | 'irreversible'

export interface OperationsFile {
  $schema?: string
  operations: Operation[]
}
/**
 * This interface was referenced by `OperationsFile`'s JSON-Schema
 * via the `definition` "Operation".
 */
export interface Operation {
  id: string
  method: HttpMethod
  path: string
  title: string
  category: string
  feature: string
  family: OperationFamily
  section: string
  /**
   * schemes that the specification names for it, the preferred one first
   */
  security: ('access-token' | 'service-key' | 'enterprise-key' | 'ingestion-key' | 'iam')[]
  parameters: Parameter[]
  request?: RequestShape
  response: ResponseShape
  errors: StatedError[]
  effect: Effect
  creates?: string
  deletes?: string
}
/**
 * This interface was referenced by `OperationsFile`'s JSON-Schema
 * via the `definition` "Parameter".
 */
export interface Parameter {
  name: string
  in: 'path' | 'query'
  /**
   * resource schema and definition: parameters#component_id
   */
  schema: string
  /**
   * the gap that answers the parameter's name, where the name here is ours
   */
  gap?: string
}
export interface RequestShape {
  /**
   * file in schemas/resources/, without its ending
   */
  schema: string
  mode: 'create' | 'replace' | 'merge' | 'action'
}
export interface ResponseShape {
  /**
   * a number, or any 2xx
   */
  status: 200 | 'success'
  statusRequirement: string
  body: 'none' | 'open' | 'schema'
  schema?: string
  /**
   * cited when a body stands where none belongs, or none (or none that is JSON) where one belongs
   */
  bodyRequirement?: string
}
/**
 * This interface was referenced by `OperationsFile`'s JSON-Schema
 * via the `definition` "StatedError".
 */
export interface StatedError {
  /**
   * name of the probe that provokes it
   */
  condition: string
  status?: number
  statusRequirement?: string
  code?: string
  codeRequirement?: string
  schema: string
  bodyStatus?: 'error'
  bodyStatusRequirement?: string
  /**
   * that the request is not carried out: not 2xx, not 5xx; left out where the text does not say so
   */
  refusedRequirement?: string
  /**
   * cited when the error answer has no JSON body
   */
  bodyRequirement?: string
}
