import fc from 'fast-check'
import type { CaseIntent } from '../../schemas/types/intents.ts'
import type { Profile } from '../../schemas/types/report.ts'
import { draw, subSeed } from '../generate/drawing.ts'
import type { WordChoice } from '../generate/plausible-words.ts'
import type { Probe } from '../generate/probes.ts'

/** So many of the first values of one kind, and so many drawn of the others. */
export interface Most {
  readonly first: number
  readonly drawn: number
}

/** How much is tried at one place: it depends on the faults that are possible there. */
export interface HowMuch {
  /** good values at the bounds of one rule */
  readonly good: Most
  /** values written by hand that break one rule: of a type, of a format, or of another keyword */
  readonly types: Most
  readonly formats: Most
  readonly edges: Most
  /** values whose treatment is open: of one gap, and those that only a broken server minds */
  readonly open: Most
  readonly odd: Most
  /** the part of the random values of one keyword that is sent: of a type the edges show nearly everything */
  readonly randomTypes: number
  readonly random: number
  /** words that a list does not hold */
  readonly words: Omit<WordChoice, 'seed'>
}

const ALL: Most = { first: Number.POSITIVE_INFINITY, drawn: 0 }
const NONE: Most = { first: 0, drawn: 0 }

/** Everything is tried at one of the places that share a schema, and little at the others. */
const HOW_MUCH: Readonly<Record<Profile, Readonly<Record<'turn' | 'beside', HowMuch>>>> = {
  quick: {
    turn: {
      ...{ good: ALL, types: first(5), formats: first(2, 1), edges: ALL, open: NONE, odd: NONE },
      ...{ randomTypes: 0, random: 0.5, words: { own: 6, likely: 12, less: 0, others: 1 } },
    },
    beside: {
      ...{ good: first(2), types: first(0, 1), formats: first(0, 1), edges: first(1), open: NONE, odd: NONE },
      ...{ randomTypes: 0, random: 0, words: { own: 0, likely: 1, less: 0, others: 0 } },
    },
  },
  standard: {
    turn: {
      ...{ good: ALL, types: ALL, formats: ALL, edges: ALL, open: first(2, 3), odd: first(0, 4) },
      ...{ randomTypes: 0.03, random: 0.15, words: { own: undefined, likely: undefined, less: 15, others: 15 } },
    },
    beside: {
      ...{ good: first(2, 2), types: first(2, 2), formats: first(2, 2), edges: first(2, 2), open: first(1), odd: NONE },
      ...{ randomTypes: 0, random: 0.03, words: { own: 2, likely: 2, less: 1, others: 1 } },
    },
  },
  thorough: {
    turn: {
      ...{ good: ALL, types: ALL, formats: ALL, edges: ALL, open: ALL, odd: ALL, randomTypes: 0.1, random: 1 },
      words: { own: undefined, likely: undefined, less: undefined, others: undefined },
    },
    beside: {
      ...{ good: ALL, types: ALL, formats: ALL, edges: ALL, open: ALL, odd: first(0, 6) },
      ...{ randomTypes: 0.03, random: 0.2, words: { own: undefined, likely: undefined, less: 30, others: 30 } },
    },
  },
}

function first(count: number, drawn: number = 0): Most {
  return { first: count, drawn }
}

/** `isTurn`: of the places that share this schema it is the one that is tried in full. */
export function howMuch(profile: Profile, isTurn: boolean): HowMuch {
  return HOW_MUCH[profile][isTurn ? 'turn' : 'beside']
}

/** A value to be sent, and what for. */
export interface Wanted {
  readonly probe: Probe
  readonly intent: CaseIntent
}

/** Of each kind, requirement and keyword as many as may be, in their order, and those for which one of these has to wait. */
export function fewer(wanted: readonly Wanted[], mostOf: (one: Wanted) => Most, seed: number): readonly Wanted[] {
  const groups = new Map<string, Wanted[]>()
  for (const one of wanted) {
    const name = `${one.intent.kind} ${one.intent.requirement} ${one.probe.keyword}`
    groups.set(name, [...(groups.get(name) ?? []), one])
  }
  const kept = new Set<Wanted>()
  for (const [name, group] of groups) {
    const { first, drawn } = mostOf(group[0] as Wanted)
    const rest = group.slice(first)
    const count = Math.min(drawn, rest.length)
    const some = fc.shuffledSubarray(rest, { minLength: count, maxLength: count })
    for (const one of [...group.slice(0, first), ...draw(some, subSeed(seed, name), 1).flat()]) kept.add(one)
  }
  const awaited = new Set([...kept].map(({ probe }) => probe.after))
  return wanted.filter((one) => kept.has(one) || awaited.has(one.probe.label))
}
