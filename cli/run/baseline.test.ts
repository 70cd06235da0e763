import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openSegment } from '../../fixtures/segments/write.ts'
import { lastingFolder } from '../../fixtures/testing/folder.ts'
import { served } from '../../fixtures/testing.ts'
import { exchange } from '../../rules/testing.ts'
import type { ReplayReport } from '../../schemas/types/replay.ts'
import { ran } from '../testing.ts'

const ID = '11111111-1111-4111-8111-111111111111'
const folder = lastingFolder()

/** A client makes a board, which it leaves, and changes one that stood there. */
function record(): string {
  const path = join(folder, 'recording')
  rmSync(path, { recursive: true, force: true })
  const own = { id: ID, title: 'Operations', luck: 0 }
  const first = (title: string): object => ({ id: 'first', title, luck: 0 })
  const story = [
    exchange('GET /v1/config/board/first', { got: first('before') }),
    exchange('PUT /v1/config/board/first', { sent: { title: 'after' }, got: first('after') }),
    exchange('POST /v1/config/board', { sent: { title: 'Operations' }, got: own }),
    exchange('GET /v1/config/board', { got: [first('after'), own] }),
    exchange(`GET /v1/config/board/${ID}`, { got: own }),
  ]
  const segment = openSegment(path, 'exchanges', '1', { base: 'http://target.example.com' })
  for (const { _case, ...one } of story) {
    one.response.headers.push({ name: 'content-type', value: 'application/json' })
    segment.append(one)
  }
  segment.close()
  return path
}

interface Faults {
  /** the last board of each list is missing */
  readonly short?: boolean
  /** nothing is removed */
  readonly keeps?: boolean
}

/** Keeps boards, under one title each, and answers with a number that is another one each time. */
async function service({ short = false, keeps = false }: Faults): Promise<{ url: string; titles(): string[] }> {
  const boards = new Map([['first', { id: 'first', title: 'before' }]])
  const answer = (method: string, id: string, body: { title?: string }): [status: number, value: unknown] => {
    const luck = Math.random()
    const board = boards.get(id)
    if (id === '' && method === 'GET') {
      const all = [...boards.values()].map((one) => ({ ...one, luck }))
      return [200, short ? all.slice(0, -1) : all]
    }
    if (id === '') {
      const { title = '' } = body
      if ([...boards.values()].some((one) => one.title === title)) return [409, { error: 'taken' }]
      const made = { id: randomUUID(), title }
      boards.set(made.id, made)
      return [200, { ...made, luck }]
    }
    if (!board) return [404, { error: 'none' }]
    if (method === 'DELETE') {
      if (keeps) return [403, { error: 'no' }]
      boards.delete(id)
      return [200, { deleted: true }]
    }
    if (method === 'PUT') board.title = body.title ?? board.title
    return [200, { ...board, luck }]
  }
  const url = await served((incoming, outgoing) => {
    void textOf(incoming).then((text) => {
      const id = decodeURIComponent(incoming.url?.split('/').slice(4).join('/') ?? '')
      const [status, value] = answer(incoming.method ?? '', id, JSON.parse(text === '' ? '{}' : text))
      outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    })
  })
  return { url, titles: () => [...boards.values()].map(({ title }) => title) }
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of incoming) text += String(chunk)
  return text
}

/** Replays with a baseline. Returns the differences, the learned places, the output, and the boards at the end. */
async function taught(faults: Faults): Promise<{ told: string[]; learned: string[]; said: string; titles: string[] }> {
  const target = await service(faults)
  const out = mkdtempSync(join(folder, 'out-'))
  const noise = join(out, 'noise.json')
  const words = ['replay', record(), '--target', target.url, '--binding', 'reference', '--yes-modify-target']
  const { err } = await ran([...words, '--baseline', '--ignore', noise, '--out', out])
  const report = JSON.parse(readFileSync(join(out, 'replay.json'), 'utf8')) as ReplayReport
  const file = JSON.parse(readFileSync(noise, 'utf8')) as { ignore: { operation: string; pointer: string }[] }
  return {
    told: report.differences.map(({ operation, pointer }) => `${operation} ${pointer}`).sort(),
    learned: file.ignore.map(({ operation, pointer }) => `${operation} ${pointer}`).sort(),
    said: err,
    titles: target.titles(),
  }
}

const NOISE = ['create-board /luck', 'get-board /luck', 'list-boards /*/luck', 'update-board /luck']

describe('a baseline', () => {
  test('learns what differs by itself and nothing that the first replay did, and leaves what one replay leaves', async () => {
    const { told, learned, said, titles } = await taught({})
    expect(learned).toEqual([...NOISE].sort())
    expect(told).toEqual([])
    expect(said).not.toContain('could not be removed')
    expect(titles).toEqual(['after', 'Operations'])
  })

  test('does not learn a fault', async () => {
    const { told, learned } = await taught({ short: true })
    expect(told).toEqual(['list-boards /*'])
    expect(learned).not.toContain('list-boards /*')
  })

  test('learns nothing of what could not be removed', async () => {
    const { told, learned, said } = await taught({ keeps: true })
    expect(said).toContain('1 thing that the first replay made could not be removed before the second')
    expect(learned.filter((place) => !NOISE.includes(place))).toEqual([])
    expect(told.filter((place) => !NOISE.includes(place))).toEqual([])
  })
})
