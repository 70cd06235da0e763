// `assay check` beside plain reading and JSON.parse of the same segments, in alternating slices of one run. `node dist/bench/check/main.js [--exchanges 200000] [--slices 3] [--sizes 10000,100000,1000000] [--quick]
// [--json]`. `--sizes`: how memory and time grow with the length of a recording, as a table.
import { fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Report } from '../../schemas/types/report.ts'
import { type Figure, median, plainTable } from '../figures.ts'
import { runAssay } from '../programs.ts'
import { tell } from '../tell.ts'
import type { Parsed } from './parse.ts'
import { type TrafficSize, writeTraffic } from './traffic.ts'

const { values } = parseArgs({
  options: {
    exchanges: { type: 'string' },
    slices: { type: 'string' },
    sizes: { type: 'string', default: '' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const exchanges = Number(values.exchanges ?? (values.quick ? 40_000 : 200_000))
const slices = Number(values.slices ?? (values.quick ? 1 : 3))
const sizes = values.sizes.split(',').filter(Boolean).map(Number)
const say = (text: string): void => void process.stderr.write(`${text}\n`)
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-check-'))

/** Traffic that is harder to judge than the usual: none may take more than twice the time. */
const WORST: Readonly<Record<string, Partial<TrafficSize>>> = {
  'all traffic about one pipeline': { pipelines: 1 },
  'every read contradicting the last write': { contradicts: true },
  '5,000 clients': { clients: 5_000 },
  '100,000 pipelines': { pipelines: 100_000 },
}

interface Checked {
  /** seconds from the first exchange to the report */
  readonly seconds: number
  /** seconds of CPU, the start of the program included */
  readonly cpu: number
  /** most resident memory, bytes */
  readonly memory: number
}

try {
  tell([...(await measure()), ...(await worst())], values.json)
  if (sizes.length > 0) say(`\n${plainTable(await grown())}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function measure(): Promise<Figure[]> {
  const recording = await recordingOf(exchanges)
  const slicesDone: { readonly parse: number; readonly one: Checked }[] = []
  for (let slice = 1; slice <= slices; slice += 1) {
    const parse = (await parsed(recording)).cpu
    const one = await checked(recording)
    slicesDone.push({ parse, one })
    say(`slice ${slice}: parsed in ${perExchange(parse)}; checked in ${perExchange(one.cpu)}`)
  }
  const middle = (of: (slice: (typeof slicesDone)[number]) => number): number => median(slicesDone.map(of))
  const cpu = middle(({ one }) => one.cpu)
  const parse = { part: 'check', of: 'reading and JSON.parse' } as const
  return [
    {
      ...parse,
      name: 'exchanges of 2 KB a second and core',
      value: exchanges / cpu,
      unit: '/s',
      ratio: middle((slice) => slice.parse / slice.one.cpu),
    },
    { part: 'check', name: 'time of the processor an exchange', value: (cpu / exchanges) * 1e6, unit: 'us', most: 33 },
    {
      part: 'check',
      name: 'most resident memory',
      value: middle(({ one }) => one.memory) / 1e6,
      unit: 'MB',
    },
  ]
}

async function worst(): Promise<Figure[]> {
  const count = exchanges / 2
  const cpuOf = async (name: string): Promise<number> => (await checked(join(folder, name), 'worst', [0, 1])).cpu
  const taken = new Map<string, number[]>()
  for (const [name, size] of [...Object.entries(WORST), ['usual', {}] as const]) {
    await recordingOf(count, name, size)
    taken.set(name, [])
  }
  for (let slice = 0; slice < slices; slice += 1) for (const [name, all] of taken) all.push(await cpuOf(name))
  const usual = taken.get('usual') ?? []
  return Object.keys(WORST).map((name) => {
    const value = median((taken.get(name) ?? []).map((cpu, slice) => cpu / (usual[slice] ?? cpu)))
    return { part: 'check', name: `${name}: CPU beside the usual traffic`, value, unit: 'times', most: 2 }
  })
}

async function grown(): Promise<string[][]> {
  const rows = [['exchanges', 'us of the processor each', 'seconds', 'most resident memory']]
  for (const size of sizes) {
    const recording = await recordingOf(size)
    const { cpu, seconds, memory } = await checked(recording)
    const each = ((cpu / size) * 1e6).toFixed(1)
    rows.push([size.toLocaleString('en-US'), each, seconds.toFixed(1), `${Math.round(memory / 1e6)} MB`])
    say(rows.at(-1)?.join('  ') ?? '')
    rmSync(recording, { recursive: true, force: true })
  }
  return rows
}

async function recordingOf(
  count: number,
  name: string = `recording-${count}`,
  size: Partial<TrafficSize> = {},
): Promise<string> {
  const recording = join(folder, name)
  await writeTraffic(recording, { exchanges: count, pipelines: 1_000, clients: 32, compress: false, ...size })
  return recording
}

async function checked(
  recording: string,
  name: string = 'report',
  expected: readonly (number | null)[] = [0],
): Promise<Checked> {
  const out = join(folder, name)
  const words = ['check', recording, '--out', out, '--allow-partial']
  const { code, cpu, memory } = await runAssay(words, folder)
  if (!expected.includes(code)) throw new Error(`assay check ended with ${code}`)
  const { durationMs } = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as Report
  return { seconds: durationMs / 1000, cpu, memory }
}

/** In a process of its own, which has compiled nothing before. */
function parsed(recording: string): Promise<Parsed> {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(new URL('./parse.js', import.meta.url)), [recording])
    child.once('message', (message) => resolve(message as Parsed))
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`the program that parses ended with ${code}`)))
  })
}

function perExchange(seconds: number): string {
  return `${((seconds / exchanges) * 1e6).toFixed(1)} us an exchange`
}
