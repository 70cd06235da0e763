import { type Load, runLoad, type Slice } from './load.ts'
import type { Program } from './servers.ts'

/** What one program did under one load, over all rounds. */
export interface Measured {
  readonly name: string
  /** medians */
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** microseconds of CPU that a request took, all threads of the program */
  readonly cpu: number
  readonly requests: number
  readonly errors: number
  /** medians of what each round gave beside the first program of its round */
  readonly ratio: number
  readonly ratio50: number
  readonly ratio99: number
  readonly ratioCpu: number
}

/**
 * Puts the same load on each program in turn, round after round. So other work of the machine hits all of them. Ratios
 * are taken within a round, beside the program at `base`.
 */
export async function inTurns(
  programs: readonly Program[],
  base: string,
  load: Omit<Load, 'url'> & { readonly path: string },
  rounds: number,
): Promise<Measured[]> {
  const taken = new Map<string, (Slice & { readonly cpu: number })[]>()
  for (let round = 0; round < rounds; round += 1) {
    for (const program of programs) {
      const before = program.cpu()
      const slice = await runLoad({ ...load, url: `http://127.0.0.1:${program.port}${load.path}` })
      const cpu = ((program.cpu() - before) * 1e6) / Math.max(1, slice.requests)
      taken.set(program.name, [...(taken.get(program.name) ?? []), { ...slice, cpu }])
    }
  }
  const beside = taken.get(base) ?? []
  return programs.map(({ name }) => {
    const slices = taken.get(name) ?? []
    const ratios = (of: (slice: Slice & { readonly cpu: number }) => number): number =>
      median(slices.map((slice, round) => of(slice) / of(beside[round] ?? slice)))
    return {
      name,
      perSecond: median(slices.map((slice) => slice.perSecond)),
      p50: median(slices.map((slice) => slice.p50)),
      p99: median(slices.map((slice) => slice.p99)),
      cpu: median(slices.map((slice) => slice.cpu)),
      requests: slices.reduce((sum, slice) => sum + slice.requests, 0),
      errors: slices.reduce((sum, slice) => sum + slice.errors, 0),
      ratio: ratios((slice) => slice.perSecond),
      ratio50: ratios((slice) => slice.p50),
      ratio99: ratios((slice) => slice.p99),
      ratioCpu: ratios((slice) => slice.cpu),
    }
  })
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

/** The rows as a table for the terminal. */
export function table(title: string, rows: readonly Measured[]): string {
  const head = ['', 'req/s', 'of bare', 'p50 ms', 'of bare', 'p99 ms', 'of bare', 'CPU us', 'of bare', 'errors']
  const body = rows.map((row) => [
    row.name,
    row.perSecond.toFixed(0),
    row.ratio.toFixed(2),
    row.p50.toFixed(2),
    row.ratio50.toFixed(2),
    row.p99.toFixed(2),
    row.ratio99.toFixed(2),
    row.cpu.toFixed(0),
    row.ratioCpu.toFixed(2),
    String(row.errors),
  ])
  const widths = head.map((_, column) => Math.max(...[head, ...body].map((line) => line[column]?.length ?? 0)))
  const lines = [head, ...body].map((line) =>
    line
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  '),
  )
  return `\n${title}\n${lines.join('\n')}\n`
}
