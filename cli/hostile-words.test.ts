import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { lastingFolder } from '../fixtures/testing/folder.ts'
import { ran } from './testing.ts'

const WORDS = '\u001b[2J\u009b31m\u202e\r\n::error::x\u{e0041}'

function line(change: object): object {
  const answer = { S: 200, H: ['content-type', 'application/json'], B: { t: '[]' } }
  return { i: 'x', s: 1_767_323_045_000, e: 10, m: 'GET', u: '/v1/config/view', h: [], ...answer, ...change }
}

/** Exchanges that have the form of some, and words in every place that takes any. */
const LINES: readonly object[] = [
  line({}),
  line({ i: WORDS, p: WORDS, C: WORDS }),
  line({ p: '__proto__', u: `/${WORDS}`, m: WORDS }),
  line({ u: 'http://[::', S: 99_999, R: WORDS }),
  line({ H: [WORDS, WORDS], B: { t: WORDS, m: WORDS } }),
  line({ m: 'POST', b: { t: WORDS, m: WORDS } }),
  line({ o: 'reset', x: WORDS, r: { [WORDS]: WORDS } }),
  line({ I: { kind: 'read', group: WORDS, requirement: '__proto__', pointer: WORDS } }),
  { lost: 3, reason: WORDS },
]

const folder = lastingFolder()
beforeAll(() => {
  const about = { tool: WORDS, startedAt: WORDS, target: 'http://127.0.0.1:1', binding: 'reference', from: WORDS }
  const header = { _format: 'assay-segment', _version: 2, _kind: 'exchanges', base: 'http://127.0.0.1:1', about }
  const text = [header, ...LINES].map((one) => `${JSON.stringify(one)}\n`).join('')
  writeFileSync(join(folder, 'exchanges-000001.ndjson'), text)
})

const VERBS: readonly (readonly string[])[] = [
  ['fixtures', 'stats', '.'],
  ['fixtures', 'stats', '.', '--json'],
  ['fixtures', 'export', '.', '--out', 'x.har'],
  ['fixtures', 'import', '.', '--out', 'imported'],
  ['fixtures', 'distill', '.', '--out', 'distilled'],
  ['check', '.', '--out', 'report'],
  ['check', '.', '--out', 'report', '--json'],
  ['check', '.', '--out', 'report', '--format', 'markdown'],
  ['fixtures', 'repair', '.'],
  ['fixtures', 'repair', '.', '--json'],
]

test.each(VERBS.map((args) => [args.join(' '), args] as const))(
  'words of a recording act nowhere in `%s`',
  async (_, args) => {
    const { out, err } = await ran(args, { cwd: folder })
    const said = out + err
    expect(said).not.toBe('')
    expect(said.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e\u{e0000}-\u{e007f}]/u)
    expect(said).not.toMatch(/^::error/m)
    expect(said).not.toContain('assay itself failed')
  },
)
