import type { LiveRow } from '../../proxy/recorder/live.ts'
import type { RecorderThread } from '../../proxy/recorder/start.ts'
import { type PageCounts, PageServer } from '../../proxy/ui/page-server.ts'
import { listen } from './listen.ts'

/** The page that shows what passes, while it is open. */
export interface LivePage {
  readonly url: string
  add(rows: readonly LiveRow[]): void
  close(): void
}

const TICK_MS = 250

/** Serves the page on a port of this machine; 0: any free one. @throws UsageError where the port is taken */
export async function openLivePage(port: number, target: string, recorder: RecorderThread): Promise<LivePage> {
  let perSecond = 0
  let before = { exchanges: recorder.counts().exchanges, time: performance.now() }
  const counts = (): PageCounts => {
    const { exchanges, failures, warnings } = recorder.counts()
    const { dropped, cut } = recorder.queue.counts()
    return { exchanges, failures, warnings, dropped, cut, perSecond }
  }
  const page = new PageServer({ target, counts, show: (id) => recorder.show(id) })
  const address = await listen(page.server, { host: '127.0.0.1', port }, '--ui')
  const timer = setInterval(() => {
    const { exchanges } = recorder.counts()
    const time = performance.now()
    if (time - before.time >= 1_000) {
      perSecond = ((exchanges - before.exchanges) * 1_000) / (time - before.time)
      before = { exchanges, time }
    }
    page.tick()
  }, TICK_MS)
  return {
    url: `http://127.0.0.1:${address.port}/`,
    add: (rows) => page.add(rows),
    close() {
      clearInterval(timer)
      page.tick()
      page.close()
    },
  }
}
