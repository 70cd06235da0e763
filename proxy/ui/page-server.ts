import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { LiveRow } from '../recorder/live.ts'
import { PAGE_SCRIPT } from './page-script.ts'
import { PAGE_HTML, PAGE_STYLE } from './page-text.ts'

/** The numbers at the top of the page. */
export interface PageCounts {
  readonly exchanges: number
  readonly perSecond: number
  readonly failures: number
  readonly warnings: number
  readonly dropped: number
  /** bodies of which only the beginning was kept, since the recorder was behind */
  readonly cut: number
}

export interface PageOptions {
  /** shown at the top */
  readonly target: string
  readonly counts: () => PageCounts
  /** JSON of one exchange and its findings; undefined: it is gone */
  readonly show: (id: string) => Promise<string | undefined>
}

/** Rows that a page gets when it is opened, and at most in one message. */
const REMEMBERED = 500
const MOST_ROWS = 200
/** Pages that can be open at once. */
const MOST_PAGES = 16
/** Bytes that may wait for a page that does not read; more, and it misses rows. */
const MOST_WAITING = 1 << 20

const GUARDS: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-store',
}

/** The live page of a recording: a server that does not listen yet. */
export class PageServer {
  readonly server: Server
  readonly #options: PageOptions
  readonly #html: string
  readonly #pages = new Set<ServerResponse>()
  #recent: LiveRow[] = []
  #fresh: LiveRow[] = []

  constructor(options: PageOptions) {
    this.#options = options
    this.#html = PAGE_HTML.replace('TARGET', () => escaped(options.target))
    this.server = createServer((request, response) => this.#answer(request, response))
  }

  /** Takes what has passed. */
  add(rows: readonly LiveRow[]): void {
    this.#fresh.push(...rows)
    if (this.#fresh.length > 2 * MOST_ROWS) this.#fresh = chosen(this.#fresh)
  }

  /** Sends what came since the last time to everybody who looks. */
  tick(): void {
    const rows = chosen(this.#fresh)
    this.#fresh = []
    this.#recent = [...this.#recent, ...rows].slice(-REMEMBERED)
    if (this.#pages.size === 0) return
    const text = this.#message(rows)
    for (const page of this.#pages) if (page.writableLength < MOST_WAITING) page.write(text)
  }

  close(): void {
    for (const page of this.#pages) page.end()
    this.server.close()
    this.server.closeAllConnections()
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    if (!isOurs(request)) {
      // A page of another name that points at this machine is not to read what passes here.
      send(response, 421, 'text/plain', 'this page is reached by the address of this machine only\n')
      return
    }
    if (request.method !== 'GET') {
      send(response, 405, 'text/plain', 'only GET\n')
      return
    }
    const path = request.url ?? '/'
    if (path === '/') send(response, 200, 'text/html', this.#html)
    else if (path === '/page.js') send(response, 200, 'text/javascript', PAGE_SCRIPT)
    else if (path === '/page.css') send(response, 200, 'text/css', PAGE_STYLE)
    else if (path === '/events') this.#subscribe(response)
    else if (path.startsWith('/exchange/')) void this.#show(path.slice('/exchange/'.length), response)
    else send(response, 404, 'text/plain', 'there is nothing here\n')
  }

  #message(rows: readonly LiveRow[]): string {
    return `data: ${JSON.stringify({ counts: this.#options.counts(), rows })}\n\n`
  }

  #subscribe(response: ServerResponse): void {
    if (this.#pages.size >= MOST_PAGES) {
      send(response, 503, 'text/plain', 'too many pages are open\n')
      return
    }
    response.writeHead(200, { ...GUARDS, 'Content-Type': 'text/event-stream' })
    response.write(`retry: 1000\n${this.#message(this.#recent)}`)
    this.#pages.add(response)
    response.on('close', () => this.#pages.delete(response))
  }

  async #show(id: string, response: ServerResponse): Promise<void> {
    const text = /^[\w-]{1,64}$/.test(id) ? await this.#options.show(id) : undefined
    if (text === undefined) send(response, 404, 'text/plain', 'it is no longer in memory\n')
    else send(response, 200, 'application/json', text)
  }
}

/** The rows with findings and the newest of the others, in their order, as many as one message may carry. */
function chosen(rows: readonly LiveRow[]): LiveRow[] {
  if (rows.length <= MOST_ROWS) return [...rows]
  const found = rows.filter(({ findings }) => findings.length > 0).slice(-MOST_ROWS)
  const rest = MOST_ROWS - found.length
  const others = rest === 0 ? [] : rows.filter(({ findings }) => findings.length === 0).slice(-rest)
  const kept = new Set([...found, ...others])
  return rows.filter((row) => kept.has(row))
}

/** Whether the request names this machine by an address, not by a name that somebody else could point here. */
function isOurs({ headers, socket }: IncomingMessage): boolean {
  const host = headers.host ?? ''
  const names = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${socket.localPort}`)
  if (!names.includes(host.toLowerCase())) return false
  const { origin } = headers
  return origin === undefined || names.some((name) => origin === `http://${name}`)
}

function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { ...GUARDS, 'Content-Type': `${type}; charset=utf-8` })
  response.end(text)
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
