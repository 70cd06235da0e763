import type { CaseContext } from '../case.ts'
import type { Step } from './commands.ts'
import { type Found, Walk } from './walk.ts'

/** Findings that a walk makes shorter. */
const MOST_FINDINGS = 3
/** What time alone does so soon is looked at before anything else is tried; what takes longer than this is not. */
const SOON_MS = 2_000
const LONGEST_MS = 60_000
/** Operations whose newest changes of a thing are tried together. */
const MOST_CHANGES = 4
/** Milliseconds for all of them. */
const MOST_MS: Readonly<Record<CaseContext['profile'], number>> = { quick: 4_000, standard: 8_000, thorough: 30_000 }

/** A history to try: its steps, and how many things of a kind there are when one of them is changed. */
type History = readonly [steps: readonly Step[], least: number]

/**
 * Finds the shortest history that shows each finding again, and walks it: a report shows the newest finding of a case.
 * It makes the thing alone, then with one other operation of the walk after it, those closest to the finding first. What
 * nothing else brings about may come with time alone: then the thing is looked at as late again.
 */
export async function shorten(context: CaseContext, steps: readonly Step[], long: Walk): Promise<void> {
  const until = performance.now() + MOST_MS[context.profile]
  let left = MOST_FINDINGS
  if (long.found.length > 0) await long.end()
  for (const finding of long.found) {
    if (left === 0 || performance.now() > until) return
    if (!context.isFirst(finding.requirement)) continue
    left -= 1
    const walked = async ([some, least]: History): Promise<Walk> => {
      const walk = new Walk(context, least)
      for (const step of some) {
        await walk.take(step)
        await walk.lookAtAll(true)
      }
      return walk
    }
    const shows = (walk: Walk): boolean => {
      // The same history may show others as well.
      for (const { requirement } of walk.found) context.isFirst(requirement)
      return walk.found.some(({ requirement }) => requirement === finding.requirement)
    }
    const tried = async (history: History): Promise<boolean> => {
      if (performance.now() > until) return false
      const walk = await walked(history)
      const isShown = shows(walk)
      await walk.end()
      return isShown
    }
    const base = ownOf(finding).at(-1) ?? []
    const waiting = base.length > 0 ? await walked([base, 1]) : undefined
    const since = performance.now()
    const showsInTime = async (): Promise<boolean> => {
      await context.waitUntil(since + finding.after)
      await waiting?.lookAtAll(true)
      return waiting !== undefined && shows(waiting)
    }
    const isSoon = finding.after < SOON_MS && (await showsInTime())
    const shown = isSoon ? undefined : await firstOf(historiesFor(finding, steps), tried)
    if (shown) await reduce(shown, tried)
    else if (!isSoon && finding.after < LONGEST_MS) await showsInTime()
    await waiting?.end()
  }
}

type Tried = (history: History) => Promise<boolean>

async function firstOf(histories: readonly History[], tried: Tried): Promise<History | undefined> {
  for (const history of histories) if (await tried(history)) return history
  return undefined
}

/** Leaves out each step that is not needed. */
async function reduce([steps, least]: History, tried: Tried): Promise<void> {
  let needed = steps
  for (const step of steps.slice(0, -1)) {
    const less = needed.filter((one) => one !== step)
    if (await tried([less, least])) needed = less
  }
}

/** What makes the thing that a finding is about, and removes it where it was gone; then the same with its newest changes. */
function ownOf({ about }: Found): readonly (readonly Step[])[] {
  const { history = [], removed = false } = about ?? {}
  const [made, changes] = [history.slice(0, 1), history.slice(1)]
  if (made.length === 0) return []
  if (removed) return [[...made, ...changes.slice(-1)]]
  if (changes.length === 0) return [made]
  const newest = new Map(changes.map((step) => [step.command.operation, step]))
  return [made, [...made, ...[...newest.values()].slice(-MOST_CHANGES)]]
}

/** The shortest first. */
function historiesFor(finding: Found, steps: readonly Step[]): readonly History[] {
  const { about, step } = finding
  const own = ownOf(finding)
  // Another walk at the same time may have reached it: later steps may show what did.
  const nearest = [...steps.slice(0, step + 1).reverse(), ...steps.slice(step + 1)]
  const others = nearest.filter(
    ({ command }, index) => nearest.findIndex((one) => one.command.operation === command.operation) === index,
  )
  const least = (other: Step): number => (other.command.type === about?.made.type ? 2 : 1)
  return [
    ...own.map((one): History => [one, 1]),
    ...others.flatMap((other) =>
      (own.length === 0 ? [[]] : own).map((one): History => [[...one, other], least(other)]),
    ),
  ]
}
