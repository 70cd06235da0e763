import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { describe, expect, test } from 'vitest'
import { ownFolder } from '../../fixtures/testing/folder.ts'
import { served } from '../../fixtures/testing.ts'
import { ran, type Said } from '../testing.ts'

const folder = ownFolder()
const assay = (...args: string[]): Promise<Said> => ran(args, { cwd: folder })

test.each([
  ['cleanup', '/nope.ndjson', 'no such file; a journal stands in the folder of the report'],
  ['cleanup', '', 'is a folder; a journal stands in the folder of the report'],
  ['verify', '/nope.tgz', 'no such file; `assay certify --bundle <file>` writes a bundle'],
  ['verify', '', 'is a folder; `assay certify --bundle <file>` writes a bundle'],
])('%s <folder>%s says what stands there', async (verb, name, said) => {
  expect(await assay(verb, `${folder}${name}`)).toMatchObject({ code: 2, err: `error: ${folder}${name}: ${said}\n` })
})

const always =
  (status: number): RequestListener =>
  (_, answer) =>
    answer.writeHead(status).end()

function journalOf(id: string, baseUrl = 'http://127.0.0.1:1', binding = 'reference'): string {
  const path = `${folder}/journal.ndjson`
  const startedAt = '2026-01-02T03:04:05.000Z'
  const label = `assay-abcdef-${'a'.repeat(5_000)}`
  const lines = [
    { type: 'run', formatVersion: 1, baseUrl, binding, prefix: 'assay-abcdef', startedAt },
    { type: 'making', entry: 'e1', resource: 'board', label, params: {}, case: 'c' },
    { type: 'made', entry: 'e1', id },
  ]
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return path
}

test('a target that lets nobody in, or is not there, is said to be so', async () => {
  const refuses = await served(always(401))
  const refused = await assay('cleanup', journalOf('b1', refuses), '--target', refuses)
  expect(refused.code).toBe(3)
  expect(refused.err).toContain('credentials are refused, and nothing was removed; name the configuration of the run')
  expect(await assay('cleanup', journalOf('b1'), '--target', 'http://127.0.0.1:1')).toMatchObject({
    code: 3,
    err: expect.stringMatching(/^error: http:\/\/127\.0\.0\.1:1: no response \(.+\), and nothing was removed/),
  })
  const gone = await served(always(404))
  expect(await assay('cleanup', journalOf('b1', gone), '--target', gone)).toMatchObject({ code: 0 })
})

test('a journal that a crash cut off goes on behind its last whole line, and holds nothing the second time', async () => {
  const target = await served(always(404))
  const journal = journalOf('b1', target)
  appendFileSync(journal, '{"type":"making","entry":"x#1","resou')
  expect(await assay('cleanup', journal, '--target', target)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/ of 1 /),
  })
  for (const line of readFileSync(journal, 'utf8').trimEnd().split('\n')) expect(() => JSON.parse(line)).not.toThrow()
  expect(await assay('cleanup', journal, '--target', target)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^removed 0 of 0 /),
  })
})

test('what a target called its things acts on no terminal and fills no screen', async () => {
  const target = await served(always(500))
  const journal = journalOf('x\n::set-output name=a::b\u001b[31m', target)
  const { code, out } = await assay('cleanup', journal, '--target', target)
  expect(code).toBe(1)
  const left = out.split('\n').filter((line) => line.startsWith('left: '))
  expect(left).toEqual([expect.stringContaining('x\\n\\u003a:set-output name=a::b\\u001b[31m')])
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
    const journal = journalOf('b1', other.url)
    const said = `is of a run against ${other.url}, not against ${own.url}; name the configuration of the run with --config, or its target with --target`
    expect(await assay('cleanup', journal)).toMatchObject({ code: 2, err: `error: ${journal}: ${said}\n` })
    expect(await assay('cleanup', journal, '--target', `${own.url}/v2`)).toMatchObject({ code: 2 })
    expect([own.seen(), other.seen()]).toEqual([0, 0])
  })

  test('is followed where the user names its target by hand', async () => {
    const [own, other] = [await counted(), await counted()]
    configure(own.url)
    expect(await assay('cleanup', journalOf('b1', other.url), '--target', other.url)).toMatchObject({ code: 0 })
    expect([own.seen(), other.seen() > 0]).toEqual([0, true])
  })

  test('says nothing about where a target is', async () => {
    const target = await counted()
    const journal = journalOf('b1', target.url)
    const said = `names the target ${target.url}, but no configuration or option confirms it; if that is right, add --target ${target.url}`
    expect(await assay('cleanup', journal)).toMatchObject({ code: 2, err: `error: ${journal}: ${said}\n` })
    expect(target.seen()).toBe(0)
  })

  test('chooses no file that says what is sent', async () => {
    const target = await counted()
    writeFileSync(`${folder}/evil.json`, JSON.stringify({ formatVersion: 1, name: 'evil', extends: 'reference' }))
    const words = ['cleanup', journalOf('b1', target.url, `${folder}/evil.json`), '--target', target.url]
    expect(await assay(...words)).toMatchObject({
      code: 2,
      err: expect.stringContaining('does not ship with assay; name its file in the configuration, or with --binding'),
    })
    expect(target.seen()).toBe(0)
    expect(await assay(...words, '--binding', './evil.json')).toMatchObject({ code: 0 })
  })
})
