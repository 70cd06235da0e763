// Generated from schemas/records/binding.schema.json by `npm run generate`. Do not edit.

/**
 * the target's name; null takes back an inherited one
 *
 * This interface was referenced by `BindingFile`'s JSON-Schema
 * via the `definition` "Name".
 */
export type BoundName = string | null
/**
 * a JSON pointer; null takes back an inherited one
 *
 * This interface was referenced by `BindingFile`'s JSON-Schema
 * via the `definition` "Pointer".
 */
export type BoundPointer = string | null

/**
 * Answers to the gaps of the specification, for one kind of target.
 */
export interface BindingFile {
  $schema?: string
  formatVersion: 1
  name: string
  /**
   * name of a shipped binding, or a path relative to this file
   */
  extends?: string
  /**
   * gap id -> its answer, of the form that `assay gaps` shows; null takes back an inherited answer
   */
  answers?: {
    [k: string]: unknown
  }
  /**
   * operation id -> method, path, bodies and pointers; of an operation that the specification gives a path for, only the pointers and the sample body
   */
  operations?: {
    [k: string]: BoundOperation
  }
  /**
   * kind of resource -> how a run makes, finds and removes one
   */
  resources?: {
    [k: string]: BoundResource
  }
  /**
   * written by `assay bind`: JSON pointer into this file -> where the entry comes from; a run does not read it
   */
  origins?: {
    [k: string]: BoundOrigin
  }
}
/**
 * This interface was referenced by `BindingFile`'s JSON-Schema
 * via the `definition` "BoundOperation".
 */
export interface BoundOperation {
  /**
   * false: this target does not have the operation
   */
  offered?: boolean
  /**
   * the gap that this answers
   */
  gap?: string
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path?: string
  query?: {
    [k: string]: string
  }
  /**
   * our name of a query parameter -> the target's
   */
  parameters?: {
    from?: BoundName
    to?: BoundName
    limit?: BoundName
    size?: BoundName
    hosts?: BoundName
    apps?: BoundName
    levels?: BoundName
    query?: BoundName
    prefer?: BoundName
    email?: BoundName
    email_subject?: BoundName
    pagination_id?: BoundName
    hostname?: BoundName
    mac?: BoundName
    ip?: BoundName
    now?: BoundName
    tags?: BoundName
  }
  /**
   * our name of a field -> the target's, in each row or line of the answer, or of the request where lines are sent; with a slash before it a JSON pointer into the record: id, time, line, host, app, level, env, tags, meta, name, lines, bytes, percent
   */
  fields?: {
    [k: string]: string | null
  }
  /**
   * a JSON value; strings may hold {{placeholders}}
   */
  body?: {
    [k: string]: unknown
  }
  family?: 'v1' | 'v2' | 'v3' | 'enterprise' | 'ingestion'
  effect?: 'read' | 'own' | 'account' | 'irreversible'
  /**
   * name -> JSON pointer into the answer
   */
  answer?: {
    id?: BoundPointer
    record?: BoundPointer
    list?: BoundPointer
    generation?: BoundPointer
    deleted?: BoundPointer
    message?: BoundPointer
    status?: BoundPointer
    token?: BoundPointer
    ingesting?: BoundPointer
    suspended?: BoundPointer
    pagination_id?: BoundPointer
    processing_status?: BoundPointer
    transforms?: BoundPointer
    revision?: BoundPointer
    edges?: BoundPointer
    events?: BoundPointer
    signing_keys?: BoundPointer
  }
}
/**
 * This interface was referenced by `BindingFile`'s JSON-Schema
 * via the `definition` "BoundResource".
 */
export interface BoundResource {
  /**
   * placeholder that its id fills, in paths and bodies: pipeline_id
   */
  id: string
  /**
   * resources made before it, whose ids it refers to
   */
  needs?: string[]
  create?: string
  read?: string
  list?: string
  delete?: string
  /**
   * name of the field in a list element that carries the run's prefix
   */
  label?: string
  /**
   * characters that this field may have, where that is fewer than 60
   */
  labelMax?: number
  /**
   * name of the field in a list element that carries the id
   */
  key?: string
  /**
   * fields that the target keeps in a form of its own: a read need not show them as they were sent
   */
  normalises?: string[]
  /**
   * resource that goes when this parent is deleted; no delete of its own is needed
   */
  with?: string
}
/**
 * This interface was referenced by `BindingFile`'s JSON-Schema
 * via the `definition` "Origin".
 */
export interface BoundOrigin {
  /**
   * in words: the exchange, or the document and the place in it
   */
  from: string
  /**
   * proven: what was sent was found again; recorded: seen in traffic; documented: an OpenAPI document says so; likely: told from names
   */
  sure: 'proven' | 'recorded' | 'documented' | 'likely'
}
