import { RawJson } from './raw-json.ts'

/**
 * The JSON text of a body, raw tokens as they stand; undefined where there is no body.
 * Properties without a value are left out, elements without one become null, as `JSON.stringify` does.
 */
export function serialise(body: unknown): string | undefined {
  if (body instanceof RawJson) return body.text
  if (body === null || typeof body !== 'object') return JSON.stringify(body)
  if (Array.isArray(body)) return `[${body.map((element) => serialise(element) ?? 'null').join(',')}]`
  const members: string[] = []
  for (const [name, value] of Object.entries(body)) {
    const text = serialise(value)
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`)
  }
  return `{${members.join(',')}}`
}
