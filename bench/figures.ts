/** A part of the benchmark. */
export type Part = 'certify' | 'proxy' | 'replay' | 'check' | 'page'

/** One thing that was measured. */
export interface Figure {
  readonly part: Part
  readonly name: string
  readonly value: number
  readonly unit: string
  /**
   * Beside something that was measured in the same run, so that machines do not matter; turned so that more is better.
   * Left out: for information only.
   */
  readonly ratio?: number
  /** what the ratio is of: `of autocannon` */
  readonly of?: string
  /** least ratio that is wanted */
  readonly wanted?: number
  /** largest value that is wanted */
  readonly most?: number
}

/** Figures as programs read them: a JSON object a line. */
export function figureLines(figures: readonly Figure[]): string {
  return figures.map((figure) => `${JSON.stringify(figure)}\n`).join('')
}

/** Reads what `figureLines` wrote; other lines are left out. */
export function readFigures(text: string): Figure[] {
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return []
    const figure = JSON.parse(line) as Partial<Figure>
    return figure.part !== undefined && figure.name !== undefined ? [figure as Figure] : []
  })
}

/** A value with as many digits as say something, and its unit. */
function inWords({ value, unit }: Pick<Figure, 'value' | 'unit'>): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return `${value.toLocaleString('en-US', { maximumFractionDigits: digits })} ${unit}`.trimEnd()
}

/** Whether a figure is as good as it is wanted; undefined where nothing is wanted of it. */
function isGood({ value, ratio, wanted, most }: Figure): boolean | undefined {
  if (most !== undefined && value > most) return false
  if (wanted !== undefined) return ratio !== undefined && ratio >= wanted
  return most === undefined ? undefined : true
}

/** A line for each figure that has to be nothing, on any machine, and is more: what was lost, changed or turned away. */
export function losses(figures: readonly Figure[]): string[] {
  const found = figures.filter(({ value, most }) => most === 0 && value > 0)
  return found.map((figure) => `LOST ${figure.part}: ${figure.name}: ${inWords(figure)}`)
}

/** The figures as rows of cells, under a head. */
export function figureRows(figures: readonly Figure[]): string[][] {
  return [
    ['', 'measured', 'ratio', 'wanted', ''],
    ...figures.map((figure) => {
      const { unit, ratio, of = '', wanted, most } = figure
      const bounds = [
        ...(wanted === undefined ? [] : [`at least ${wanted.toFixed(2)}`]),
        ...(most === undefined ? [] : [`at most ${inWords({ value: most, unit })}`]),
      ]
      const good = isGood(figure)
      return [
        figure.name,
        inWords(figure),
        ratio === undefined ? '' : `${ratio.toFixed(2)} ${of}`.trimEnd(),
        bounds.join(', '),
        good === undefined ? '' : good ? 'ok' : 'missed',
      ]
    }),
  ]
}

/** Rows of cells for the terminal: the first column to the left, the others to the right. */
export function plainTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd()
  return `${rows.map(line).join('\n')}\n`
}

/** The same in Markdown. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`
  return line(head) + line(head.map((_, column) => (column === 0 ? '---' : '---:'))) + body.map(line).join('')
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}
