import { randomBytes } from 'node:crypto'
import { harText } from '../../fixtures/har/har.ts'
import type {
  DetailedExchange,
  LiveQuestion,
  LiveRowsText,
  PageCount,
  PageFacts,
  ShownExchange,
} from '../../fixtures/live/messages.ts'
import { toCompact } from '../../fixtures/segments/compact.ts'
import { FORMAT, VERSION } from '../../fixtures/segments/write.ts'
import { builtPage, filledPage } from '../../reports/formats/html.ts'
import { curlLine } from '../../reports/shell.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import type { RecordingAbout, SegmentEnd, SegmentHeader } from '../../schemas/types/recording.ts'
import { UsageError } from '../errors.ts'
import { listen } from '../listening.ts'
import { packageInfo } from '../package-info.ts'
import { type DownloadForm, LiveServer } from './server.ts'

/** The page that shows what passes, while it is open. */
export interface LivePage {
  /** with its token: who has it sees what passes */
  readonly url: string
  add(rows: LiveRowsText): void
  /** how it stands: JSON of a `Standing` */
  stand(text: string): void
  /** Tells what is new, and ends all connections. */
  close(): Promise<void>
}

export interface LivePageOptions {
  readonly facts: PageFacts
  /** what was counted so far; how many a second is added */
  readonly counts: () => readonly [exchanges: PageCount, ...others: PageCount[]]
  readonly ask: (question: LiveQuestion) => Promise<string | undefined>
  readonly about: RecordingAbout
  /** of this machine; 0: any free one */
  readonly port: number
}

const TICK_MS = 200
const RATE_MS = 1_000

/** Serves the page to this machine. @throws UsageError where it was not built, or the port is taken */
export async function openLivePage(options: LivePageOptions): Promise<LivePage> {
  const { facts, ask, counts } = options
  const template = builtPage('live.html')
  if (template === undefined) {
    throw new UsageError({ where: '--ui', what: 'the live page was not built', hint: 'npm run build' })
  }
  const rate = rateOf(() => counts()[0].value)
  const token = randomBytes(16).toString('base64url')
  const page = new LiveServer({
    token,
    html: (beginning) => filledPage(template, facts.title, { facts, beginning }),
    counts() {
      const [exchanges, ...others] = counts()
      return [exchanges, { label: 'per second', value: rate.value() }, ...others]
    },
    ask,
    show: async (id) => detailed(await ask({ kind: 'show', id })),
    download: (form, ids) => downloadOf(form, ids, options),
  })
  const { port } = await listen(page.server, { host: '127.0.0.1', port: options.port }, '--ui')
  const timer = setInterval(() => {
    rate.tick()
    page.tick()
  }, TICK_MS)
  return {
    url: `http://127.0.0.1:${port}/${token}/`,
    add: (rows) => page.add(rows),
    stand: (text) => page.stand(text),
    async close() {
      clearInterval(timer)
      page.tick()
      await page.close()
    },
  }
}

/** How fast a count grows. */
function rateOf(read: () => number): { tick(): void; value(): number } {
  let perSecond = 0
  let before = { count: read(), time: performance.now() }
  return {
    tick() {
      const [count, time] = [read(), performance.now()]
      if (time - before.time < RATE_MS) return
      perSecond = Math.round(((count - before.count) * 1_000) / (time - before.time))
      before = { count, time }
    },
    value: () => perSecond,
  }
}

/** With the command that sends the same request, in which variables stand for the configured secrets. */
function detailed(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const shown = JSON.parse(text) as ShownExchange
  return JSON.stringify({ ...shown, curl: curlLine(shown.exchange) } satisfies DetailedExchange)
}

/** Exchanges that are asked for at once. */
const EACH = 200

/** Chosen exchanges as one HAR file, or as one segment of a recording; those that are no longer in memory are left out. */
async function* downloadOf(
  form: DownloadForm,
  ids: readonly string[],
  { ask, about, counts }: LivePageOptions,
): AsyncGenerator<string> {
  if (form === 'har') {
    yield* harText(taken(ids, ask), { version: packageInfo().version })
    return
  }
  // Like one that was distilled: what its requests build on is not all there.
  const header: SegmentHeader = {
    ...{ _format: FORMAT, _version: VERSION, _kind: 'exchanges', base: '' },
    about: { ...about, distilled: counts()[0].value },
  }
  yield `${JSON.stringify(header)}\n`
  let count = 0
  for await (const exchange of taken(ids, ask)) {
    yield `${JSON.stringify(toCompact(exchange))}\n`
    count += 1
  }
  yield `${JSON.stringify({ end: { exchanges: count, lost: 0 } } satisfies SegmentEnd)}\n`
}

async function* taken(ids: readonly string[], ask: LivePageOptions['ask']): AsyncGenerator<Exchange> {
  for (let from = 0; from < ids.length; from += EACH) {
    const text = await ask({ kind: 'take', ids: ids.slice(from, from + EACH) })
    yield* JSON.parse(text ?? '[]') as Exchange[]
  }
}
