import { asked } from './core/changes.ts'
import type { Fault } from './core/fault.ts'

/** Faults in how lines with several tags are counted: all reports are of the first one alone. */
export const tagFaults: readonly Fault[] = (
  [
    ['list-usage-by-tag', 'USAGE-TAGS-AGGREGATES'],
    ['list-usage-v2-by-tag', 'USAGE-V2-BY-TAG'],
  ] as const
).map(([operation, requirement]) => ({
  name: `${operation}-first-tag`,
  about: `${operation} counts a line under the first of its tags only`,
  kills: [requirement],
  changes: asked(operation, (call) => {
    const { all, days } = call.state.lines
    const first = new Set<string>()
    const others = new Set<string>()
    for (const { tags } of [...all.sorted, ...all.late]) {
      if (tags[0] !== undefined) first.add(tags[0])
      for (const tag of tags.slice(1)) others.add(tag)
    }
    const kept = new Map(
      [...days].map(([day, usage]) => [
        day,
        { ...usage, tags: new Map([...usage.tags].filter(([tag]) => first.has(tag) || !others.has(tag))) },
      ]),
    )
    return { ...call, state: { ...call.state, lines: { ...call.state.lines, days: kept } } }
  }),
}))
