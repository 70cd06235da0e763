// Runs Schemathesis as a process of its own and reads what it reports.
import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installPython } from './install.mjs'

const run = promisify(execFile)

/**
 * Makes a virtual environment with Schemathesis in it, or takes the one that is there.
 * @throws Error that says what is missing
 */
export async function prepare(folder) {
  const { path: program, python } = await installPython(folder, 'schemathesis', 'schemathesis')
  const { stdout } = await run(program, ['--version'])
  return { program, python, version: stdout.trim().replace(/^.*version\s+/, '') }
}

/**
 * Lets it loose on one target. Returns the failures by key. The key is the same for the same fault in another run:
 * operation, kind of failure, and its message without drawn values.
 */
export async function tryTarget({ peer, folder, reference, setting, operations, seed }) {
  const own = mkdtempSync(join(folder, 'run-'))
  const events = join(own, 'events.ndjson')
  const { accessToken, enterpriseServiceKey, ingestionKey } = reference.credentials
  const args = [
    'run',
    join(folder, 'openapi.json'),
    '--url',
    reference.url,
    ...['-H', `Authorization: Token ${accessToken}`],
    ...['-H', `enterprise-servicekey: ${enterpriseServiceKey}`],
    ...['-H', `apikey: ${ingestionKey}`],
    ...['--seed', String(seed), '--no-color', '--generation-database', 'none'],
    ...['--report', 'ndjson', '--report-ndjson-path', events],
    ...operations.flatMap((id) => ['--include-operation-id', id]),
    ...setting.args,
  ]
  const started = performance.now()
  const ended = await finished(peer.program, args, own, setting.seconds)
  const outcome = read(events)
  rmSync(own, { recursive: true, force: true })
  return {
    requests: outcome.requests,
    failures: [...outcome.failures],
    ended,
    seconds: (performance.now() - started) / 1000,
  }
}

function finished(program, args, cwd, seconds) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, stdio: 'ignore' })
    let late = false
    // Asked to stop it still writes down what it found.
    const timer = setTimeout(() => {
      late = true
      child.kill('SIGINT')
    }, seconds * 1000)
    const last = setTimeout(() => child.kill('SIGKILL'), (seconds + 10) * 1000)
    child.on('close', (code) => {
      clearTimeout(timer)
      clearTimeout(last)
      resolve(late ? 'out of time' : `exit ${code}`)
    })
  })
}

function read(path) {
  const failures = new Map()
  let requests = 0
  if (!existsSync(path)) return { failures, requests }
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const event = parsed(line)
    const recorder = event?.ScenarioFinished?.recorder
    if (!recorder) continue
    requests += Object.keys(recorder.interactions ?? {}).length
    for (const check of Object.values(recorder.checks ?? {}).flat()) {
      const failure = check.failure_info?.failure
      if (!failure) continue
      const text = plain(failure.message ?? '')
      failures.set(`${failure.operation} | ${failure.type} | ${text}`, {
        operation: failure.operation,
        title: failure.title,
        text,
      })
    }
  }
  return { failures, requests }
}

function parsed(line) {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** The message without what was drawn: values in quotes and brackets, ids, numbers. */
function plain(message) {
  return message
    .replaceAll(/\(was [^\n]*\)/g, '')
    .replaceAll(/"[^"\n]*"/g, '"…"')
    .replaceAll(/'[^'\n]*'/g, "'…'")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/gi, '…')
    .replaceAll(/\s+/g, ' ')
    .slice(0, 300)
    .trim()
}
