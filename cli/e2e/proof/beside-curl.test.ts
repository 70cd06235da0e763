import { execFile } from 'node:child_process'
import { connect, createServer } from 'node:net'
import { expect } from 'vitest'
import { test, type World } from '../../testing/world.ts'
import { startRecorder } from '../testing/recorder.ts'

/** What a target does on a connection once it has the head of a request: what it writes, and whether it ends then. */
interface Odd {
  readonly writes: readonly string[]
  readonly ends?: 'end' | 'reset'
  /** of curl */
  readonly words?: readonly string[]
}

const head = (status: string, ...fields: string[]): string => [`HTTP/1.1 ${status}`, ...fields, '', ''].join('\r\n')

const ODD: Readonly<Record<string, Odd>> = {
  'a plain answer': { writes: [`${head('200 OK', 'Content-Length: 2')}ok`] },
  '204 with a body': { writes: [`${head('204 No Content', 'Content-Length: 5')}extra`] },
  '204 with a body, and the end': { writes: [`${head('204 No Content', 'Content-Length: 5')}extra`], ends: 'end' },
  '304 with a body': { writes: [`${head('304 Not Modified', 'Content-Length: 5')}extra`] },
  'HEAD with a body': { writes: [`${head('200 OK', 'Content-Length: 5')}extra`], words: ['--head'] },
  'HEAD without a length': { writes: [head('200 OK')], ends: 'end', words: ['--head'] },
  'bytes behind a whole answer': { writes: [`${head('200 OK', 'Content-Length: 2')}okextra`] },
  'bytes behind a whole answer, later': { writes: [`${head('200 OK', 'Content-Length: 2')}ok`, 'extra'] },
  'a second answer that nobody asked for': {
    writes: [`${head('200 OK', 'Content-Length: 2')}ok${head('200 OK', 'Content-Length: 2')}no`],
  },
  '101 that nobody asked for': {
    writes: [head('101 Switching Protocols', 'Upgrade: x', 'Connection: upgrade')],
    ends: 'end',
  },
  'two equal lengths': { writes: [`${head('200 OK', 'Content-Length: 2', 'Content-Length: 2')}ok`] },
  'two lengths that differ': { writes: [`${head('200 OK', 'Content-Length: 2', 'Content-Length: 3')}ok`] },
  'a length beside chunks': {
    writes: [`${head('200 OK', 'Content-Length: 2', 'Transfer-Encoding: chunked')}2\r\nok\r\n0\r\n\r\n`],
  },
  'lines that end in a line feed alone': { writes: ['HTTP/1.1 200 OK\nContent-Length: 2\n\nok'] },
  'no length, and the end': { writes: [`${head('200 OK')}ok`], ends: 'end' },
  'HTTP/1.0': { writes: ['HTTP/1.0 200 OK\r\n\r\nok'], ends: 'end' },
  'a body that breaks off': { writes: [`${head('200 OK', 'Content-Length: 10')}ok`], ends: 'end' },
  'a body that is reset': { writes: [`${head('200 OK', 'Content-Length: 10')}ok`], ends: 'reset' },
  'chunks that break off': { writes: [`${head('200 OK', 'Transfer-Encoding: chunked')}2\r\nok\r\n`], ends: 'end' },
  'chunks of no number': { writes: [`${head('200 OK', 'Transfer-Encoding: chunked')}zz\r\nok\r\n0\r\n\r\n`] },
  'a head that breaks off': { writes: ['HTTP/1.1 200 OK\r\nContent-Le'], ends: 'end' },
  'nothing but the end': { writes: [], ends: 'end' },
  'nothing but a reset': { writes: [], ends: 'reset' },
  'no HTTP': { writes: ['hello\r\n\r\n'], ends: 'end' },
  'a status without a reason': { writes: ['HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok'] },
  'a status of four digits': { writes: ['HTTP/1.1 2000 OK\r\nContent-Length: 2\r\n\r\nok'] },
  'a status that nobody knows': { writes: [`${head('299 Odd', 'Content-Length: 2')}ok`] },
  'a name with a blank behind it': { writes: [`${head('200 OK', 'X-A : 1', 'Content-Length: 2')}ok`] },
  'a line that is folded': { writes: [`${head('200 OK', 'X-A: 1', '  more', 'Content-Length: 2')}ok`] },
  'a field with bytes of Latin-1': { writes: [`${head('200 OK', 'X-A: \xe9', 'Content-Length: 2')}ok`] },
  'two informational answers': {
    writes: [`${head('103 Early Hints', 'Link: </a>')}${head('100 Continue')}${head('200 OK', 'Content-Length: 2')}ok`],
  },
  'an empty line first': { writes: [`\r\n${head('200 OK', 'Content-Length: 2')}ok`] },
}
const NAMES = Object.keys(ODD)
/** What differs, as docs/record.md says: what Node does not take for HTTP, and what has no whole head. */
const KNOWN = [
  'a body that is reset',
  'a head that breaks off',
  'a length beside chunks',
  'a line that is folded',
  'a name with a blank behind it',
  'a status of four digits',
  'an empty line first',
  'chunks of no number',
  'lines that end in a line feed alone',
  'no HTTP',
  'nothing but a reset',
  'nothing but the end',
  'two equal lengths',
  'two lengths that differ',
]
/** Between two things that a target writes. */
const PAUSE_MS = 60

