import { join } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { type Plan, planRun, requireCases } from '../engine/certify/plan.ts'
import { type Begun, beginRun } from '../engine/certify/run.ts'
import { mayBePartial } from '../engine/conclude/conclude.ts'
import { closeJournal } from '../engine/leftovers.ts'
import { checkWritable, writeReports } from '../reports/formats/write.ts'
import { failsForServerErrors } from '../reports/server-errors.ts'
import type { TargetConfig } from '../schemas/types/config.ts'
import type { Profile, Report } from '../schemas/types/report.ts'
import { registerCases } from '../suites/run/register.ts'
import { openWorker, type Worker } from '../suites/run/worker.ts'
import { theCaller } from './caller.ts'
import { asUsage } from './wrong-use.ts'

export type { Report } from '../schemas/types/report.ts'

/** What is certified inside a vitest project of one's own. */
export interface ConformanceOptions {
  /** base URL; a function is called when the tests begin, after `beforeAll` of the file has started the server */
  readonly target: string | (() => string | Promise<string>)
  /**
   * credentials and the like, as in a configuration file, whose fields they win over where there is one; a function is called
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
 * Registers the conformance suites in the test file that calls it: a test for each case, and a last one that fails unless
 * the overall verdict is `conformant`. The target is taken to be a test server: whatever is claimed may be created,
 * changed and deleted on it; what acts on a whole account still needs `config.consent`. Await it at the top of a test
 * file, behind a `beforeAll` that starts the server.
 * @throws UsageError for wrong options
 */
export async function defineConformance(options: ConformanceOptions): Promise<void> {
  const plan = await planOf(options, LATER, typeof options.config === 'object' ? options.config : {}).catch(
    (thrown) => {
      throw asUsage(thrown)
    },
  )
  let begun: Begun | undefined
  let worker: Worker | undefined
  let finished = false

  const opened = (): Worker => {
    if (!worker) throw new Error('the target could not be looked at')
    return worker
  }
  const close = async (): Promise<void> => {
    const open = worker
    worker = undefined
    await open?.close()
  }

  describe('conformance', () => {
    beforeAll(async () => {
      const url = typeof options.target === 'function' ? await options.target() : options.target
      const config = (typeof options.config === 'function' ? await options.config() : options.config) ?? {}
      const planned = await planOf({ ...options, seed: plan.seed, out: plan.out }, url, config)
      await checkWritable(planned.out)
      const credentials = planned.config.credentials ?? {}
      const target = { baseUrl: url, credentials, resources: planned.config.resources ?? {} }
      begun = await beginRun(planned, target)
      worker = await openWorker(begun.context)
    }, 60_000)

    afterAll(async () => {
      await close()
      // A run that was cut short has a report as well.
      if (begun && !finished) await writeReports((await begun.finish([], true)).report, plan.out)
    }, 60_000)

    registerCases(
      plan.selection.cases,
      opened,
      ([first]) =>
        `${first?.requirement}: ${first?.message ?? ''}; expected ${first?.expected ?? ''}, actual ${first?.actual ?? ''}`,
    )

    test.sequential('the overall verdict is conformant', { timeout: 0 }, async () => {
      if (!begun) throw new Error('the target could not be looked at')
      await close()
      const { report, cleared } = await begun.finish([], false)
      finished = true
      await writeReports(report, plan.out)
      const { journal } = begun.context
      await closeJournal(journal, cleared)
      options.onReport?.(report)
      if (failsForServerErrors(report))
        throw new Error(
          `${report.serverErrors?.count} server errors, which failOn counts (${join(plan.out, 'report.json')})`,
        )
      const { verdict } = report
      const mayPass = verdict === 'partial' && options.allowPartial === true && mayBePartial(report)
      if (verdict === 'conformant' || mayPass) return
      throw new Error(`${report.verdict}: ${report.reason} (${join(plan.out, 'report.json')})`)
    })
  })
}

async function planOf(options: ConformanceOptions, url: string, config: Config): Promise<Plan> {
  const plan = await planRun(
    {
      url,
      fields: config,
      profile: options.profile ?? 'quick',
      ...(options.binding === undefined ? {} : { binding: options.binding }),
      ...(options.features === undefined ? {} : { features: options.features }),
      ...(options.only === undefined ? {} : { only: options.only }),
      ...(options.seed === undefined ? {} : { seed: options.seed }),
      ...(options.strict === undefined ? {} : { strict: options.strict }),
      ...(options.out === undefined ? {} : { out: options.out }),
      yesModifyTarget: true,
    },
    theCaller(),
  )
  requireCases(plan)
  return plan
}
