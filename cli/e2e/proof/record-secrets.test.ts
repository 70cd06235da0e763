import { readdirSync, readFileSync, statSync } from 'node:fs'
import { get } from 'node:http'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { RawExchange } from '../../../fixtures/recording/raw.ts'
import { rawExchange } from '../../../fixtures/testing/recording.ts'
import { ALPHABETS, ECHOES, EMAILS, PLACES, searched } from '../../../fixtures/testing/secrets.ts'
import { test, type World } from '../../testing/world.ts'

/** More than 400 secrets in every place and coding, and the exchanges that hold them. */
function planted(): { secrets: string[]; exchanges: RawExchange[] } {
  const secrets: string[] = []
  const exchanges: RawExchange[] = []
  let number = 0
  const next = (alphabet: (n: number) => string): string => {
    number += 1
    const secret = alphabet(number)
    secrets.push(secret)
    return secret
  }
  for (const place of Object.values(PLACES)) {
    for (const alphabet of ALPHABETS) exchanges.push(rawExchange(...place(next(alphabet))))
  }
  for (const echo of Object.values(ECHOES)) {
    for (const alphabet of ALPHABETS) {
      const secret = next(alphabet)
      exchanges.push(rawExchange('GET /v3/pipeline', { requestHeaders: ['Authorization', `Token ${secret}`] }))
      exchanges.push(rawExchange(...echo(secret)))
    }
  }
  for (const place of Object.values(EMAILS)) {
    exchanges.push(rawExchange(...place(next((n) => `Alice.${n}+x@corp.test`))))
  }
  // What only a recorder sees, and no wire carries.
  const sendable = exchanges.filter(({ outcome, responseBody }) => outcome === 'complete' && !responseBody.cut)
  return { secrets, exchanges: sendable }
}

const lines = (flat: readonly string[]): string =>
  Array.from({ length: flat.length / 2 }, (_, index) => `${flat[index * 2]}: ${flat[index * 2 + 1]}\r\n`).join('')

function requestOf({ method, url, requestHeaders, requestBody }: RawExchange, number: number): Buffer {
  const length = requestBody.bytes > 0 || method !== 'GET' ? `Content-Length: ${requestBody.bytes}\r\n` : ''
  const head = `${method} ${url} HTTP/1.1\r\nHost: t\r\nX-Number: ${number}\r\n${lines(requestHeaders)}${length}\r\n`
  return Buffer.concat([Buffer.from(head), requestBody.kept])
}

function answerOf({ status, statusText, responseHeaders, responseTrailers, responseBody }: RawExchange): Buffer {
  const head = `HTTP/1.1 ${status} ${statusText}\r\n${lines(responseHeaders)}`
  if (responseTrailers.length === 0) {
    return Buffer.concat([Buffer.from(`${head}Content-Length: ${responseBody.bytes}\r\n\r\n`), responseBody.kept])
  }
  const chunk = `${responseBody.bytes.toString(16)}\r\n${responseBody.kept.toString()}\r\n0\r\n${lines(responseTrailers)}\r\n`
  return Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk}`)
}

/** A target that answers each request with what was planted under its number. */
async function target(world: World, exchanges: readonly RawExchange[]): Promise<string> {
  const server = createServer((socket) => {
    let all = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      all = Buffer.concat([all, chunk])
      for (;;) {
        const end = all.indexOf('\r\n\r\n')
        if (end < 0) return
        const head = all.toString('latin1', 0, end)
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
        if (all.length < end + 4 + length) return
        all = all.subarray(end + 4 + length)
        const exchange = exchanges[Number(/x-number: (\d+)/i.exec(head)?.[1])]
        if (exchange) socket.write(answerOf(exchange))
      }
    })
  })
  return `http://127.0.0.1:${await world.listen(server)}`
}

/** Sends one request over a connection of its own, and waits for the end of its answer. */
function send(port: number, request: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    let answer = ''
    socket.on('error', reject)
    socket.on('close', () => resolve())
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
      const end = answer.indexOf('\r\n\r\n')
      if (end < 0) return
      const length = /content-length: (\d+)/i.exec(answer)?.[1]
      const done =
        length === undefined
          ? answer.includes('\r\n0\r\n') && answer.endsWith('\r\n\r\n')
          : answer.length >= end + 4 + Number(length)
      if (done) socket.destroy()
    })
  })
}

function fetched(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (answer) => {
      let text = ''
      answer.setEncoding('latin1').on('data', (chunk: string) => {
        text += chunk
      })
      answer.on('end', () => resolve(text))
    }).on('error', reject)
  })
}

/** What a stream has said so far, whenever it is asked. */
function listen(url: string): () => string {
  let text = ''
  get(url, { agent: false }, (answer) => {
    answer.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk
    })
    answer.on('error', () => {})
  }).on('error', () => {})
  return () => text
}

async function eventually<T>(look: () => T | undefined): Promise<T> {
  for (let turn = 0; turn < 200; turn += 1) {
    const found = look()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('what was waited for did not come about')
}

/** Every byte of every file, uncompressed, with their names. */
function filesIn(folder: string): string {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path).isFile())
    .map((path) => {
      const bytes = readFileSync(path)
      return `${path}\n${(path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1')}`
    })
    .join('\n')
}

test.concurrent.for([
  ['as it is by itself', []],
  ['with long bodies cut', ['--max-body', '20']],
  ['with long bodies whole', ['--max-body', '20', '--full-bodies']],
] as const)(
  'more than 400 secrets are in no file, log or page of a recording (%s)',
  async ([, args], { world, expect }) => {
    const { secrets, exchanges } = planted()
    expect(new Set(secrets).size).toBeGreaterThan(400)
    const words = ['--listen', '127.0.0.1:0', '--binding', 'reference', '--out', 'rec', '--ui', ...args]
    const running = world.start(['record', '--target', await target(world, exchanges), ...words])
    const [, port = ''] = await running.said(/Recording on \S+:(\d+),/)
    const [, page = ''] = await running.said(/shown on (\S+)\//)
    const events = listen(`${page}/events`)
    const seen = (): string[] => [...new Set([...events().matchAll(/"id":"([\w-]+-\d{9})"/g)].map(([, id = '']) => id))]
    for (const [number, exchange] of exchanges.entries()) {
      await send(Number(port), requestOf(exchange, number))
      // The page leaves rows out where many come at once.
      const sent = number + 1
      if (sent % 100 === 0) await eventually(() => (seen().length >= sent ? true : undefined))
    }
    const ids = await eventually(() => (seen().length >= exchanges.length ? seen() : undefined))
    const shown = [await fetched(`${page}/`)]
    for (const id of ids) shown.push(await fetched(`${page}/exchange/${id}`))
    running.child.kill('SIGHUP')
    const ended = await running.ended
    shown.push(events())
    expect(shown.join('').length).toBeGreaterThan(200_000)
    expect(ended.stdout, ended.stderr).toMatch(new RegExp(`exchanges +${exchanges.length},`))
    const exported = await world.assay(['fixtures', 'export', 'rec', '--out', 'rec.har'])
    expect(exported.code, exported.stderr).toBe(0)
    const all = [ended.stdout, ended.stderr, ...shown, filesIn(world.folder)].join('\n')
    expect(all).toContain('/v1/config/presetalert')
    expect(secrets.filter((secret) => searched(secret).some((form) => all.includes(form)))).toEqual([])
  },
)
