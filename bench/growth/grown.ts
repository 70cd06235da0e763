import type { Part } from '../figures.ts'

/** What one size of work took. */
export interface Grown {
  readonly part: Part
  /** what was counted: requests, exchanges */
  readonly units: string
  readonly count: number
  /** seconds of CPU in all, threads included */
  readonly cpu: number
  /** most resident memory, bytes */
  readonly memory: number
}

/** A row a size: what a unit costs from nothing, what each further one costs, and the memory beside the size before. */
export function growthTable(rows: readonly Grown[]): string[][] {
  return [
    ['', 'work', 'CPU in all', 'CPU a unit', 'each further unit', 'memory', 'beside the size before'],
    ...rows.map((row, index) => {
      const before = rows[index - 1]
      const smaller = before?.part === row.part ? before : undefined
      const further = smaller && (row.cpu - smaller.cpu) / (row.count - smaller.count)
      return [
        row.part,
        `${row.count.toLocaleString('en-US')} ${row.units}`,
        `${row.cpu.toFixed(1)} s`,
        microseconds(row.cpu / row.count),
        further === undefined ? '' : microseconds(further),
        `${(row.memory / 1e6).toFixed(0)} MB`,
        smaller ? `${(row.memory / smaller.memory).toFixed(2)} times` : '',
      ]
    }),
  ]
}

function microseconds(seconds: number): string {
  return `${(seconds * 1e6).toFixed(0)} us`
}
