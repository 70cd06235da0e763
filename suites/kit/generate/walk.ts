import { handwritten } from './_internals/handwritten.ts'
import type { Field } from './field.ts'
import type { Probe } from './probe.ts'

/**
 * Every deterministic probe of a field, in order: judged edges, values that break each constraint, then what is only
 * observed. Nothing random; the same list each time.
 */
export function walk(field: Field): Probe[] {
  const { pointer } = field
  const probes: Probe[] = []
  for (const { keyword, requirement, label, value, judged, after } of field.edges) {
    const first = after === undefined ? {} : { after }
    if (judged)
      probes.push(handwritten({ kind: 'accept', pointer, keyword, requirement, also: [], label, value, ...first }))
  }
  for (const { keyword, requirement, edges } of field.nearMisses) {
    for (const edge of edges)
      probes.push(handwritten({ kind: 'refuse', pointer, keyword, requirement, also: [], ...edge }))
  }
  for (const { keyword, requirement, edges, by } of field.shadowed) {
    const also = by.map((constraint) => constraint.requirement)
    for (const edge of edges) probes.push(handwritten({ kind: 'refuse', pointer, keyword, requirement, also, ...edge }))
  }
  for (const { keyword, requirement, label, value, judged } of field.edges) {
    if (!judged) probes.push(handwritten({ kind: 'observe', pointer, keyword, requirement, also: [], label, value }))
  }
  for (const { label, value } of field.observed) {
    probes.push(
      handwritten({ kind: 'observe', pointer, keyword: undefined, requirement: undefined, also: [], label, value }),
    )
  }
  return probes
}
