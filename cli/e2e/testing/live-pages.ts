import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterEach, expect } from 'vitest'
import { type LivePage, openLivePage } from '../../../engine/live/live-page.ts'
import { Live, type StandingNow } from '../../../fixtures/live/live.ts'
import type { LiveFinding, PageFacts } from '../../../fixtures/live/messages.ts'
import { number } from '../../../reports/counted.ts'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { useBrowser } from './chromium.ts'

/** An exchange that passes; omitted fields have usual values. */
export interface Passing {
  readonly id: string
  readonly method?: string
  readonly path?: string
  readonly status?: number
  readonly sent?: string
  readonly received?: string
  readonly operation?: string
  readonly header?: string
  readonly error?: string
}

const BASE = 'http://target.example.com'

export function passing({ id, method = 'GET', path = '/v1/a', status = 200, ...given }: Passing): Exchange {
  const { sent, received = '', operation, header = 'x', error } = given
  const start = 1_767_225_600_000
  return {
    startedDateTime: new Date(start).toISOString(),
    time: 12.5,
    request: {
      ...{ method, url: `${BASE}${path}`, httpVersion: 'HTTP/1.1', cookies: [], queryString: [] },
      headers: [
        { name: 'Authorization', value: 'Token <access-token:configured>' },
        { name: 'X-Header', value: header },
      ],
      ...{ headersSize: -1, bodySize: sent?.length ?? 0 },
      ...(sent === undefined ? {} : { postData: { mimeType: 'application/json', text: sent } }),
    },
    response: {
      ...{ status, statusText: 'OK', httpVersion: 'HTTP/1.1', cookies: [], redirectURL: '' },
      headers: [{ name: 'X-Header', value: header }],
      content: { size: received.length, mimeType: 'application/json', text: received },
      ...{ headersSize: -1, bodySize: received.length },
    },
    cache: {},
    timings: { send: 0, wait: 8, receive: 4.5 },
    ...{ _id: id, _start: start, _end: start + 12.5, _outcome: status === 0 ? 'reset' : 'complete' },
    ...(error === undefined ? {} : { _error: error }),
    ...(operation === undefined ? {} : { _operation: operation }),
  }
}

/** A finding about an exchange that passes. */
export function finding(requirement: string, failure: boolean, message = 'm'): LiveFinding {
  const rest = { level: 'stated', expected: 'at most 512', actual: '513', pointer: '/title' }
  return { requirement, failure, message, ...rest }
}

/** Exchanges with numbered paths: every third is a POST, every tenth is answered with 503. */
export function someThings(count: number, first = 1): Exchange[] {
  return Array.from({ length: count }, (_, index) => {
    const number = first + index
    return passing({
      id: `s-${number}`,
      method: index % 3 === 0 ? 'POST' : 'GET',
      path: `/v1/things/${number}`,
      status: index % 10 === 9 ? 503 : 200,
      ...(index % 3 === 0 ? { sent: `{"title":"Thing ${number}","long":12345678901234567890}` } : {}),
      received: `{"n":[${number},null],"deep":{"a":{"b":{"c":true}}}}`,
      operation: 'get-thing',
    })
  })
}

export const paths = (page: Page): Promise<string[]> => page.locator('.grid .rows .row .path').allTextContents()
export const says = (page: Page): Promise<string | null> => page.locator('.says').textContent()

export interface OpenedLive {
  readonly page: Page
  readonly live: Live
  /** what the browser said, and addresses that it asked for outside of the page's own server */
  readonly said: string[]
  /** lets exchanges pass, and waits until the page counts them */
  pass(exchanges: readonly Exchange[], findings?: readonly LiveFinding[]): Promise<void>
  /** the same without waiting */
  feed(exchanges: readonly Exchange[], findings?: readonly LiveFinding[]): void
  /** tells how it stands, with what is not as the exchanges say; without, all were judged */
  stand(more?: Partial<StandingNow>): void
  /** ends the server of the page */
  close(): Promise<void>
}

export interface OpenOptions extends BrowserContextOptions {
  readonly facts?: Partial<PageFacts>
}

/** A browser for the tests of one file, and live pages to which a test itself says what passes. */
export function useLivePages(): { open(options?: OpenOptions): Promise<OpenedLive> } {
  const browser = useBrowser()
  const closers: (() => void | Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0)) await close()
  })

  async function open({ facts, ...context }: OpenOptions = {}): Promise<OpenedLive> {
    const { live, served, count } = await serve(facts)
    const opened = await browser().newContext({ viewport: { width: 1280, height: 800 }, ...context })
    await opened.grantPermissions(['clipboard-read', 'clipboard-write'])
    closers.push(
      () => opened.close(),
      () => served.close(),
    )
    const page = await opened.newPage()
    page.setDefaultTimeout(5_000)
    const said: string[] = []
    page.on('console', (message) => said.push(message.text()))
    page.on('pageerror', (error) => said.push(error.message))
    page.on('request', (request) => {
      if (!request.url().startsWith(served.url) && !request.url().startsWith('blob:')) said.push(request.url())
    })
    await page.goto(served.url)
    await page.waitForSelector('.state.live')
    const feed: OpenedLive['feed'] = (exchanges, findings = []) => {
      for (const exchange of exchanges) live.exchange(exchange, findings)
      count.value += exchanges.length
      const rows = live.rows()
      if (rows) served.add(rows)
      stand()
    }
    const stand: OpenedLive['stand'] = (more = {}) => {
      const { value } = count
      const all = { exchanges: value, known: value, judged: value, doubted: 0, open: [], ended: false }
      const standing = live.standing({ ...all, ...more })
      if (standing !== undefined) served.stand(standing)
    }
    return {
      ...{ page, live, said, feed, stand, close: () => served.close() },
      async pass(exchanges, findings) {
        feed(exchanges, findings)
        await expect.poll(() => page.locator('.top dd').first().textContent()).toBe(number(count.value))
        await page.waitForSelector('.grid .rows .row', { state: 'attached' })
      },
    }
  }
  return { open }
}

async function serve(facts: Partial<PageFacts> = {}): Promise<{
  readonly live: Live
  readonly served: LivePage
  readonly count: { value: number }
}> {
  const live = new Live()
  const count = { value: 0 }
  const served = await openLivePage({
    facts: { title: 'assay record', target: BASE, judged: true, ...facts },
    counts: () => [{ label: 'exchanges', value: count.value }],
    ask: async (question) => live.answer(question),
    about: { tool: 'assay', startedAt: new Date(0).toISOString(), target: BASE },
    port: 0,
  })
  return { live, served, count }
}
