import { readdirSync, readFileSync } from 'node:fs'

/** A JSON Schema 2020-12 node, with our own `x-` keywords. */
export interface JsonSchema {
  readonly $id?: string
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, JsonSchema>>
  readonly title?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: boolean | JsonSchema
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly minItems?: number
  readonly maxItems?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  /** keyword -> id of the requirement that a value breaking it breaks; `required` maps each property */
  readonly 'x-requirement'?: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  /** what a recording keeps of the value: the whole of it, its form, a placeholder, or common words */
  readonly 'x-class'?: 'public' | 'private' | 'secret' | 'prose'
  /** of a public one: people write it as they like */
  readonly 'x-text'?: boolean
  /** keywords whose good values must be accepted, because their meaning is fully stated */
  readonly 'x-accept'?: readonly string[]
  /** a target takes as long as the value says: no random values are worth their time */
  readonly 'x-waits'?: boolean
}

const here = new URL('./', import.meta.url)

/** Reads a JSON data file that stands beside this module. */
export function readData<T>(path: string): T {
  return JSON.parse(readFileSync(new URL(path, here), 'utf8')) as T
}

/** Names of the JSON files in a data folder, without `ending`, sorted. */
export function listData(folder: string, ending: string): string[] {
  return readdirSync(new URL(`${folder}/`, here))
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))
    .sort()
}

/** All schemas of the specification's resources, by file name without its ending. */
export function loadResourceSchemas(): Map<string, JsonSchema> {
  return new Map(
    listData('resources', '.schema.json').map((name) => [name, readData<JsonSchema>(`resources/${name}.schema.json`)]),
  )
}

/** All schemas of our own formats, by file name without its ending. */
export function loadRecordSchemas(): Map<string, JsonSchema> {
  return new Map(
    listData('records', '.schema.json').map((name) => [name, readData<JsonSchema>(`records/${name}.schema.json`)]),
  )
}

/** A table that is asked for names from outside: it has no names but its own, and so none such as `constructor`. */
export function table<T>(entries: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.assign(Object.create(null), entries)
}
