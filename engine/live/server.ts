import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type {
  LiveQuestion,
  LiveRows,
  LiveRowsText,
  PageBeginning,
  PageCount,
  Standing,
} from '../../fixtures/live/messages.ts'
import { jsonIn } from '../../schemas/json.ts'
import { bodyWithin } from '../listening.ts'

export interface LiveServerOptions {
  /** stands in the address of the page: who does not know it gets nothing */
  readonly token: string
  /** the page, with what has passed when it is opened */
  readonly html: (beginning: PageBeginning) => string
  readonly counts: () => readonly PageCount[]
  /** answers with JSON; undefined: it is gone */
  readonly ask: (question: LiveQuestion) => Promise<string | undefined>
  /** JSON of one exchange for the details; undefined: it is gone */
  readonly show: (id: string) => Promise<string | undefined>
  /** what was chosen, as one file */
  readonly download: (form: DownloadForm, ids: readonly string[]) => AsyncIterable<string>
}

export type DownloadForm = 'har' | 'recording'

const ELSEWHERE =
  'there is nothing at this address: the page is at the one on the terminal, which ends with a slash; ?filter=is:finding shows findings alone\n'

/** Pages that can be open at once. */
const MOST_PAGES = 16
/** Bytes that wait for a page that reads slowly; the rest stays in the backlog. */
const MOST_WAITING = 1 << 20
/** Milliseconds that a page may take for the last that it is sent. */
const MOST_FLUSH_MS = 1_000
/** Bytes of a question. */
const MOST_ASKED = 8 << 20
const ID = /^[\w-]{1,64}$/

interface OpenPage {
  readonly response: ServerResponse
  /** number of the last row that it was sent */
  last: number
  /** what it was told last of how it stands */
  standing: string
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void

/** The server of a live page, which does not listen yet. It answers to its own page alone. */
export class LiveServer {
  readonly server: Server
  readonly #options: LiveServerOptions
  readonly #guards: Readonly<Record<string, string>>
  readonly #pages = new Set<OpenPage>()
  readonly #backlog = new Backlog()
  #standing = ''
  readonly #handlers: ReadonlyMap<string, Handler>

  constructor(options: LiveServerOptions) {
    this.#options = options
    this.#guards = guards(options.html({ counts: [], rows: [] }))
    this.#handlers = new Map<string, Handler>([
      ['GET ', (_request, response) => this.#send(response, 200, 'text/html', options.html(this.#beginning()))],
      ['GET events', (request, response) => this.#subscribe(request, response)],
      ['POST search', (request, response) => this.#search(request, response)],
      ['POST download', (request, response) => this.#download(request, response)],
    ])
    this.server = createServer((request, response) => {
      this.#answer(request, response).catch((thrown: unknown) => {
        if (response.headersSent) response.destroy()
        else this.#send(response, 500, 'text/plain', `${thrown instanceof Error ? thrown.message : String(thrown)}\n`)
      })
    })
  }

  #beginning(): PageBeginning {
    const standing = this.#standing === '' ? {} : { standing: JSON.parse(this.#standing) as Standing }
    return { counts: this.#options.counts(), rows: this.#backlog.beginning(), ...standing }
  }

  /** Takes what has passed. */
  add(rows: LiveRowsText): void {
    this.#backlog.add(rows)
  }

  /** Takes how it stands now: JSON of a `Standing`. */
  stand(text: string): void {
    this.#standing = text
  }

  /** Sends what came since the last time to everybody who looks. */
  tick(): void {
    const counts = `event: counts\ndata: ${JSON.stringify(this.#options.counts())}\n\n`
    for (const page of this.#pages) {
      this.#fill(page)
      if (page.response.writableLength < MOST_WAITING) page.response.write(counts)
      this.#tell(page)
    }
  }

