/** What was seen with the same outcome. */
export interface Outcome {
  /** what came of it; '' where an observation does not tell cause and outcome apart */
  readonly outcome: string
  readonly causes: readonly string[]
  readonly times: number
}

/** Observations such as `update-member /role missing: status 400`, by their outcome, the most frequent first. */
export function byOutcome(observations: Readonly<Record<string, number>>): Outcome[] {
  const groups = new Map<string, { causes: string[]; times: number }>()
  for (const [what, times] of Object.entries(observations)) {
    const colon = what.lastIndexOf(': ')
    const outcome = colon < 0 ? '' : what.slice(colon + 2)
    const group = groups.get(outcome) ?? { causes: [], times: 0 }
    groups.set(outcome, group)
    group.causes.push(colon < 0 ? what : what.slice(0, colon))
    group.times += times
  }
  return [...groups]
    .map(([outcome, { causes, times }]) => ({ outcome, causes, times }))
    .sort((a, b) => b.causes.length - a.causes.length)
}
