import { existsSync } from 'node:fs'
import { createHeapWatch } from '../../fixtures/heap.ts'
import { readSegmentBlocks, readSegments } from '../../fixtures/segments/read.ts'
import type { Judgement } from '../../rules/core/judgement.ts'
import { inputSides } from '../../rules/core/sides.ts'
import { createTallyBook } from '../../rules/core/tally.ts'
import { decide, lostCases, type VerdictInput, type Verdicts } from '../../rules/core/verdict.ts'
import { sizeOf } from '../../rules/core/view.ts'
import { createAtWork } from '../../rules/known/at-work.ts'
import type { Judge, Judged as JudgedExchange, OracleFactory } from '../../rules/oracle.ts'
import type { CaseRecord } from '../../schemas/types/case.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import { type Counts, createCounter } from './counts.ts'
import { NOTHING_SHOWN, type Shown, smallest } from './findings.ts'

/** What the evidence of a run says. */
export interface Judged extends Counts, Shown {
  readonly verdicts: Verdicts
  /** how the cases ended, sorted by id */
  readonly cases: readonly CaseRecord[]
  readonly leftovers: readonly string[]
  /** that the target was gone when the run ended, in words */
  readonly silent: readonly string[]
}

export interface JudgeInput
  extends Omit<VerdictInput, 'tallies' | 'cases' | 'sides' | 'successes' | 'bodies' | 'ledger'> {
  /** somebody ended the run before its time */
  readonly interrupted?: boolean
}

/** Where exchanges are read from; each call begins anew. */
export interface EvidenceSource {
  exchanges(): AsyncIterable<Exchange>
  /** the same in blocks, which is faster where there are many */
  blocks?(): AsyncIterable<Iterable<Exchange>>
  cases(): AsyncIterable<CaseRecord>
}

async function* oneByOne(exchanges: AsyncIterable<Exchange>): AsyncGenerator<Iterable<Exchange>> {
  for await (const exchange of exchanges) yield [exchange]
}

/** The evidence that a run keeps in a folder; none is left where that was moved or removed. */
export function evidenceIn(folder: string): EvidenceSource {
  if (!existsSync(folder)) return { exchanges: nothing, cases: nothing }
  return {
    exchanges: () => readSegments<Exchange>(folder, 'exchanges'),
    blocks: () => readSegmentBlocks<Exchange>(folder, 'exchanges'),
    cases: () => readSegments<CaseRecord>(folder, 'cases'),
  }
}

export async function* nothing(): AsyncGenerator<never> {}

/** Judges the exchanges of a run, each once and in the order of the evidence, and adds up what is found. */
export interface EvidenceJudge extends Pick<Judge, 'judge'> {
  /**
   * Decides when no exchange follows. `source`: has the cases, and once more the exchanges; `expected`: ids of the cases
   * that were to run.
   */
  decide(source: EvidenceSource, input: JudgeInput, expected: readonly string[]): Promise<Judged>
}

/** `origin`: of the exchanges, as in the input. */
export function createEvidenceJudge(factory: OracleFactory, origin?: JudgeInput['source']): EvidenceJudge {
  const judge = factory.createJudge()
  const book = createTallyBook()
  const counter = createCounter()
  // In traffic, clients that leave are no sign that a target is gone.
  const atWork = origin === 'traffic' ? undefined : createAtWork()
  return {
    judge(exchange) {
      const judged = judge.judge(exchange)
      counter.add(judged.view)
      atWork?.add(judged.view)
      for (const judgement of judged.judgements) book.add(judgement)
      return judged
    },
    async decide(source, input, expected) {
      for (const judgement of judge.end()) book.add(judgement)
      const counted = counter.counts()
      const cases: CaseRecord[] = []
      for await (const record of source.cases()) cases.push(record)
      cases.sort((a, b) => (a.case < b.case ? -1 : 1))
      // Nobody waits for an answer once a run is interrupted.
      const silent = input.interrupted === true ? [] : (atWork?.problems() ?? [])
      const { ledger, schemas } = factory.oracle
      const verdicts = decide({
        ...input,
        problems: [...input.problems, ...silent, ...lostCases(expected, cases)],
        ledger,
        tallies: book,
        cases,
        sides: inputSides(schemas),
        successes: counted.successes,
        bodies: counted.bodies,
      })
      const broken = verdicts.requirements.flatMap(({ tally }) => (tally.broken.length > 0 ? [tally.broken] : []))
      return {
        ...counted,
        verdicts,
        silent,
        cases,
        leftovers: cases.flatMap(({ leftovers }) => leftovers ?? []),
        ...(await behind(broken, source)),
      }
    },
  }
}

