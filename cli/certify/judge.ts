import { readSegments } from '../../fixtures/segment.ts'
import { createLatencies, type Latencies } from '../../reports/latency.ts'
import type { OracleFactory } from '../../rules/oracle.ts'
import { inputSides } from '../../rules/sides.ts'
import { createTallyBook } from '../../rules/tally.ts'
import { decide, type VerdictInput, type Verdicts } from '../../rules/verdict.ts'
import type { CaseRecord } from '../../schemas/types/case.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import type { OperationStats } from '../../schemas/types/report.ts'

/** What the evidence of a run says. */
export interface Judged {
  readonly verdicts: Verdicts
  readonly requests: number
  readonly operations: readonly OperationStats[]
  readonly leftovers: readonly string[]
  /** the exchanges behind the broken judgements, by id */
  readonly exchanges: ReadonlyMap<string, Exchange>
}

export type JudgeInput = Omit<VerdictInput, 'tallies' | 'cases' | 'sides' | 'successes' | 'ledger'>

/** Reads the evidence of a run from its folder, one exchange at a time, and decides. */
export async function judgeEvidence(
  folder: string,
  factory: OracleFactory,
  input: JudgeInput,
  /** ids of the cases that were to run */
  expected: readonly string[],
): Promise<Judged> {
  const judge = factory.createJudge()
  const tallies = createTallyBook()
  const stats = createStats()
  for await (const exchange of readSegments<Exchange>(folder, 'exchanges')) {
    stats.add(exchange)
    for (const judgement of judge.judge(exchange).judgements) tallies.add(judgement)
  }
  for (const judgement of judge.end()) tallies.add(judgement)

  const cases: CaseRecord[] = []
  for await (const record of readSegments<CaseRecord>(folder, 'cases')) cases.push(record)
  const known = new Set(cases.map((record) => record.case))
  const lost = expected.filter((id) => !known.has(id))
  const problems = [...input.problems]
  if (lost.length > 0) problems.push(`${lost.length} cases did not come to an end, such as ${lost[0]}`)

  const { ledger, schemas } = factory.oracle
  const verdicts = decide({
    ...input,
    problems,
    ledger,
    tallies,
    cases,
    sides: inputSides(schemas),
    successes: stats.successes(),
  })
  const wanted = new Set(
    verdicts.requirements.flatMap(({ tally }) => tally.broken.flatMap(({ exchanges }) => exchanges)),
  )
  return {
    verdicts,
    requests: stats.requests(),
    operations: stats.operations(),
    leftovers: cases.flatMap(({ leftovers }) => leftovers ?? []),
    exchanges: wanted.size === 0 ? new Map() : await collect(folder, wanted),
  }
}

async function collect(folder: string, wanted: ReadonlySet<string>): Promise<Map<string, Exchange>> {
  const found = new Map<string, Exchange>()
  for await (const exchange of readSegments<Exchange>(folder, 'exchanges')) {
    if (wanted.has(exchange._id)) found.set(exchange._id, exchange)
  }
  return found
}

interface Stats {
  add(exchange: Exchange): void
  requests(): number
  successes(): number
  operations(): OperationStats[]
}

interface Counts {
  requests: number
  accepted: number
  refused: number
  inconclusive: number
  readonly latencies: Latencies
}

function createStats(): Stats {
  const byOperation = new Map<string, Counts>()
  let requests = 0
  let successes = 0
  return {
    add({ _operation = '', _outcome, response, time, _intent }) {
      requests += 1
      const counts = byOperation.get(_operation) ?? {
        requests: 0,
        accepted: 0,
        refused: 0,
        inconclusive: 0,
        latencies: createLatencies(),
      }
      byOperation.set(_operation, counts)
      counts.requests += 1
      counts.latencies.add(time)
      if (_outcome !== 'complete') counts.inconclusive += 1
      else if (response.status < 300) {
        counts.accepted += 1
        if (_intent?.kind !== 'preflight') successes += 1
      } else counts.refused += 1
    },
    requests: () => requests,
    successes: () => successes,
    operations: () =>
      [...byOperation]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([operation, { latencies, ...counts }]) => ({
          operation,
          ...counts,
          p50Ms: latencies.quantile(0.5),
          p99Ms: latencies.quantile(0.99),
          maxMs: latencies.max(),
        })),
  }
}
