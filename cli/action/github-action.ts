// What action.yml runs: certifies, or merges the reports of shards, as its inputs say, and tells GitHub what came of it.
import { spawnSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EXIT } from '../terminal/exit-codes.ts'
import {
  type ActionOutcome,
  commandOf,
  type Environment,
  inputOf,
  NO_OUTCOME,
  reportsIn,
  watchOutcome,
} from './action.ts'

function main(env: Environment): number {
  const folder = inputOf(env, 'merge')
  const reports = folder === '' ? [] : reportsIn(resolve(folder))
  if (folder !== '' && reports.length === 0) {
    console.error(`error: ${folder}: there is no report.json to merge`)
    tell(env, NO_OUTCOME, EXIT.usage)
    return EXIT.usage
  }
  const program = fileURLToPath(new URL('../main.js', import.meta.url))
  const outcomeOf = watchOutcome(resolve(inputOf(env, 'out') || 'assay-report'))
  const { status } = spawnSync(process.execPath, [program, ...commandOf(env, reports)], { stdio: 'inherit' })
  const code = status ?? EXIT.invalid
  tell(env, outcomeOf(code), code)
  return code
}

/** Outputs for later steps, and the summary of the job. */
function tell(env: Environment, { verdict, report, summary }: ActionOutcome, code: number): void {
  if (env.GITHUB_OUTPUT) appendFileSync(env.GITHUB_OUTPUT, `verdict=${verdict}\nexit-code=${code}\nreport=${report}\n`)
  if (env.GITHUB_STEP_SUMMARY && summary !== '') appendFileSync(env.GITHUB_STEP_SUMMARY, summary)
}

process.exitCode = main(process.env)
