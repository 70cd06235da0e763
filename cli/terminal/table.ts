import { clip, padded, widthOf } from '../../reports/text.ts'

type Style = (text: string) => string

/**
 * Rows in aligned columns, two blanks between them. All are as wide as their widest cell but the last, which takes what
 * is left of `columns` and is cut there. `styles` colour a column without changing its width.
 */
export function table(rows: readonly (readonly string[])[], columns: number, styles: readonly Style[] = []): string[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [index, cell] of row.slice(0, -1).entries()) widths[index] = Math.max(widths[index] ?? 0, widthOf(cell))
  }
  const before = widths.reduce((sum, width) => sum + width + 2, 0)
  const left = Math.max(10, columns - before)
  return rows.map((row) =>
    row
      .map((cell, index) => {
        const last = index === row.length - 1
        const text = last ? clip(cell, left) : padded(cell, widths[index] ?? 0)
        return styles[index]?.(text) ?? text
      })
      .join('  ')
      .trimEnd(),
  )
}
