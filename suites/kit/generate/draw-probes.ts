import type { Arbitrary } from 'fast-check'
import { type Drawn, draw } from './_internals/drawn.ts'
import { seedOf } from './_internals/seed-of.ts'
import { showValue } from './_internals/show-value.ts'
import type { Field } from './field.ts'
import type { Probe } from './probe.ts'

/**
 * `runs` random probes of a field: good values in turn with values that break each constraint. The same seed and runs
 * give the same probes; more runs add to them. Where the deterministic probes say everything there are none.
 */
export function drawProbes(field: Field, seed: number, runs: number): Probe[] {
  const sources = sourcesOf(field)
  const drawn = sources.map(({ probe, arbitrary }, index) => {
    const count = Math.ceil((runs - index) / sources.length)
    const own = seedOf(seed, field.pointer, probe.kind, probe.keyword ?? '', String(index))
    return draw(arbitrary, own, Math.max(0, count))
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
