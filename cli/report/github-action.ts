// What action.yml runs: certifies, or merges the reports of shards, as its inputs say, and tells GitHub what came of it.
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Report } from '../../schemas/types/report.ts'
import { commandOf, type Environment, inputOf, reportsIn } from './action-command.ts'

function main(env: Environment): number {
  const folder = inputOf(env, 'merge')
  const reports = folder === '' ? [] : reportsIn(resolve(folder))
  if (folder !== '' && reports.length === 0) {
    console.error(`error: ${folder}: there is no report.json to merge`)
    return 2
  }
  const program = fileURLToPath(new URL('../main.js', import.meta.url))
  const { status } = spawnSync(process.execPath, [program, ...commandOf(env, reports)], { stdio: 'inherit' })
  const code = status ?? 5
  const out = resolve(inputOf(env, 'out') || 'assay-report')
  tell(env, out, code)
  return code
}

/** Outputs for later steps, and the summary of the job. */
function tell(env: Environment, out: string, code: number): void {
  const path = join(out, 'report.json')
  const verdict = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Report).verdict : ''
  if (env.GITHUB_OUTPUT) appendFileSync(env.GITHUB_OUTPUT, `verdict=${verdict}\nexit-code=${code}\nreport=${path}\n`)
  const summary = join(out, 'summary.md')
  if (env.GITHUB_STEP_SUMMARY && existsSync(summary)) {
    appendFileSync(env.GITHUB_STEP_SUMMARY, readFileSync(summary, 'utf8'))
  }
}

process.exitCode = main(process.env)
