import type { Arbitrary } from 'fast-check'
import { RawJson, showValue } from './body.ts'
import { type Drawn, drawShrinkable, seedOf } from './drawing.ts'
import type { Field } from './fields.ts'

/** One value to send in an otherwise good body, and what is expected of the answer. */
export interface Probe {
  /** accept: a good value that must be taken; refuse: breaks its requirement; observe: the text leaves it open */
  readonly kind: 'accept' | 'refuse' | 'observe'
  readonly pointer: string
  readonly keyword: string | undefined
  readonly requirement: string | undefined
  /** requirements that a refused value breaks as well, because they shadow its own */
  readonly also: readonly (string | undefined)[]
  readonly label: string
  /** label of a probe of the same field that has to be accepted for this one to be sent */
  readonly after?: string
  /** for `lift`: may be a `FromBase` or a `RawJson`; undefined: the field is left out */
  readonly value: unknown
  /** the same probe with simpler values, the simplest first; each has simpler ones again. None for values written by hand. */
  smaller(): Iterable<Probe>
}

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

/** A probe whose value was written by hand: it is as small as it gets. */
function handwritten(probe: Omit<Probe, 'smaller'>): Probe {
  return { ...probe, smaller: () => [] }
}

/**
 * `runs` random probes of a field: good values in turn with values that break each constraint. The same seed and runs
 * give the same probes; more runs add to them. Where the deterministic probes say everything there are none.
 */
export function drawProbes(field: Field, seed: number, runs: number): Probe[] {
  const sources = sourcesOf(field)
  const drawn = sources.map(({ probe, arbitrary }, index) => {
    const count = Math.ceil((runs - index) / sources.length)
    const own = seedOf(seed, field.pointer, probe.kind, probe.keyword ?? '', String(index))
    return drawShrinkable(arbitrary, own, Math.max(0, count))
  })
  const probes: Probe[] = []
  for (let run = 0; run < runs && sources.length > 0; run += 1) {
    const source = sources[run % sources.length]
    const value = drawn[run % sources.length]?.[Math.floor(run / sources.length)]
    if (source && value) probes.push(asProbe(source.probe, value))
  }
  return probes
}

type Template = Pick<Probe, 'kind' | 'pointer' | 'keyword' | 'requirement' | 'also'>

interface Source {
  readonly probe: Template
  readonly arbitrary: Arbitrary<unknown>
}

function sourcesOf(field: Field): Source[] {
  const { pointer } = field
  const listed = field.schema.enum !== undefined || field.schema.const !== undefined
  const good = field.constraints
    .filter((constraint) => constraint.judged && !listed)
    .map(
      ({ keyword, requirement }): Source => ({
        probe: { kind: 'accept', pointer, keyword, requirement, also: [] },
        arbitrary: field.good,
      }),
    )
  const bad = field.nearMisses
    .filter(({ varied }) => varied)
    .map(
      ({ keyword, requirement, arbitrary }): Source => ({
        probe: { kind: 'refuse', pointer, keyword, requirement, also: [] },
        arbitrary,
      }),
    )
  const shadowed = field.shadowed
    .filter(({ by, varied }) => by.length > 0 && varied)
    .map(
      ({ keyword, requirement, arbitrary, by }): Source => ({
        probe: { kind: 'refuse', pointer, keyword, requirement, also: by.map((constraint) => constraint.requirement) },
        arbitrary,
      }),
    )
  return [...good, ...bad, ...shadowed]
}

function asProbe(template: Template, drawn: Drawn): Probe {
  return {
    ...template,
    label: `random ${showValue(drawn.value)}`,
    value: drawn.value,
    *smaller() {
      for (const next of drawn.smaller()) yield asProbe(template, next)
    },
  }
}

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
