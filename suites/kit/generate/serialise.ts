import { RawJson } from './raw-json.ts'

/**
 * The JSON text of a body, raw tokens as they stand; undefined where there is no body.
 * Properties without a value are left out, elements without one become null, as `JSON.stringify` does.
 */
export function serialise(body: unknown): string | undefined {
  return holdsRaw(body) ? write(body) : JSON.stringify(body)
}

function holdsRaw(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false
  if (value instanceof RawJson) return true
  return (Array.isArray(value) ? value : Object.values(value)).some(holdsRaw)
}

function write(value: unknown): string | undefined {
  if (value instanceof RawJson) return value.text
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((element) => write(element) ?? 'null').join(',')}]`
  const members: string[] = []
  for (const [name, member] of Object.entries(value)) {
    const text = write(member)
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`)
  }
  return `{${members.join(',')}}`
}
