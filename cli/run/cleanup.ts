import { type CleanupOptions, cleanUp } from '../../engine/cleanup/cleanup.ts'
import { bounded, visible } from '../../reports/text.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { type AsJson, type Io, printedAsJson } from '../terminal/io.ts'
import { showDoing } from '../terminal/progress.ts'

const LONGEST_LEFT = 200

/** Runs `assay cleanup`; ends with 1 where something is left. */
export async function runCleanup(path: string, options: CleanupOptions & AsJson, io: Io): Promise<void> {
  let end = (): void => {}
  let things = 0
  const { target, removed, left } = await cleanUp(path, options, io, (count, where) => {
    things = count
    end = showDoing(io, `removing ${things} things from ${where}`)
  }).finally(() => end())
  if (!printedAsJson(io, options.json, { removed, left })) {
    io.stdout.write(`removed ${removed.length} of ${things} from ${target}\n`)
    for (const { type, id, label, why } of left) {
      // Ids and labels may be the target's words.
      const what = visible(bounded(`${type} ${id ?? '(id unknown)'} ${label}`, LONGEST_LEFT))
      io.stdout.write(`left: ${what}: ${visible(bounded(why, LONGEST_LEFT))}\n`)
    }
  }
  io.exitCode = left.length === 0 ? EXIT.ok : EXIT.nonConformant
}
