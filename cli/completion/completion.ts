import type { Command } from 'commander'
import { UsageError } from '../../engine/errors.ts'
import type { Io } from '../io.ts'
import { completionScript, SHELLS } from './scripts.ts'
import { placesOf } from './words.ts'

/** Prints the script of one shell. Throws UsageError for a shell that is not known. */
export function runCompletion(program: Command, name: string, options: { readonly json?: boolean }, io: Io): void {
  const shell = SHELLS.find((known) => known === name)
  if (shell === undefined) {
    throw new UsageError({
      where: 'completion',
      what: `there is no script for "${name}"`,
      hint: `choose one of ${SHELLS.join(', ')}`,
    })
  }
  const places = placesOf(program)
  io.stdout.write(options.json === true ? `${JSON.stringify(places)}\n` : completionScript(shell, places))
}
