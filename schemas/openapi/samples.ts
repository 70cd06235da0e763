import { fillTemplate, placeholders } from '../template.ts'
import type { Json } from './components.ts'

/** What stands in examples for what a target would have given. */
const VALUES: Readonly<Record<string, unknown>> = {
  label: 'assay example',
  email: 'assay@example.com',
  token: '00000000-0000-4000-8000-000000000000',
  generation_id: 1,
  lines: [{ line: 'order 17 was shipped', timestamp: 1_700_000_000_000, app: 'shop', level: 'info' }],
}

/** A sample body of a binding with its placeholders filled. */
export function filledSample(template: unknown): unknown {
  const values = Object.fromEntries([...placeholders(template)].map((name) => [name, sampleOf(name)]))
  return fillTemplate(template, values)
}

/** An example of what a placeholder stands for; of an id, the same one each time. */
export function sampleOf(placeholder: string): unknown {
  if (Object.hasOwn(VALUES, placeholder)) return VALUES[placeholder]
  const sum = [...placeholder].reduce((total, character) => (total * 31 + character.charCodeAt(0)) % 0xffff_ffff, 7)
  return `00000000-0000-4000-8000-${sum.toString(16).padStart(12, '0')}`
}

/**
 * The schema of a body of which nothing but a sample is known: the types of its fields. What a list may hold is known
 * from its first element only, and not at all where it is empty. `whole`: nobody knows which fields can be left out, so
 * all of them are asked for.
 */
export function schemaOfSample(sample: unknown, whole: boolean): Json {
  if (sample === null) return {}
  if (Array.isArray(sample)) {
    return { type: 'array', ...(sample.length > 0 ? { items: schemaOfSample(sample[0], whole) } : {}) }
  }
  if (typeof sample === 'object') {
    const properties = Object.entries(sample).map(([name, value]) => [name, schemaOfSample(value, whole)])
    const required = whole ? { required: Object.keys(sample) } : {}
    return { type: 'object', properties: Object.fromEntries(properties), ...required }
  }
  return { type: Number.isInteger(sample) ? 'integer' : typeof sample }
}

/** The schema of an answer of which a binding tells where some values stand: JSON pointer by our name. */
export function schemaOfAnswer(pointers: Readonly<Record<string, string>>): Json {
  return Object.entries(pointers).reduce<Json>(
    (schema, [name, pointer]) => withPlace(schema, pointer.split('/').slice(1), name),
    {},
  )
}

function withPlace(schema: Json, segments: readonly string[], name: string): Json {
  const [first, ...rest] = segments
  if (first === undefined)
    return { ...schema, 'x-answer': [...((schema['x-answer'] as string[] | undefined) ?? []), name] }
  if (/^\d+$/.test(first))
    return { ...schema, type: 'array', items: withPlace((schema.items ?? {}) as Json, rest, name) }
  const properties = (schema.properties ?? {}) as Readonly<Record<string, Json>>
  return {
    ...schema,
    type: 'object',
    properties: { ...properties, [first]: withPlace(properties[first] ?? {}, rest, name) },
  }
}
