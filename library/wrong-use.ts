import { Fault, type FaultKind, foreseen, UsageError } from '../engine/errors.ts'
import { type Recording, RecordingError } from '../fixtures/recording/read.ts'

/** The exit code that the command line has for each kind of end. */
const EXIT_CODE: Readonly<Record<FaultKind, number>> = { usage: 2, unreachable: 3, interrupted: 130 }

/**
 * Errors of the caller carry `exitCode` and `problems`, as on the command line. Unreadable files count as errors of the
 * caller.
 */
export function asUsage(thrown: unknown): unknown {
  const hint = '`assay fixtures repair` says what can be saved'
  const error =
    thrown instanceof RecordingError ? new UsageError({ where: '', what: thrown.message, hint }) : foreseen(thrown)
  return error instanceof Fault ? Object.assign(error, { exitCode: EXIT_CODE[error.kind] }) : error
}

/** What an action gives; errors of the caller carry `exitCode` and `problems`. */
export async function usable<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (thrown) {
    throw asUsage(thrown)
  }
}

/** The same recording, which says so wherever it cannot be read. */
export function withUsageErrors(recording: Recording): Recording {
  return {
    ...recording,
    exchanges: (options) => asUsageErrors(recording.exchanges(options)),
    blocks: (options) => asUsageErrors(recording.blocks(options)),
  }
}

async function* asUsageErrors<T>(values: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* values
  } catch (thrown) {
    throw asUsage(thrown)
  }
}
