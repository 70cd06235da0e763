// Each part with once, ten times and a hundred times the work: CPU of a unit and the most memory must not grow.
// node dist/bench/growth/main.js [certify] [proxy] [replay] [check] [page] [--scale 1] [--note]
// `--scale 0.1`: a tenth of all sizes. `--note`: writes the rows into bench/growth.json and the table into bench/README.md.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Part, plainTable } from '../figures.ts'
import { fill, machine } from '../readme.ts'
import { type Grown, growthTable } from './grown.ts'
import { certifyAt, checkAt, pageAt, proxyAt, replayAt } from './parts.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { scale: { type: 'string', default: '1' }, note: { type: 'boolean', default: false } },
})
const scale = Number(values.scale)
const home = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'bench')
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-growth-'))
const times = (size: number): number[] => [1, 10, 100].map((factor) => Math.round(size * factor * scale))

/** What is measured, one after the other. */
const RUNS: Readonly<Record<Part, () => AsyncGenerator<Grown> | Generator<Grown>>> = {
  certify: () => certifyAt(folder, ['quick', 'standard', 'thorough']),
  proxy: () => proxyAt(folder, times(5_000)),
  replay: () => replayAt(folder, times(2_000)),
  check: () => checkAt(folder, times(5_000)),
  page: () => pageAt(times(5_000)),
}

const rows: Grown[] = []
try {
  for (const [part, run] of Object.entries(RUNS)) {
    if (positionals.length > 0 && !positionals.includes(part)) continue
    for await (const row of run()) {
      rows.push(row)
      process.stderr.write(`${JSON.stringify(row)}\n`)
      // A known value stays known where a later size breaks off.
      if (values.note) noteDown()
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.stdout.write(plainTable(growthTable(rows)))

function noteDown(): void {
  const file = join(home, 'growth.json')
  const known = JSON.parse(readFileSync(file, 'utf8')) as Grown[]
  const parts = new Set(rows.map(({ part }) => part))
  const order = Object.keys(RUNS)
  const all = [...known.filter(({ part }) => !parts.has(part)), ...rows]
  all.sort((a, b) => order.indexOf(a.part) - order.indexOf(b.part))
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`)
  const readme = join(home, 'README.md')
  const table = growthTable(all)
    .map((row, index) => `| ${row.join(' | ')} |${index === 0 ? `\n|${row.map(() => ' --- ').join('|')}|` : ''}`)
    .join('\n')
  writeFileSync(readme, fill(readFileSync(readme, 'utf8'), new Map([['growth', `${machine(home)}\n\n${table}`]])))
}
