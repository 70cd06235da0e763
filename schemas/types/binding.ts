// Generated from schemas/records/binding.schema.json by `npm run generate`. Do not edit.

/**
 * Answers to the gaps of the specification, for one kind of target.
 */
export interface BindingFile {
  $schema?: string
  /**
   * version of this format: 1
   */
  formatVersion: 1
  /**
   * name of this binding, as reports show it
   */
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
  /**
   * how it is called; not of the operations of the specification
   */
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /**
   * where it is; {name} is filled with the id of a resource
   */
  path?: string
  /**
   * parameters that are always sent; values may hold {{placeholders}}
   */
  query?: {
    [k: string]: string
  }
  /**
   * our name of a query parameter -> the target's; null takes back an inherited one
   */
  parameters?: {
    /**
     * start of a period
     */
    from?: string | null
    /**
     * end of a period
     */
    to?: string | null
    /**
     * number of rows of a usage report, at most
     */
    limit?: string | null
    /**
     * number of lines of an export, at most
     */
    size?: string | null
    /**
     * names of hosts, with commas between
     */
    hosts?: string | null
    /**
     * names of applications, with commas between
     */
    apps?: string | null
    /**
     * levels, with commas between
     */
    levels?: string | null
    /**
     * what lines are searched for
     */
    query?: string | null
    /**
     * head or tail: the end of the period that lines are taken from
     */
    prefer?: string | null
    /**
     * address that lines of an export are mailed to
     */
    email?: string | null
    /**
     * subject of that mail
     */
    email_subject?: string | null
    /**
     * token of the next page
     */
    pagination_id?: string | null
    /**
     * host of the lines that are sent
     */
    hostname?: string | null
    /**
     * its MAC address
     */
    mac?: string | null
    /**
     * its IP address
     */
    ip?: string | null
    /**
     * time at which lines are sent, in milliseconds
     */
    now?: string | null
    /**
     * tags of the lines that are sent, with commas between
     */
    tags?: string | null
  }
  /**
   * our name of a field -> the target's, in each row or line of the response, or of a request that sends lines. With a slash before it: a JSON pointer into the record. For records, the names in their sample bodies; null takes back an inherited one
   */
  fields?: {
    /**
     * id of a line or record
     */
    id?: string | null
    /**
     * text of a line
     */
    line?: string | null
    /**
     * time of a line
     */
    time?: string | null
    /**
     * host of a line
     */
    host?: string | null
    /**
     * application of a line
     */
    app?: string | null
    /**
     * level of a line
     */
    level?: string | null
    /**
     * environment of a line
     */
    env?: string | null
    /**
     * tags of a line
     */
    tags?: string | null
    /**
     * metadata of a line
     */
    meta?: string | null
    /**
     * what a usage row is about, or the name of a record
     */
    name?: string | null
    /**
     * number of lines of a usage row
     */
    lines?: string | null
    /**
     * number of bytes of a usage row
     */
    bytes?: string | null
    /**
     * share of a usage row in all
     */
    percent?: string | null
    /**
     * title of a record
     */
    title?: string | null
    [k: string]: string | null | undefined
  }
  /**
   * a JSON value; strings may hold {{placeholders}}
   */
  body?: {
    [k: string]: unknown
  }
  /**
   * which credentials it takes; told from the path where it is left out
   */
  family?: 'v1' | 'v2' | 'v3' | 'enterprise' | 'ingestion'
  /**
   * read, own (on what the run made), account or irreversible; own where a changing operation says nothing
   */
  effect?: 'read' | 'own' | 'account' | 'irreversible'
  /**
   * name -> JSON pointer into the answer; null takes back an inherited one
   */
  answer?: {
    /**
     * the id of what was made, read or changed
     */
    id?: string | null
    /**
     * the record itself; an empty pointer is the whole body
     */
    record?: string | null
    /**
     * the list of records, rows or lines; an empty pointer is the whole body
     */
    list?: string | null
    /**
     * the generation of a node
     */
    generation?: string | null
    /**
     * the flag that says that something was deleted
     */
    deleted?: string | null
    /**
     * the message about it
     */
    message?: string | null
    /**
     * for ingest-lines: the status of each line in a 207
     */
    status?: string | null
    /**
     * for suspend-ingestion: the token for the second call
     */
    token?: string | null
    /**
     * for get-ingestion-status: the flag that is true while lines are taken in
     */
    ingesting?: string | null
    /**
     * the flag that is true while they are not
     */
    suspended?: string | null
    /**
     * the token of the next page, or null
     */
    pagination_id?: string | null
    /**
     * the status of a pipeline: the value itself, not an object around it
     */
    processing_status?: string | null
    /**
     * the list of the transforms of a group
     */
    transforms?: string | null
    /**
     * the id of a revision of a group
     */
    revision?: string | null
    /**
     * the list of the edges of a pipeline
     */
    edges?: string | null
    /**
     * the list of the events of a tap
     */
    events?: string | null
    /**
     * the list of a route's signing keys
     */
    signing_keys?: string | null
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
  /**
   * operation that makes one
   */
  create?: string
  /**
   * operation that reads one
   */
  read?: string
  /**
   * operation that lists them
   */
  list?: string
  /**
   * operation that removes one
   */
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
   * proven: sent values were found again; recorded: seen in traffic; documented: an OpenAPI document says so; likely: told from names
   */
  sure: 'proven' | 'recorded' | 'documented' | 'likely'
  /**
   * stands for the entry as `assay bind` wrote it: an entry that differs from it was changed by hand
   */
  wrote?: string
}
