import {
  loadRecordedMock,
  type MockCounts,
  type MockEvent,
  type MockOptions,
  startMock,
} from '../../engine/mock/mock.ts'
import { type Io, printedAsJson, say } from '../terminal/io.ts'
import { whileDoing } from '../terminal/progress.ts'
import { untilInterrupted } from '../terminal/signals.ts'

/** The options of `assay mock` as the command line gives them. */
export interface MockWords extends Omit<MockOptions, 'ui'> {
  readonly ui?: number | true
  readonly json?: boolean
}

/** Serves a recording until it is interrupted, and then says what nobody asked for. */
export async function runMock(path: string, words: MockWords, io: Io): Promise<void> {
  const options: MockOptions = { ...words, ui: words.ui === true ? 0 : words.ui }
  const tell = (event: MockEvent): void => say(io.stderr, lineOf(event))
  const running = await startMock(path, options, io, tell, (...given) =>
    whileDoing(io, `reading ${path}`, () => loadRecordedMock(...given)),
  )
  const interrupted = untilInterrupted()
  const { url, page, mock } = running
  for (const note of running.notes) say(io.stderr, note)
  if (page !== undefined) say(io.stderr, `What passes is shown on ${page}`)
  if (!printedAsJson(io, words.json, { url, exchanges: mock.size() })) {
    say(io.stdout, `${mock.size()} exchanges of ${path} are served on ${url}`)
    io.stdout.write('Ctrl-C ends it.\n')
  }
  await interrupted
  await running.close()
  say(io.stderr, summary(running.counts, mock.unused().length))
}

function lineOf(event: MockEvent): string {
  switch (event.kind) {
    case 'unanswered':
      return `${event.status} ${event.request}: ${event.reason}`
    case 'changed':
      return `note: ${event.text}`
    case 'problem':
      return event.text
  }
}

function summary({ answered, unknown, failed }: Readonly<MockCounts>, unused: number): string {
  return [
    `${answered} answered`,
    `${unknown} not recorded`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    `${unused} never asked for`,
  ].join(', ')
}