  /** Ends all connections, once the pages have what they were sent, or do not take it. */
  async close(): Promise<void> {
    this.server.close()
    const flushed = [...this.#pages].map(({ response }) => new Promise<void>((resolve) => response.end(resolve)))
    await Promise.race([Promise.all(flushed), sleep(MOST_FLUSH_MS, undefined, { ref: false })])
    this.server.closeAllConnections()
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isOurs(request)) {
      // A page of another name that points at this machine is not to read what passes here.
      this.#send(response, 421, 'text/plain', 'this page is reached by the address of this machine only\n')
      return
    }
    const [asked = '/'] = (request.url ?? '/').split('?')
    const [, token = '', ...rest] = asked.split('/')
    const path = rest.join('/')
    if (!isSame(token, this.#options.token) || rest.length === 0) {
      this.#send(response, 404, 'text/plain', 'there is nothing here: the address of the page is on the terminal\n')
      return
    }
    const handler = this.#handlers.get(`${request.method} ${path}`)
    if (handler) await handler(request, response)
    else if (request.method === 'GET' && path.startsWith('exchange/')) await this.#show(path.slice(9), response)
    else if (request.method === 'GET') this.#send(response, 404, 'text/plain', ELSEWHERE)
    else this.#send(response, 405, 'text/plain', 'not that method\n')
  }

  #subscribe(request: IncomingMessage, response: ServerResponse): void {
    if (this.#pages.size >= MOST_PAGES) {
      this.#send(response, 503, 'text/plain', 'too many pages are open\n')
      return
    }
    response.writeHead(200, { ...this.#guards, 'Content-Type': 'text/event-stream' })
    response.write(`retry: 1000\nevent: counts\ndata: ${JSON.stringify(this.#options.counts())}\n\n`)
    // A page has the rows that it was opened with, and one that comes back all that it was sent before.
    const opened = new URL(request.url ?? '', 'http://page').searchParams.get('after')
    const last = Number(request.headers['last-event-id'] ?? opened) || 0
    const page: OpenPage = { response, last, standing: '' }
    this.#pages.add(page)
    this.#fill(page)
    this.#tell(page)
    response.on('drain', () => this.#fill(page))
    response.on('close', () => this.#pages.delete(page))
  }

  #fill(page: OpenPage): void {
    while (page.response.writableLength < MOST_WAITING) {
      const lot = this.#backlog.next(page.last)
      if (!lot) return
      page.response.write(lot.bytes)
      page.last = lot.last
    }
  }

  #tell(page: OpenPage): void {
    if (page.standing === this.#standing || page.response.writableLength >= MOST_WAITING) return
    page.standing = this.#standing
    page.response.write(`event: standing\ndata: ${page.standing}\n\n`)
  }

  async #show(id: string, response: ServerResponse): Promise<void> {
    const text = ID.test(id) ? await this.#options.show(id) : undefined
    // A missing exchange is not an error: browsers would complain.
    if (text === undefined) response.writeHead(204, this.#guards).end()
    else this.#send(response, 200, 'application/json', text)
  }

  async #search(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { text, after } = await asked(request)
    const isWhole = typeof text === 'string' && text !== '' && typeof after === 'number'
    const found = isWhole ? await this.#options.ask({ kind: 'search', text, after }) : undefined
    if (found === undefined) this.#send(response, 400, 'text/plain', 'nothing can be searched\n')
    else this.#send(response, 200, 'application/json', found)
  }

  async #download(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { form, ids } = await asked(request)
    const known = form === 'har' || form === 'recording'
    if (!known || !Array.isArray(ids) || !ids.every((id) => typeof id === 'string' && ID.test(id))) {
      this.#send(response, 400, 'text/plain', 'no such form, or no ids\n')
      return
    }
    response.writeHead(200, { ...this.#guards, 'Content-Type': 'application/octet-stream' })
    await pipeline(Readable.from(this.#options.download(form, ids)), response)
  }

  #send(response: ServerResponse, status: number, type: string, text: string): void {
    response.writeHead(status, { ...this.#guards, 'Content-Type': `${type}; charset=utf-8` })
    response.end(text)
  }
}

/** What every answer says. The policy stands in the page as well, where it was written when the page was built. */
function guards(html: string): Record<string, string> {
  const [, policy = "default-src 'none'"] =
    /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(html) ?? []
  return {
    'Content-Security-Policy': `${policy}; frame-ancestors 'none'`,
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  }
}

/**
 * Whether the request names this machine by its address, not by a name that somebody else could point here. A request
 * that does more than read has to come from our own page.
 */
function isOurs({ headers, method, socket }: IncomingMessage): boolean {
  const host = headers.host?.toLowerCase() ?? ''
  const names = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${socket.localPort}`)
  if (!names.includes(host)) return false
  const { origin } = headers
  if (origin === undefined) return method === 'GET'
  return origin === `http://${host}`
}

function isSame(given: string, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(token))
}

/** The JSON object that a request carries; an empty one where it carries none. */
async function asked(request: IncomingMessage): Promise<Record<string, unknown>> {
  const body = await bodyWithin(request, MOST_ASKED)
  const given = typeof body === 'number' ? undefined : jsonIn(body.toString())
  return given !== null && typeof given === 'object' ? (given as Record<string, unknown>) : {}
}

/** Rows as they go to a page, in one message. */
interface Lot {
  /** numbers of the first and of the last of them */
  readonly first: number
  readonly last: number
  readonly bytes: Buffer
}

/** Rows that a page gets that is opened late, and the bytes that they may take. */
const MOST_ROWS = 100_000
const MOST_BYTES = 32 * 1024 * 1024

/** Bytes of rows that stand in a page when it is opened. */
const MOST_BEGUN = 512 * 1024

/** The last rows, ready to be sent: a slow or late page catches up from here. */
class Backlog {
  readonly #lots: Lot[] = []
  #bytes = 0
  #rows = 0

  add({ first, count, text }: LiveRowsText): void {
    const last = first + count - 1
    const bytes = Buffer.from(`id: ${last}\ndata: {"first":${first},"rows":${text}}\n\n`)
    this.#lots.push({ first, last, bytes })
    this.#bytes += bytes.length
    this.#rows += count
    while (this.#rows > MOST_ROWS || this.#bytes > MOST_BYTES) this.#forget()
  }

  /** The first rows that are still kept, as many as a page holds when it is opened. */
  beginning(): LiveRows[] {
    const rows: LiveRows[] = []
    let bytes = 0
    for (const lot of this.#lots) {
      bytes += lot.bytes.length
      if (bytes > MOST_BEGUN) break
      const text = lot.bytes.toString()
      rows.push(JSON.parse(text.slice(text.indexOf('data: ') + 6)) as LiveRows)
    }
    return rows
  }

  /** The rows that follow the row `after`, or the first ones that are still kept; undefined: none came since. */
  next(after: number): Lot | undefined {
    // Pages have seen most of it: looked for from the end.
    return this.#lots[this.#lots.findLastIndex((lot) => lot.last <= after) + 1]
  }

  #forget(): void {
    const lot = this.#lots.shift()
    this.#bytes -= lot?.bytes.length ?? 0
    this.#rows -= lot ? lot.last - lot.first + 1 : 0
  }
}
