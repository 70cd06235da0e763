import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { run } from '../program.ts'
import { fakeIo } from '../testing.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(`${tmpdir()}/assay-cleanup-`)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test.each([
  ['cleanup', '/nope.ndjson', 'no such file; a journal stands in the folder of the report'],
  ['cleanup', '', 'is a folder; a journal stands in the folder of the report'],
  ['verify', '/nope.tgz', 'no such file; `assay certify --bundle <file>` writes a bundle'],
  ['verify', '', 'is a folder; `assay certify --bundle <file>` writes a bundle'],
])('%s <folder>%s says what stands there', async (verb, name, said) => {
  const io = fakeIo({ cwd: folder })
  expect(await run([verb, `${folder}${name}`], io)).toBe(2)
  expect(io.err()).toBe(`error: ${folder}${name}: ${said}\n`)
})

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** The address of a target that answers everything in one way. */
async function served(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}

function journalOf(id: string, baseUrl = 'http://127.0.0.1:1', binding = 'reference'): string {
  const path = `${folder}/journal.ndjson`
  const run = {
    type: 'run',
    formatVersion: 1,
    baseUrl,
    binding,
    prefix: 'assay-abcdef',
  }
  const lines = [
    { ...run, startedAt: '2026-01-02T03:04:05.000Z' },
    {
      type: 'making',
      entry: 'e1',
      resource: 'board',
      label: `assay-abcdef-${'a'.repeat(5_000)}`,
      params: {},
      case: 'c',
    },
    { type: 'made', entry: 'e1', id },
  ]
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return path
}

test('a target that lets nobody in, or is not there, is said to be so', async () => {
  const refuses = await served((_, answer) => answer.writeHead(401).end())
  const io = fakeIo({ cwd: folder })
  expect(await run(['cleanup', journalOf('b1', refuses), '--target', refuses], io)).toBe(3)
  expect(io.err()).toContain('credentials are refused, and nothing was removed; name the configuration of the run')
  const dead = fakeIo({ cwd: folder })
  expect(await run(['cleanup', journalOf('b1'), '--target', 'http://127.0.0.1:1'], dead)).toBe(3)
  expect(dead.err()).toMatch(/^error: http:\/\/127\.0\.0\.1:1: no response \(.+\), and nothing was removed/)
  const gone = await served((_, answer) => answer.writeHead(404).end())
  expect(await run(['cleanup', journalOf('b1', gone), '--target', gone], fakeIo({ cwd: folder }))).toBe(0)
})

test('what a target called its things acts on no terminal and fills no screen', async () => {
  const target = await served((_, answer) => answer.writeHead(500).end())
  const journal = journalOf('x\n::set-output name=a::b\u001b[31m', target)
  const io = fakeIo({ cwd: folder })
  expect(await run(['cleanup', journal, '--target', target], io)).toBe(1)
  const left = io
    .out()
    .split('\n')
    .filter((line) => line.startsWith('left: '))
  expect(left).toHaveLength(1)
  expect(left[0]).toContain('x\\n::set-output name=a::b\\u001b[31m')
  expect(left[0]?.length).toBeLessThan(400)
})

describe('a journal from elsewhere', () => {
  /** A target, and how many requests it was sent. */
  async function counted(): Promise<{ readonly url: string; readonly seen: () => number }> {
    let seen = 0
    const url = await served((_, answer) => {
      seen += 1
      answer.writeHead(404).end()
    })
    return { url, seen: () => seen }
  }

  function configure(baseUrl: string): void {
    const config = { baseUrl, credentials: { accessToken: 'assay-secret-3f9a71' } }
    writeFileSync(`${folder}/assay.config.json`, JSON.stringify(config))
  }

  test('that names another target than the configuration gets no request, and no credentials', async () => {
    const [own, other] = [await counted(), await counted()]
    configure(own.url)
    const io = fakeIo({ cwd: folder })
    const journal = journalOf('b1', other.url)
    expect(await run(['cleanup', journal], io)).toBe(2)
    expect(io.err()).toBe(
      `error: ${journal}: is of a run against ${other.url}, not against ${own.url}; name the configuration of the run with --config, or its target with --target\n`,
    )
    expect(await run(['cleanup', journal, '--target', `${own.url}/v2`], fakeIo({ cwd: folder }))).toBe(2)
    expect([own.seen(), other.seen()]).toEqual([0, 0])
  })

  test('is followed where the user names its target by hand', async () => {
    const [own, other] = [await counted(), await counted()]
    configure(own.url)
    const given = ['cleanup', journalOf('b1', other.url), '--target', other.url]
    expect(await run(given, fakeIo({ cwd: folder }))).toBe(0)
    expect([own.seen(), other.seen() > 0]).toEqual([0, true])
  })

  test('says nothing about where a target is', async () => {
    const target = await counted()
    const journal = journalOf('b1', target.url)
    const io = fakeIo({ cwd: folder })
    expect(await run(['cleanup', journal], io)).toBe(2)
    const said = `names the target ${target.url}, but no configuration or option confirms it; if that is right, add --target ${target.url}`
    expect(io.err()).toBe(`error: ${journal}: ${said}\n`)
    expect(target.seen()).toBe(0)
  })

  test('chooses no file that says what is sent', async () => {
    const target = await counted()
    writeFileSync(`${folder}/evil.json`, JSON.stringify({ formatVersion: 1, name: 'evil', extends: 'reference' }))
    const journal = journalOf('b1', target.url, `${folder}/evil.json`)
    const io = fakeIo({ cwd: folder })
    expect(await run(['cleanup', journal, '--target', target.url], io)).toBe(2)
    expect(io.err()).toContain('which does not ship with assay; name its file in the configuration, or with --binding')
    expect(target.seen()).toBe(0)
    const given = ['cleanup', journal, '--target', target.url, '--binding', './evil.json']
    expect(await run(given, fakeIo({ cwd: folder }))).toBe(0)
  })
})