export interface JudgeWatch {
  /** bytes of heap below which no garbage is collected; left out: few */
  readonly heapBytes?: number
  readonly onJudged?: (judged: JudgedExchange) => void
}

/** Exchanges between two looks at the heap. */
const LOOK_EVERY = 128

/** Lets a judge see all exchanges of a source, one at a time. */
export async function judgeAll(
  source: EvidenceSource,
  judge: EvidenceJudge,
  { heapBytes, onJudged }: JudgeWatch = {},
): Promise<EvidenceJudge> {
  const watchHeap = createHeapWatch(undefined, heapBytes, LOOK_EVERY)
  for await (const block of source.blocks?.() ?? oneByOne(source.exchanges())) {
    for (const exchange of block) {
      watchHeap()
      const judged = judge.judge(exchange)
      onJudged?.(judged)
    }
  }
  return judge
}

/** The exchanges of the findings that are shown: a target that breaks everything has far more than memory holds. */
async function behind(broken: readonly (readonly Judgement[])[], source: EvidenceSource): Promise<Shown> {
  if (broken.length === 0) return NOTHING_SHOWN
  const ids = new Set(broken.flat().map(({ exchanges }) => exchanges.at(-1) ?? ''))
  const sizes = new Map<string, number>()
  const steps = new Map<string, readonly string[]>()
  const cases = new Map<string, Sought[]>()
  const walks = new Map<string, { readonly steps: string[]; size: number }>()
  for await (const exchange of source.exchanges()) {
    const { _id: id, _case: of, _intent: intent } = exchange
    const walk = of?.startsWith(WALKS) ? (walks.get(intent?.group ?? '') ?? { steps: [], size: 0 }) : undefined
    if (ids.has(id)) {
      sizes.set(id, sizeOf(exchange) + (walk?.size ?? 0))
      if (walk && walk.steps.length <= MOST_STEPS) steps.set(id, [...walk.steps])
      if (of !== undefined) cases.set(of, [...(cases.get(of) ?? []), { id, about: idsIn(exchange.request, '') }])
    }
    if (!walk || exchange.request.method === 'GET' || exchange.response.status >= 300) continue
    walk.steps.push(id)
    walk.size += sizeOf(exchange)
    walks.set(intent?.group ?? '', walk)
  }
  const shown = broken.flatMap((judgements) => smallest(judgements, (id) => sizes.get(id)))
  const wanted = shown.flatMap(({ exchanges }) => [...exchanges, ...(steps.get(exchanges.at(-1) ?? '') ?? [])])
  return { ...(await collect(source, new Set(wanted), cases)), steps, sizes }
}

/** Ids of cases that walk begin so. */
const WALKS = 'walk/'
/** A walk with more steps before a finding shows none of them. */
const MOST_STEPS = 12

/** A deciding exchange, and the ids in its path and body: what made them prepared it. */
interface Sought {
  readonly id: string
  readonly about: ReadonlySet<string>
}

const MOST_SETUPS = 3
const LONGEST = 16_384
/** UUIDs, and names that a run gave. */
const IDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|assay-\w+-\w+-\d+/g

function idsIn({ url, postData }: Exchange['request'], answer: string): ReadonlySet<string> {
  return new Set(`${url} ${(postData?.text ?? '').slice(0, LONGEST)} ${answer.slice(0, LONGEST)}`.match(IDS))
}

/** What is wanted, and what of the same cases made the things that it is about. */
async function collect(
  source: EvidenceSource,
  wanted: ReadonlySet<string>,
  cases: ReadonlyMap<string, readonly Sought[]>,
): Promise<Pick<Shown, 'exchanges' | 'setups'>> {
  const exchanges = new Map<string, Exchange>()
  const setups = new Map<string, string[]>()
  for await (const exchange of source.exchanges()) {
    const { _id: id, _case: of = '', _intent: intent } = exchange
    if (wanted.has(id)) exchanges.set(id, exchange)
    const sought = intent?.kind === 'setup' && exchange.request.method !== 'GET' ? cases.get(of) : undefined
    if (!sought) continue
    const made = [...idsIn(exchange.request, exchange.response.content.text ?? '')]
    for (const { id: deciding, about } of sought) {
      if (!wanted.has(deciding) || id >= deciding || !made.some((one) => about.has(one))) continue
      exchanges.set(id, exchange)
      setups.set(deciding, [...(setups.get(deciding) ?? []), id].slice(0, MOST_SETUPS))
    }
  }
  return { exchanges, setups }
}
