import type { Journal } from '../../fixtures/journal.ts'
import type { BodyStore } from '../../fixtures/segments/bodies.ts'
import type { SegmentWriter } from '../../fixtures/segments/write.ts'
import type { WriteFault } from '../run-context.ts'
import { Interrupted } from './case.ts'

/**
 * What a run could not write down. Whatever writes is wrapped: it never throws for what the disk does, so that cleanup goes
 * on sending; but what is not written is not sent on either, for the first fault stops the cases.
 */
export interface WriteFaults {
  readonly list: readonly WriteFault[]
  /** `where`: file or folder. Said once of each. */
  note(where: string, thrown: unknown): void
  /** Evidence from `open`, which may fail as well. */
  segment(folder: string, open: () => SegmentWriter): SegmentWriter
  bodies(folder: string, store: BodyStore): BodyStore
  /** Nothing is made that it does not know of: of that alone it throws, as of an order to stop. */
  journal(path: string, journal: Journal): Journal
}

/** `requests`: how many were sent by now. `onFault`: called at each fault in a new place. */
export function createWriteFaults(requests: () => number, onFault: () => void): WriteFaults {
  const list: WriteFault[] = []

  function note(where: string, thrown: unknown): void {
    if (list.some((known) => known.where === where)) return
    const { code = '' } = Object(thrown) as NodeJS.ErrnoException
    list.push({
      where,
      code,
      message: thrown instanceof Error ? thrown.message : String(thrown),
      requests: requests(),
    })
    onFault()
  }

  function attempt<T>(where: string, action: () => T): T | undefined {
    try {
      return action()
    } catch (thrown) {
      note(where, thrown)
      return undefined
    }
  }

  return {
    list,
    note,
    segment(folder, open) {
      const writer = attempt(folder, open)
      return {
        append: (record) => attempt(folder, () => writer?.append(record)),
        flush: () => attempt(folder, () => writer?.flush()),
        close: () => attempt(folder, () => writer?.close()),
      }
    },
    bodies: (folder, store) => ({ put: (text) => attempt(folder, () => store.put(text)) }),
    journal: (path, journal) => ({
      async write(line) {
        try {
          await journal.write(line)
        } catch (thrown) {
          note(path, thrown)
          if (line.type === 'making') throw new Interrupted('what is made can no longer be written down')
        }
      },
      close: () => journal.close().catch((thrown: unknown) => note(path, thrown)),
    }),
  }
}
