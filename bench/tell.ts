import { type Figure, figureLines, figureRows, losses, plainTable } from './figures.ts'

/** Prints the figures of a part: as JSON lines for `npm run bench`, or as a table. Whatever was lost ends the part with 1. */
export function tell(figures: readonly Figure[], json: boolean): void {
  process.stdout.write(json ? figureLines(figures) : `\n${plainTable(figureRows(figures))}`)
  for (const line of losses(figures)) {
    process.stderr.write(`${line}\n`)
    process.exitCode = 1
  }
}
