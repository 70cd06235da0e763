import { type Figure, figureLines, figureRows, plainTable } from './figures.ts'

/** Prints the figures of a part: as JSON lines for `npm run bench`, or as a table. */
export function tell(figures: readonly Figure[], json: boolean): void {
  process.stdout.write(json ? figureLines(figures) : `\n${plainTable(figureRows(figures))}`)
}
