import { overlayOfVariant, type Variant } from '../reference/variants/core/variant.ts'
import type { Judgement } from '../rules/core/judgement.ts'
import { ledger } from '../schemas/ledger.ts'
import type { Exchange } from '../schemas/types/exchange.ts'
import { allCases } from '../suites/cases/index.ts'
import type { ProveOptions } from './prove-mutant.ts'
import { runTrial, type Trial } from './trial.ts'

/** What became of a variant. Plain data: it crosses threads and stands in the state file. */
export interface VariantOutcome {
  readonly name: string
  readonly about: string
  readonly seed: number
  /** quiet: no finding. blamed: the suite found fault with it. error: the suite or the reference broke. */
  readonly result: 'quiet' | 'blamed' | 'error'
  /** requirements that turned red, each with its smallest example */
  readonly findings: readonly Example[]
  /** requirements that were judged: a suite that says nothing at all is quiet too */
  readonly judged: number
  readonly requests: number
  readonly milliseconds: number
  /** what broke */
  readonly detail: string
}

const PARALLEL = 16

/** Runs everything against a variant. Never throws for what the variant does. */
export async function proveVariant(variant: Variant, options: ProveOptions): Promise<VariantOutcome> {
  const started = performance.now()
  const trial = await runTrial({
    overlay: overlayOfVariant(variant),
    ...options,
    ...(variant.newId ? { newId: variant.newId() } : {}),
    ...(variant.binding ? { binding: variant.binding() } : {}),
    ...(variant.settleTimeout === undefined ? {} : { settleTimeout: variant.settleTimeout }),
    ...(variant.enterprise === undefined ? {} : { enterprise: variant.enterprise }),
    cases: allCases(),
    concurrency: PARALLEL,
    enough: () => false,
  })
  const red = [...new Set(trial.broken.map(({ requirement }: Judgement) => requirement))]
  const failure = trial.faults[0] ?? trial.records.find(({ state }) => state === 'error')?.detail
  return {
    name: variant.name,
    about: variant.about,
    seed: options.seed,
    result: red.length > 0 ? 'blamed' : failure === undefined ? 'quiet' : 'error',
    findings: red.flatMap((requirement) => smallestExample(requirement, trial) ?? []),
    judged: [...ledger().keys()].filter((id) => trial.tallies.of(id).evidence.judged > 0).length,
    requests: trial.requests,
    milliseconds: Math.round(performance.now() - started),
    detail: failure ?? '',
  }
}

/** The request that shows a fault, and what is wrong about it. */
export interface Example {
  readonly requirement: string
  readonly case: string
  readonly message: string
  readonly expected: string
  readonly actual: string
  readonly method: string
  readonly path: string
  readonly body: string
}

/** The finding of a trial about a requirement whose deciding request is the smallest, as a report shows it. */
export function smallestExample(requirement: string, { broken, exchanges }: Trial): Example | undefined {
  const [smallest] = broken
    .filter((judgement) => judgement.requirement === requirement)
    .flatMap((judgement) => {
      const deciding = exchanges.get(judgement.exchanges.at(-1) ?? '')
      return deciding ? [{ judgement, deciding }] : []
    })
    .sort((a, b) => sizeOf(a.deciding) - sizeOf(b.deciding))
  return smallest && toExample(smallest.judgement, smallest.deciding)
}

function sizeOf({ request }: Exchange): number {
  return request.bodySize + request.url.length
}

function toExample(judgement: Judgement, { request }: Exchange): Example {
  const { pathname, search } = new URL(request.url)
  return {
    requirement: judgement.requirement,
    case: judgement.caseId,
    message: judgement.message ?? '',
    expected: judgement.expected ?? '',
    actual: judgement.actual ?? '',
    method: request.method,
    path: pathname + search,
    body: request.postData?.text ?? '',
  }
}
