// All parts of the benchmark, or those that are named, each in a process of its own. Prints a table for each part, and
// compares each ratio with bench/noted.json. Ends with 1 where one has dropped by more than a tenth. `--note` notes
// those of this run and writes the tables into bench/README.md. `--quick`: a short look, whose ratios waver, so that
// only a drop by a third counts.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Figure, figureLines, figureRows, markdownTable, type Part, plainTable, readFigures } from './figures.ts'
import { type Noted, note, readNoted, worse } from './noted.ts'
import { fill, machine } from './readme.ts'

const PARTS: readonly Part[] = ['certify', 'proxy', 'replay', 'check', 'page']
const TITLES: Readonly<Record<Part, string>> = {
  certify: 'Certify: the standard run',
  proxy: 'Proxy: everything switched on, beside bare http-proxy',
  replay: 'Replay',
  check: 'Check',
  page: 'The page of a report',
}
const TOLERANCE = { whole: 0.1, quick: 1 / 3 }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    note: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const unknown = positionals.find((name) => !PARTS.some((part) => part === name))
const dist = join(dirname(fileURLToPath(import.meta.url)), '..')
const home = join(dist, '..', 'bench')

if (unknown !== undefined || (values.quick && values.note)) {
  const what = unknown === undefined ? '--quick is no measure to note' : `there is no part ${unknown}`
  process.stderr.write(`${what}; parts: ${PARTS.join(', ')}\n`)
  process.exitCode = 2
} else {
  await bench(PARTS.filter((part) => positionals.length === 0 || positionals.includes(part)))
}

async function bench(parts: readonly Part[]): Promise<void> {
  const file = join(home, 'noted.json')
  const before: Noted = existsSync(file) ? readNoted(readFileSync(file, 'utf8')) : {}
  const figures: Figure[] = []
  const failures: string[] = []
  for (const part of parts) {
    process.stderr.write(`\n${TITLES[part]} …\n`)
    const { code, text } = await run(part)
    const own = readFigures(text).filter((figure) => figure.part === part)
    if (code !== 0 || own.length === 0) failures.push(`${part}: ended with ${code} and ${own.length} figures`)
    figures.push(...own)
    if (!values.json) process.stdout.write(`\n${TITLES[part]}\n\n${plainTable(figureRows(own))}`)
  }
  if (values.json) process.stdout.write(figureLines(figures))
  if (values.note) {
    writeFileSync(file, `${JSON.stringify(note(before, figures), null, 2)}\n`)
    const tables = parts.flatMap((part): [string, string][] => {
      const own = figures.filter((figure) => figure.part === part)
      return own.length === 0 ? [] : [[part, `${machine(home)}\n\n${markdownTable(figureRows(own))}`]]
    })
    const readme = join(home, 'README.md')
    writeFileSync(readme, fill(readFileSync(readme, 'utf8'), new Map(tables)))
  } else {
    failures.push(...worse(before, figures, values.quick ? TOLERANCE.quick : TOLERANCE.whole))
  }
  for (const failure of failures) process.stderr.write(`WORSE ${failure}\n`)
  if (failures.length > 0) process.exitCode = 1
}

/** Runs one part. Its figures come on stdout as JSON lines; its messages go to the terminal. */
function run(part: Part): Promise<{ code: number | null; text: string }> {
  const words = [join(dist, 'bench', part, 'main.js'), '--json', ...(values.quick ? ['--quick'] : [])]
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, text }))
  })
}
