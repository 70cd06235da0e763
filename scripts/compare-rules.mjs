// Judges the same evidence by two built programs, as `assay check` does. Prints each difference: a requirement whose
// verdict changed, and findings that came or went. Fails where there is one. `--counts` also tells of what is softer:
// how often something held or stayed open, what was seen, why something was not judged. The results of a program can be
// written down once, and stand for it later. scripts/collect-evidence.mjs collects the evidence.
import { fork } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

if (process.send) process.once('message', judgeAll)
else await compare()

async function compare() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: 'string', default: '' },
      counts: { type: 'boolean', default: false },
      jobs: { type: 'string', default: '2' },
      write: { type: 'string' },
    },
  })
  const paths = positionals.map((path) => resolve(path))
  const [evidence, after, before] = paths.reverse()
  if (after === undefined || (before === undefined && values.write === undefined)) {
    fail('name the old program (or what it said), the new one, and the folder of the evidence')
  }
  const tasks = piecesIn(evidence)
    .filter(({ name }) => name.includes(values.only))
    .flatMap(({ name, path, ways }) => ways.map((way) => ({ name: [name, ...way].join(' '), path, way })))
  if (tasks.length === 0) fail(`there is no evidence in ${evidence} whose name holds ${JSON.stringify(values.only)}`)
  const started = performance.now()
  const alone = values.jobs === '1'
  if (before === undefined) {
    const { said, requests, time } = await judged(after, tasks, alone ? 1 : 2)
    writeFileSync(values.write, JSON.stringify(Object.fromEntries(said)))
    const bad = [...said.values()].filter(({ error }) => error !== undefined)
    console.log(`${tasks.length} pieces of evidence, ${requests} exchanges, ${bad.length} not judged; ${time}`)
    process.exitCode = bad.length === 0 ? 0 : 1
    return
  }
  const isKept = before.endsWith('.json')
  const first = isKept ? kept(before, tasks) : judged(before, tasks, 1)
  if (alone) await first
  const sides = await Promise.all([first, judged(after, tasks, isKept && !alone ? 2 : 1)])
  const [left, right] = sides
  const total = { verdicts: 0, findings: 0, differences: 0, softer: 0, unjudged: 0 }
  const hit = new Map()
  for (const { name } of tasks) {
    const { hard, soft, verdicts, findings, unjudged } = differences(left.said.get(name), right.said.get(name))
    for (const { requirement, what } of hard) {
      console.log(`${name}: ${requirement} ${what}`)
      hit.set(requirement, (hit.get(requirement) ?? 0) + 1)
    }
    if (values.counts) for (const { requirement, what } of soft) console.log(`${name}: (${requirement} ${what})`)
    total.verdicts += verdicts
    total.findings += findings
    total.differences += hard.length
    total.softer += soft.length
    total.unjudged += unjudged ? 1 : 0
  }
  if (hit.size > 0) {
    const most = [...hit].sort(([, a], [, b]) => b - a)
    console.log(`differences by requirement: ${most.map(([id, count]) => `${id} ${count}`).join(', ')}`)
  }
  const softer = values.counts ? '' : ' (--counts shows them)'
  console.log(
    `${tasks.length} pieces of evidence, ${right.requests} exchanges, ${total.verdicts} verdicts, ${total.findings} findings compared: ${total.differences} differences, ${total.softer} of counts${softer}, ${total.unjudged} not judged by either; ${seconds(performance.now() - started)} s (old ${left.time}, new ${right.time})`,
  )
  process.exitCode = total.differences + total.unjudged === 0 ? 0 : 1
}

function fail(what) {
  console.error(`error: ${what}`)
  process.exit(2)
}

