import type { Probe } from './probe.ts'
import { RawJson } from './raw-json.ts'

/**
 * The probes of a parameter as they can stand in a URL, their values turned into text (not yet percent-encoded).
 * Wrong JSON types are dropped, since all is text there; a path segment cannot be empty, `.` or `..` either, because
 * these change which path is meant.
 */
export function textProbes(probes: readonly Probe[], place: 'path' | 'query'): Probe[] {
  return probes.flatMap((probe) => {
    if (probe.keyword === 'type') return []
    if (probe.value === undefined) return place === 'query' ? [probe] : []
    const text = asText(probe.value)
    if (text === undefined || (place === 'path' && ['', '.', '..'].includes(text))) return []
    return [{ ...probe, value: text, smaller: () => textProbes([...probe.smaller()], place) }]
  })
}

function asText(value: unknown): string | undefined {
  if (value instanceof RawJson) return value.text
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string') return undefined
  return /\p{Surrogate}/u.test(value) ? undefined : value
}
