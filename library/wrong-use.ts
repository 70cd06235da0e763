import { foreseen, UsageError } from '../engine/errors.ts'
import { type Recording, RecordingError } from '../fixtures/recording/read.ts'

/** What cannot be read or written is wrong use, as on the command line: such errors carry `exitCode` 2 and `problems`. */
export function asUsage(thrown: unknown): unknown {
  if (!(thrown instanceof RecordingError)) return foreseen(thrown)
  return new UsageError({ where: '', what: thrown.message, hint: '`assay fixtures repair` says what can be saved' })
}

/** The same recording, which says so wherever it cannot be read. */
export function tellingUsage(recording: Recording): Recording {
  return {
    ...recording,
    exchanges: (options) => telling(recording.exchanges(options)),
    blocks: (options) => telling(recording.blocks(options)),
  }
}

async function* telling<T>(values: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* values
  } catch (thrown) {
    throw asUsage(thrown)
  }
}