/** Folders that hold a piece of evidence, sorted by name. */
function piecesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.name === 'piece.json' && !entry.parentPath.includes('.unfinished'))
    .map(({ parentPath }) => {
      const { path, ways } = JSON.parse(readFileSync(join(parentPath, 'piece.json'), 'utf8'))
      return { name: relative(folder, parentPath), path: join(parentPath, path), ways }
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** What a program said of the tasks when it was written down. */
function kept(file, tasks) {
  const all = JSON.parse(readFileSync(file, 'utf8'))
  const none = { error: 'nothing is kept of it' }
  return { said: new Map(tasks.map(({ name }) => [name, all[name] ?? none])), requests: 0, time: 'from a file' }
}

/** What a program says of all tasks, from processes of its own: two versions of one module do not get into each other's way. */
async function judged(program, tasks, processes) {
  if (!existsSync(join(program, 'cli', 'program.js'))) fail(`${program} is no built program`)
  const started = performance.now()
  const said = new Map()
  let cpu = 0
  const shares = Array.from({ length: processes }, (_, index) => tasks.filter((_task, at) => at % processes === index))
  await Promise.all(
    shares.map(async (share) => {
      const child = fork(fileURLToPath(import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
      child.send({ program, tasks: share })
      child.on('message', (message) => {
        if (message.name === undefined) cpu += message.cpu
        else said.set(message.name, message.report)
      })
      await new Promise((done) => child.once('close', done))
    }),
  )
  for (const { name } of tasks) if (!said.has(name)) said.set(name, { error: 'the process that judges ended' })
  const requests = [...said.values()].reduce((sum, report) => sum + (report.requests ?? 0), 0)
  return { said, requests, time: `${seconds(performance.now() - started)} s, ${seconds(cpu)} s of CPU` }
}

async function judgeAll({ program, tasks }) {
  const { run } = await import(pathToFileURL(join(program, 'cli', 'program.js')).href)
  const out = mkdtempSync(join(tmpdir(), 'assay-compare-'))
  try {
    for (const { name, path, way } of tasks) process.send({ name, report: await judge(run, path, way, out) })
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
  const { user, system } = process.cpuUsage()
  // Messages that are not written yet would be lost.
  process.send({ cpu: (user + system) / 1000 }, () => process.disconnect())
}

/** One piece, judged by a command line in this process: starting one for each would take longer than judging it. */
async function judge(run, path, way, out) {
  const [text, errors] = [[], []]
  const io = {
    stdout: { write: (chunk) => text.push(chunk) },
    stderr: { write: (chunk) => errors.push(chunk) },
    env: {},
    cwd: out,
    program: 'assay',
    isTty: false,
    columns: 80,
    exitCode: 0,
  }
  const code = await run(['check', path, ...way, '--json', '--out', out], io)
  try {
    return summaryOf(JSON.parse(text.join('')))
  } catch {
    return { error: `exit code ${code}: ${errors.join('').trim().split('\n').at(-1)}` }
  }
}

/** What is compared of a report. `edges` of a requirement are its findings as far as a report shows them; `broken` counts all. */
function summaryOf({ verdict, reason, requests, problems, requirements, basis }) {
  const of = ({ id, verdict: own, reason: why, findings, evidence: { mutants: _worth, ...evidence } }) => [
    id,
    {
      verdict: own,
      edges: [...new Set(findings.map(({ operation, edge }) => `${operation} ${JSON.stringify(edge)}`))].sort(),
      broken: basis?.broken[id] ?? {},
      soft: {
        why,
        ...evidence,
        failed: basis?.failed?.[id] ?? {},
        sides: basis?.sides[id] ?? {},
        findings: findings.map(({ operation, case: by, edge, pointer, message, expected, actual, exchanges }) =>
          [operation, by, edge, pointer, message, expected, actual, exchanges.at(-1)?.id].join(' | '),
        ),
      },
    },
  ]
  const whole = { verdict, edges: [], broken: {}, soft: { reason, problems } }
  return { requests, requirements: { 'the whole': whole, ...Object.fromEntries(requirements.map(of)) } }
}

function differences(left, right) {
  const hard = []
  const soft = []
  if (left.error !== undefined || right.error !== undefined) {
    const told = ({ error }) => error ?? 'judged'
    const unjudged = left.error !== undefined && right.error !== undefined
    hard.push({ requirement: 'the whole', what: `${told(left)} → ${told(right)}` })
    return { hard, soft, verdicts: 0, findings: 0, unjudged }
  }
  const ids = [...new Set([...Object.keys(left.requirements), ...Object.keys(right.requirements)])]
  let findings = 0
  for (const requirement of ids) {
    const none = { verdict: 'not there', edges: [], broken: {}, soft: {} }
    const { [requirement]: a = none } = left.requirements
    const { [requirement]: b = none } = right.requirements
    const add = (what) => hard.push({ requirement, what })
    if (a.verdict !== b.verdict) add(`${a.verdict} → ${b.verdict}`)
    for (const edge of a.edges) if (!b.edges.includes(edge)) add(`finding gone: ${edge}`)
    for (const edge of b.edges) if (!a.edges.includes(edge)) add(`finding new: ${edge}`)
    for (const operation of new Set([...Object.keys(a.broken), ...Object.keys(b.broken)])) {
      const [before, after] = [a.broken[operation] ?? 0, b.broken[operation] ?? 0]
      findings += Math.max(before, after)
      if (before !== after) add(`broken at ${operation}: ${before} → ${after} times`)
    }
    for (const name of new Set([...Object.keys(a.soft), ...Object.keys(b.soft)])) {
      const [before, after] = [JSON.stringify(a.soft[name]), JSON.stringify(b.soft[name])]
      if (before !== after) soft.push({ requirement, what: `${name} ${before} → ${after}` })
    }
  }
  return { hard, soft, verdicts: ids.length, findings, unjudged: false }
}

function seconds(milliseconds) {
  return (milliseconds / 1000).toFixed(1)
}
