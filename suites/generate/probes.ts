import type { Arbitrary } from 'fast-check'
import { type Drawn, drawShrinkable, seedOf } from './drawing.ts'
import type { Edge, Field } from './fields.ts'
import type { NearMiss } from './near-misses.ts'
import { RawJson, showValue } from './values/body.ts'

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
  const { pointer, edges, misses, observed } = field
  const good = (kind: 'accept' | 'observe', { keyword, requirement, label, value }: Edge): Omit<Probe, 'smaller'> => {
    return { kind, pointer, keyword, requirement, also: [], label, value }
  }
  return [
    ...edges.flatMap((edge) => {
      if (!edge.judged) return []
      const { after } = edge
      return [handwritten({ ...good('accept', edge), ...(after === undefined ? {} : { after }) })]
    }),
    ...misses.flatMap((miss) => miss.edges.map((edge) => handwritten({ ...refusalOf(pointer, miss), ...edge }))),
    ...edges.filter(({ judged }) => !judged).map((edge) => handwritten(good('observe', edge))),
    ...observed.map((value) =>
      handwritten({ kind: 'observe', pointer, keyword: undefined, requirement: undefined, also: [], ...value }),
    ),
  ]
}

function refusalOf(pointer: string, { keyword, requirement, by }: NearMiss): Template {
  return { kind: 'refuse', pointer, keyword, requirement, also: by.map((shadow) => shadow.requirement) }
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

function sourcesOf({ pointer, constraints, good, misses }: Field): Source[] {
  const judged = constraints.filter((constraint) => constraint.judged)
  return [
    ...judged.flatMap(({ keyword, requirement }): Source[] =>
      good ? [{ probe: { kind: 'accept', pointer, keyword, requirement, also: [] }, arbitrary: good }] : [],
    ),
    ...misses.flatMap((miss) =>
      miss.arbitrary ? [{ probe: refusalOf(pointer, miss), arbitrary: miss.arbitrary }] : [],
    ),
  ]
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

/** Bytes of a value in a URL, so that it has at most 8,000 in all (RFC 9110, section 4.1): longer ones may reach no service. */
const MOST_IN_URL = 6_000

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
    if (text === undefined || encodeURIComponent(text).length > MOST_IN_URL) return []
    if (place === 'path' && ['', '.', '..'].includes(text)) return []
    return [{ ...probe, value: text, smaller: () => textProbes([...probe.smaller()], place) }]
  })
}

function asText(value: unknown): string | undefined {
  if (value instanceof RawJson) return value.text
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string') return undefined
  return /\p{Surrogate}/u.test(value) ? undefined : value
}
