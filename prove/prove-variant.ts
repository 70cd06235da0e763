import { overlayOfVariant, type Variant } from '../reference/variants/core/variant.ts'
import type { Judgement } from '../rules/core/judgement.ts'
import { ledger } from '../schemas/ledger.ts'
import type { Exchange } from '../schemas/types/exchange.ts'
import { allCases } from '../suites/cases/index.ts'
import { failureOf, type ProveOptions } from './prove-mutant.ts'
import { runTrial, type Trial, type Tried } from './trial.ts'

/** What became of a variant. */
export interface VariantOutcome extends Tried {
  readonly seed: number
  /** quiet: no finding. blamed: the suite found fault with it. error: the suite or the reference broke. */
  readonly result: 'quiet' | 'blamed' | 'error'
  /** requirements that turned red, each with its smallest example */
  readonly findings: readonly Example[]
  /** requirements that were judged: a suite that says nothing at all is quiet too */
  readonly judged: number
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
  })
  const red = [...new Set(trial.broken.map(({ requirement }: Judgement) => requirement))]
  const failure = failureOf(trial)
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
  if (!smallest) return undefined
  const { caseId, message = '', expected = '', actual = '' } = smallest.judgement
  const { method, url, postData } = smallest.deciding.request
  const { pathname, search } = new URL(url)
  const request = { method, path: pathname + search, body: postData?.text ?? '' }
  return { requirement, case: caseId, message, expected, actual, ...request }
}

function sizeOf({ request }: Exchange): number {
  return request.bodySize + request.url.length
}
