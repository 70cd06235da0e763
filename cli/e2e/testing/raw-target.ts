import { connect, createServer } from 'node:net'
import type { RawExchange } from '../../../fixtures/recording/raw.ts'
import type { World } from '../../testing/world.ts'

const lines = (flat: readonly string[]): string =>
  Array.from({ length: flat.length / 2 }, (_, index) => `${flat[index * 2]}: ${flat[index * 2 + 1]}\r\n`).join('')

/** The bytes of a request; its number says how `rawTarget` answers it. `encoding`: of the characters of header fields. */
export function requestOf(
  { method, url, requestHeaders, requestBody }: RawExchange,
  number: number,
  encoding: BufferEncoding = 'utf8',
): Buffer {
  const length = requestBody.bytes > 0 || method !== 'GET' ? `Content-Length: ${requestBody.bytes}\r\n` : ''
  const head = `${method} ${url} HTTP/1.1\r\nHost: t\r\nX-Number: ${number}\r\n${lines(requestHeaders)}${length}\r\n`
  return Buffer.concat([Buffer.from(head, encoding), requestBody.kept])
}

function answerOf(
  { status, statusText, responseHeaders, responseTrailers, responseBody }: RawExchange,
  encoding: BufferEncoding,
): Buffer {
  const head = `HTTP/1.1 ${status} ${statusText}\r\n${lines(responseHeaders)}`
  if (responseTrailers.length === 0) {
    const whole = Buffer.from(`${head}Content-Length: ${responseBody.bytes}\r\n\r\n`, encoding)
    return Buffer.concat([whole, responseBody.kept])
  }
  return Buffer.concat([
    Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n${responseBody.bytes.toString(16)}\r\n`, encoding),
    responseBody.kept,
    Buffer.from(`\r\n0\r\n${lines(responseTrailers)}\r\n`, encoding),
  ])
}

/** A target that answers each request with what an exchange of its number has; returns its URL. */
export async function rawTarget(
  world: World,
  exchanges: readonly RawExchange[],
  encoding: BufferEncoding = 'utf8',
): Promise<string> {
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
        if (exchange) socket.write(answerOf(exchange, encoding))
      }
    })
  })
  return `http://127.0.0.1:${await world.listen(server)}`
}

/** Sends requests one after the other over one connection; returns all that came back. */
export function sendRaw(port: number, requests: readonly Buffer[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const answers: string[] = []
    let answer = ''
    const next = (): void => {
      const request = requests[answers.length]
      if (request === undefined) socket.destroy()
      else socket.write(request)
    }
    const socket = connect(port, '127.0.0.1', next)
    socket.on('error', reject)
    socket.on('close', () => {
      if (answers.length === requests.length) resolve(answers.join('\n'))
      else reject(new Error(`closed before the answer to ${requests[answers.length]?.toString('latin1')}`))
    })
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      answer += chunk
      if (!isWhole(answer)) return
      answers.push(answer)
      answer = ''
      next()
    })
  })
}

function isWhole(answer: string): boolean {
  const end = answer.indexOf('\r\n\r\n')
  if (end < 0) return false
  const head = answer.slice(0, end)
  const length = /^content-length: (\d+)/im.exec(head)?.[1]
  if (length !== undefined) return answer.length >= end + 4 + Number(length)
  if (/^transfer-encoding/im.test(head)) return answer.includes('\r\n0\r\n', end) && answer.endsWith('\r\n\r\n')
  return true
}
