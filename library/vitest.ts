import { join } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { type Plan, planRun, requireCases } from '../engine/certify/plan.ts'
import { type Begun, beginRun } from '../engine/certify/run.ts'
import { outcomeOf } from '../engine/conclude/conclude.ts'
import { againFor } from '../engine/judge/facts.ts'
import { NOTHING_SHOWN, toFinding } from '../engine/judge/findings.ts'
import { closeJournal } from '../engine/leftovers.ts'
import { openRecording } from '../fixtures/recording/read.ts'
import { renderFailure } from '../reports/formats/terminal.ts'
import { checkWritable, writeReports } from '../reports/formats/write.ts'
import { failsForServerErrors } from '../reports/server-errors.ts'
import type { Judgement } from '../rules/core/judgement.ts'
import { noEvidence } from '../rules/core/tally.ts'
import { resolveBinding } from '../schemas/binding.ts'
import { isClaimed } from '../schemas/features.ts'
import { ledger } from '../schemas/ledger.ts'
import type { TargetConfig } from '../schemas/types/config.ts'
import type { Exchange } from '../schemas/types/exchange.ts'
import type { Profile, Report, RequirementResult } from '../schemas/types/report.ts'
import type { RunOutcome } from '../suites/run/run.ts'
import type { CaseRun } from '../suites/run/run-case.ts'
import { type Step, stepsOf } from '../suites/run/steps.ts'
import { openWorker, type Worker } from '../suites/run/worker.ts'
import { given, theCaller } from './caller.ts'
import { usable } from './wrong-use.ts'

export type { Report } from '../schemas/types/report.ts'

/** What is certified inside a vitest project of one's own. */
export interface ConformanceOptions {
  /** base URL; a function is called when the tests begin, after `beforeAll` of the file has started the server */
  readonly target: string | (() => string | Promise<string>)
  /**
   * credentials and the like, as in a configuration file; they win over the fields of such a file. A function is called
   * when the tests begin
   */
  readonly config?: Config | (() => Config | Promise<Config>)
  /** name of a shipped binding, or path of a binding file */
  readonly binding?: string
  /** features that the target claims; default: all that have cases */
  readonly features?: readonly [string, ...string[]]
  /** only these requirements, categories, features or operations */
  readonly only?: readonly string[]
  /** default quick */
  readonly profile?: Profile
  readonly seed?: number
  /** what the specification implies counts like what it states */
  readonly strict?: boolean
  /** a run in which nothing failed, but not everything was tested, counts as good */
  readonly allowPartial?: boolean
  /** where the report, the evidence and a journal of leftovers are written; default assay-report */
  readonly out?: string
  /** told of the report, which is written by then */
  readonly onReport?: (report: Report) => void
}

type Config = Omit<TargetConfig, 'baseUrl' | 'binding' | 'features'>

/** Stands for a URL that is known only when the tests begin. */
const LATER = 'http://127.0.0.1:0'

/**
 * Registers the conformance suites in the test file that calls it: a test for each case, and a last one. That fails
 * unless the verdict is `conformant`, or all that `only` selects passes. A failing test shows what the terminal would.
 * The target is taken to be a test server: things of claimed features may be created, changed and deleted on it. Acting
 * on a whole account still needs `config.consent`. Await it at the top of a test file, behind a `beforeAll` that starts
 * the server.
 * @throws UsageError for wrong options
 */
export async function defineConformance(options: ConformanceOptions): Promise<void> {
  const plan = await planOf(options, LATER, typeof options.config === 'object' ? options.config : {})
  let begun: Begun | undefined
  // The address is known when the tests begin.
  let running = plan
  /** ids of requirements that the test of a case has shown to be broken */
  const shown = new Set<string>()
  let worker: Worker | undefined
  let finished = false

  const opened = (): Worker => {
    if (!worker) throw new Error('the target could not be looked at')
    return worker
  }
  const close = async (): Promise<RunOutcome | undefined> => {
    const open = worker
    worker = undefined
    return open && { ...(await open.close()), problems: [] }
  }

  describe('conformance', () => {
    beforeAll(async () => {
      running = await planAtLast(options, plan)
      await checkWritable(running.out)
      const { baseUrl, credentials = {}, resources = {} } = running.config
      begun = await beginRun(running, { baseUrl, credentials, resources })
      worker = await openWorker(begun.context, begun)
    }, 60_000)

    afterAll(async () => {
      const ended = await close()
      // A run that was cut short has a report as well.
      if (begun && !finished) await writeReports((await begun.finish(true, ended)).report, plan.out)
    }, 60_000)

    const take = async ({ work }: Step): Promise<void> => {
      const results = await resultsOf(failingIn(await work(), running), opened(), running)
      for (const { id } of results) shown.add(id)
      if (results.length > 0) throw new Error(shownAs(results))
    }
    const { together, inTurn } = stepsOf(plan.selection.cases, opened)
    for (const step of together) test.concurrent(step.title, { timeout: 0 }, () => take(step))
    for (const step of inTurn) test.sequential(step.title, { timeout: 0 }, () => take(step))

    test.sequential('the overall verdict is conformant', { timeout: 0 }, async () => {
      if (!begun) throw new Error('the target could not be looked at')
      const { report, cleared } = await begun.finish(false, await close())
      finished = true
      await writeReports(report, plan.out)
      const { journal } = begun.context
      await closeJournal(journal, cleared)
      options.onReport?.(report)
      if (outcomeOf(report, options.allowPartial === true) === 'conformant') return
      throw new Error(failureOf(report, join(plan.out, 'report.json'), shown))
    })
  })
}

