// The target of the benchmark: answers from memory with as little work as can be, and notes what it said and got.
import { createServer, type Socket } from 'node:net'
import { crc32 } from 'node:zlib'
import { BACKLOG } from '../../proxy/forward/listener.ts'
import { reportPort, type UpstreamLog } from './messages.ts'

const LARGE = Buffer.alloc(5_000_000, 'x')
const log: UpstreamLog = { requests: 0, answers: [], requestSums: {} }
let noting = false

const server = createServer((socket) => {
  socket.setNoDelay(true)
  let rest: Buffer | undefined
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    let bytes = rest ? Buffer.concat([rest, chunk]) : chunk
    for (;;) {
      const head = bytes.indexOf('\r\n\r\n')
      if (head < 0) break
      const text = bytes.toString('latin1', 0, head)
      const length = lengthOf(text)
      const end = head + 4 + length
      if (bytes.length < end) break
      answer(socket, text, bytes.subarray(head + 4, end))
      bytes = bytes.subarray(end)
    }
    rest = bytes.length > 0 ? bytes : undefined
  })
})

function lengthOf(head: string): number {
  const place = head.search(/content-length:/i)
  return place < 0 ? 0 : Number.parseInt(head.slice(place + 15), 10)
}

function answer(socket: Socket, head: string, body: Buffer): void {
  log.requests += 1
  if (head.startsWith('GET /large')) {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${LARGE.length}\r\n\r\n`)
    socket.write(LARGE)
    return
  }
  const said = head.startsWith('PUT')
    ? `{"id":"${String(log.requests).padStart(10, '0')}","meta":{"type":"transform"}}`
    : `{"id":"${String(log.requests).padStart(10, '0')}","title":"a pipeline","description":"${'d'.repeat(213)}","nodes":[]}`
  if (noting) {
    log.answers.push(crc32(said))
    if (body.length > 0) {
      const sum = crc32(body)
      log.requestSums[sum] = (log.requestSums[sum] ?? 0) + 1
    }
  }
  socket.write(
    `HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=utf-8\r\nDate: Sat, 01 Jan 2000 00:00:00 GMT\r\nServer: bench\r\nX-Request-Id: ${log.requests}\r\nCache-Control: no-store\r\nVary: Origin\r\nContent-Length: ${said.length}\r\n\r\n${said}`,
  )
}

process.on('message', (message: 'note' | 'log') => {
  if (message === 'note') {
    noting = true
    log.requests = 0
    log.answers.length = 0
    log.requestSums = {}
  }
  process.send?.(message === 'log' ? log : { requests: log.requests })
})
process.on('disconnect', () => process.exit())
reportPort(server, BACKLOG)
