import { Refusal } from '../core/refusal.ts'
import type { Node } from '../model/pipelines.ts'
import { type Condition, compileConditional, fieldPath, valueAt } from './conditional.ts'
import type { PipelineEvent } from './demo-events.ts'

/** An event on its way out of a transform; `output` is set where the transform has several. */
export interface Outgoing {
  readonly event: PipelineEvent
  readonly output: string | undefined
}

/** What a transform makes of one event: nothing where it drops it. */
export type Transformation = (event: PipelineEvent) => readonly Outgoing[]

/** Output of a route for events that no condition selects. */
const UNMATCHED = '_unmatched'

const pass: Transformation = (event) => [{ event, output: undefined }]

type Config = Readonly<Record<string, unknown>>

/**
 * The kinds that drop, divide or change events as their `user_config` says. All other kinds, and these where the
 * configuration is not of the known form, hand every event on as it is.
 */
const KINDS: Readonly<Record<string, (config: Config) => Transformation>> = {
  filter: ({ action, conditional }) => {
    const holds = compileConditional(conditional, '')
    const keep = action !== 'drop'
    return (event) => (holds(event) === keep ? pass(event) : [])
  },
  sample: ({ rate }) => {
    const every = wholeNumber(rate)
    return (event) => (Number(event.number) % every === 0 ? pass(event) : [])
  },
  throttle: ({ threshold, window_ms: window }) => {
    const [most, width] = [wholeNumber(threshold), wholeNumber(window)]
    return (event) => (Number(event.timestamp) % width < most ? pass(event) : [])
  },
  'drop-fields': ({ fields }) => {
    const names = new Set(names_(fields))
    return (event) => pass(Object.fromEntries(Object.entries(event).filter(([name]) => !names.has(name))))
  },
  'map-fields': ({ mappings }) => {
    const moves = (Array.isArray(mappings) ? mappings : []).map((mapping: Config) => ({
      from: fieldPath(String(mapping.source_field)),
      to: fieldPath(String(mapping.target_field)).join('.'),
      drop: mapping.drop_source === true,
      overwrite: mapping.overwrite_target === true,
    }))
    return (event) => {
      const changed: Record<string, unknown> = { ...event }
      for (const { from, to, drop, overwrite } of moves) {
        const value = valueAt(changed, from)
        if (value !== undefined && (overwrite || !Object.hasOwn(changed, to))) changed[to] = value
        if (drop) delete changed[from.join('.')]
      }
      return pass(changed)
    }
  },
  route: ({ conditionals }) => {
    const branches = (Array.isArray(conditionals) ? conditionals : []).map(
      (branch: Config): readonly [string, Condition] => [
        String(branch.label),
        compileConditional(branch.conditional, ''),
      ],
    )
    return (event) => {
      const taken = branches.filter(([, holds]) => holds(event)).map(([output]) => ({ event, output }))
      return taken.length > 0 ? taken : [{ event, output: UNMATCHED }]
    }
  },
}

/** What the transform does to events. */
export function transformationOf(node: Pick<Node, 'kind' | 'userConfig'>): Transformation {
  const make = Object.hasOwn(KINDS, node.kind) ? KINDS[node.kind] : undefined
  if (!make) return pass
  try {
    return make(node.userConfig)
  } catch (error) {
    if (error instanceof Refusal) return pass
    throw error
  }
}

/** The names of a transform's outputs; none where it has a single one. */
export function outputsOf(node: Pick<Node, 'kind' | 'userConfig'>): string[] {
  const { conditionals } = node.userConfig
  if (node.kind !== 'route' || !Array.isArray(conditionals)) return []
  return [...conditionals.map((branch: Config) => String(branch?.label)), UNMATCHED]
}

function names_(fields: unknown): string[] {
  return (Array.isArray(fields) ? fields : []).map((field) => fieldPath(String(field)).join('.'))
}

// 1 where it is no positive whole number: a sample of one in one, which is all.
function wholeNumber(value: unknown): number {
  return Number.isInteger(value) && Number(value) > 0 ? Number(value) : 1
}
