import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type {
  DetailedExchange,
  LiveQuestion,
  LiveRowsText,
  PageCount,
  PageFacts,
  ResendAnswer,
  ResendRequest,
  ShownExchange,
} from '../../fixtures/live/messages.ts'
import { builtPage, filledPage } from '../../reports/formats/html.ts'
import { curlLine } from '../../reports/shell.ts'
import type { RecordingAbout } from '../../schemas/types/recording.ts'
import { basePathOf } from '../../schemas/url.ts'
import { UsageError } from '../errors.ts'
import { listenProblem } from '../listening.ts'
import { packageInfo } from '../package-info.ts'
import { downloadOf } from './download.ts'
import { LiveServer } from './server.ts'

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
  readonly resend?: ((request: ResendRequest) => Promise<ResendAnswer>) | undefined
  /** of this machine; 0: any free one */
  readonly port: number
}

const TICK_MS = 200
const RATE_MS = 1_000

/** Serves the page to this machine. @throws UsageError where it was not built, or the port is taken */
export async function openLivePage(options: LivePageOptions): Promise<LivePage> {
  const { facts, ask, about, counts } = options
  const template = builtPage('live.html')
  if (template === undefined) {
    throw new UsageError({ where: '--ui', what: 'the live page was not built', hint: 'npm run build' })
  }
  const rate = rateOf(() => counts()[0].value)
  const token = randomBytes(16).toString('base64url')
  const { version } = packageInfo()
  const page = new LiveServer({
    token,
    html: filledPage(template, facts.title, facts),
    counts() {
      const [exchanges, ...others] = counts()
      return [exchanges, { label: 'per second', value: rate.value() }, ...others]
    },
    ask,
    show: async (id) => detailed(await ask({ kind: 'show', id }), about.target),
    download: (form, ids) => downloadOf(form, ids, { ask, about, version, passed: () => counts()[0].value }),
    resend: options.resend,
  })
  const port = await listening(page.server, options.port)
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

function listening(server: Server, port: number): Promise<number> {
  const host = '127.0.0.1'
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      reject(new UsageError(listenProblem(error, `--ui ${host}:${port}`, { port: 'port', host: 'address' })))
    })
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
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
function detailed(text: string | undefined, target: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const shown = JSON.parse(text) as ShownExchange
  const basePath = target === undefined ? '' : basePathOf(target)
  return JSON.stringify({ ...shown, curl: curlLine(shown.exchange), basePath } satisfies DetailedExchange)
}