/** Answers each request by its path, the number of what it does. */
async function oddTarget(world: World): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    let asked = ''
    socket.setEncoding('latin1').on('data', async (text: string) => {
      asked += text
      const [, number] = /^\w+ \/(\d+) [\s\S]*?\r\n\r\n/.exec(asked) ?? []
      if (number === undefined) return
      asked = ''
      const odd = ODD[NAMES[Number(number)] ?? '']
      for (const part of odd?.writes ?? []) {
        socket.write(Buffer.from(part, 'latin1'))
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      }
      if (odd?.ends === 'end') socket.end()
      else if (odd?.ends === 'reset') socket.resetAndDestroy()
    })
  })
  return `http://127.0.0.1:${await world.listen(server)}`
}

interface Got {
  /** exit code of curl */
  readonly code: number
  readonly status: string
  readonly body: string
}

function curl(url: string, words: readonly string[] = []): Promise<Got> {
  const all = ['--silent', '--max-time', '4', '--output', '-', '--write-out', '\n%{http_code}', ...words, url]
  return new Promise((resolve) => {
    execFile('curl', all, { encoding: 'latin1' }, (error, stdout) => {
      const at = stdout.lastIndexOf('\n')
      const body = words.includes('--head') ? '' : stdout.slice(0, at)
      resolve({ code: Number(error?.code ?? 0), status: stdout.slice(at + 1), body })
    })
  })
}

/** Sends a request and ends the sending half of the connection at once. */
function halfClosed(port: number, path: string): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => {
      socket.end(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
    })
    socket.setTimeout(4_000, () => socket.destroy())
    socket.on('error', () => {})
    socket.setEncoding('latin1').on('data', (part: string) => {
      text += part
    })
    socket.on('close', () => resolve(`${text.split('\r\n')[0]} ${text.split('\r\n\r\n')[1] ?? ''}`))
    socket.on('end', () => socket.end())
  })
}

test('through the proxy, curl gets of odd answers what it gets of the target itself', { timeout: 240_000 }, async ({
  world,
}) => {
  const target = await oddTarget(world)
  const { url } = await startRecorder(world, ['--target', target, '--timeout', '3000'])
  const differing: Record<string, { straight: Got; through: Got }> = {}
  for (const [number, name] of NAMES.entries()) {
    const words = ODD[name]?.words
    const [straight, through] = await Promise.all([curl(`${target}/${number}`, words), curl(`${url}/${number}`, words)])
    if (JSON.stringify(straight) !== JSON.stringify(through)) differing[name] = { straight, through }
  }
  const unknown = Object.entries(differing).filter(([name]) => !KNOWN.includes(name))
  expect(unknown).toEqual([])
  // Each of them ends, and none is taken for a good answer that is not one.
  for (const { straight, through } of Object.values(differing)) {
    expect(through.status === '502' || through.code !== 0 || through.body === 'ok').toBe(true)
    expect([straight, through]).not.toContainEqual(expect.objectContaining({ code: 0, body: 'extra' }))
  }
  const ports = [target, url].map((one) => Number(new URL(one).port))
  const [straight, through] = await Promise.all(ports.map((port) => halfClosed(port, '/0')))
  // It looks like one that has left, whose request is given up.
  expect({ straight, through }).toEqual({ straight: 'HTTP/1.1 200 OK ok', through: ' ' })
})