/** The plan again, with the address and the configuration that are known when the tests begin. */
async function planAtLast(options: ConformanceOptions, { settings, out }: Plan): Promise<Plan> {
  const url = typeof options.target === 'function' ? await options.target() : options.target
  const config = (typeof options.config === 'function' ? await options.config() : options.config) ?? {}
  return await planOf({ ...options, seed: settings.seed, out }, url, config)
}

/** Why the report is not conformant. `shown`: requirements that a test of its own has shown to be broken. */
function failureOf(report: Report, path: string, shown: ReadonlySet<string>): string {
  if (failsForServerErrors(report)) return `${report.serverErrors?.count} server errors, which failOn counts (${path})`
  // What no case could tell by itself, such as a rule about all of them, is shown here.
  const others = report.requirements.filter(({ id, verdict }) => verdict === 'fail' && !shown.has(id))
  return `${report.verdict}: ${report.reason} (${path})\n${shownAs(others)}`
}

async function planOf(options: ConformanceOptions, url: string, config: Config): Promise<Plan> {
  const { binding, features, only, profile = 'quick', seed, strict, out } = options
  const named = given({ binding, features, only, seed, strict, out })
  return await usable(async () => {
    const plan = await planRun({ url, fields: config, profile, ...named, yesModifyTarget: true }, theCaller())
    requireCases(plan)
    return plan
  })
}

/** What a case found broken that fails the report: what is claimed and selected, and of a level that counts. */
function failingIn(ran: CaseRun | undefined, { claimed, selection, strict }: Plan): readonly Judgement[] {
  if (ran?.record.state === 'error') throw new Error(ran.record.detail)
  return (ran?.broken ?? []).filter(({ requirement: id }) => {
    const requirement = ledger().get(id)
    if (!requirement || requirement.level === 'open' || !isClaimed(requirement, claimed)) return false
    return (strict || requirement.level === 'stated') && (selection.requirements?.has(id) ?? true)
  })
}

/** What a case found broken, as its report will show it: with the exchanges behind it, which the evidence holds. */
async function resultsOf(
  broken: readonly Judgement[],
  worker: Worker,
  { again, strict, variables, binding }: Plan,
): Promise<RequirementResult[]> {
  const wanted = new Set(broken.flatMap(({ exchanges }) => exchanges))
  const found = new Map<string, Exchange>()
  worker.exchanges.flush()
  const evidence = await openRecording(worker.run.folder)
  for await (const exchange of evidence.exchanges({ onProblem: () => {} })) {
    if (wanted.has(exchange._id)) found.set(exchange._id, exchange)
    if (found.size === wanted.size) break
  }
  const names = resolveBinding(binding).operations
  const ids = [...new Set(broken.map(({ requirement }) => requirement))]
  return ids.flatMap((id) => {
    const requirement = ledger().get(id)
    if (!requirement) return []
    const { level, category, feature, section, text } = requirement
    const reproduce = againFor({ again, strict }, requirement)
    const findings = broken
      .filter((judgement) => judgement.requirement === id)
      .map((judgement) => toFinding(judgement, { ...NOTHING_SHOWN, exchanges: found }, reproduce, { variables, names }))
    return [
      { id, level, category, feature, section, text, verdict: 'fail', reason: '', evidence: noEvidence(), findings },
    ]
  })
}

const COLUMNS = 100

/** As the terminal shows it. A test has no colours of ours. */
function shownAs(results: readonly RequirementResult[]): string {
  return results.map((result) => renderFailure(result, { columns: COLUMNS, color: false })).join('\n')
}
