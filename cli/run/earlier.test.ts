import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openSegment } from '../../fixtures/segments/write.ts'
import { ownFolder } from '../../fixtures/testing/folder.ts'
import { builtPage } from '../../reports/formats/html.ts'
import { writeReports } from '../../reports/formats/write.ts'
import { aReport } from '../../reports/testing.ts'
import { exchange } from '../../rules/testing.ts'
import { ran } from '../testing.ts'

const PAGE = builtPage('page.html') === undefined ? [] : ['report.html']
const REPORTS = ['junit.xml', ...PAGE, 'report.json']

const home = ownFolder()

/** What an earlier run left, beside what somebody else did. */
async function earlier(folder: string, besides: readonly string[] = []): Promise<void> {
  await writeReports(aReport(), join(home, folder), besides)
  writeFileSync(join(home, folder, 'notes.txt'), 'mine')
}

function recording(folder: string): void {
  const segment = openSegment(join(home, folder), 'exchanges', '0')
  segment.append(exchange('GET /v1/config/view', { got: [] }))
  segment.close()
}

async function ended(...args: readonly string[]): Promise<string> {
  const { code, err } = await ran(args, { cwd: home })
  return `${code} ${err}`
}
const standing = (folder: string): string[] => readdirSync(join(home, folder)).sort()

describe('a command that comes to no report leaves none of an earlier run', () => {
  test.each([
    ['check', 'nothing', ['nowhere']],
    ['check', 'a wrong option', ['rec', '--clock-skew', 'soon']],
    ['check', 'a configuration that is missing', ['rec', '--config', 'nowhere.json']],
    ['check', 'an earlier report that is missing', ['rec', '--baseline', 'nowhere.json']],
    ['replay', 'nothing', ['nowhere', '--embedded']],
    ['replay', 'a wrong option', ['rec', '--embedded', '--speed', 'slow']],
    ['replay', 'nothing of what was asked for', ['rec', '--embedded', '--filter', 'delete-screen']],
  ])('%s of %s', async (verb, _, args) => {
    recording('rec')
    await earlier('out')
    writeFileSync(join(home, 'out', 'replay.json'), JSON.stringify({ formatVersion: 1, suite: {} }))
    expect(await ended(verb, ...args, '--out', 'out')).toMatch(/^2 error: /)
    expect(standing('out')).toEqual(['notes.txt', ...(verb === 'replay' ? [] : ['replay.json'])])
  })

  test.each([
    ['a report that is missing', ['good/report.json', 'nowhere.json']],
    ['a wrong format', ['good', '--format', 'pdf']],
  ])('report merge of %s', async (_, args) => {
    await earlier('good')
    await earlier('out', ['markdown', 'ctrf', 'badge-json', 'table', 'text'])
    writeFileSync(join(home, 'out', 'replay.json'), JSON.stringify({ formatVersion: 1, suite: {} }, null, 2))
    const besides = ['--reporter', 'markdown', 'ctrf', 'badge-json', 'table', 'text']
    expect(await ended('report', 'merge', ...args, '--out', 'out', ...besides)).toMatch(/^2 error: /)
    expect(standing('out')).toEqual(['notes.txt'])
  })

  test.each(['markdown', 'json', 'text', ...(PAGE.length > 0 ? ['html'] : [])])(
    'report compare, of its file: %s',
    async (format) => {
      await earlier('good')
      const compare = ['report', 'compare', 'good', '--format', format, '--out', 'changes']
      expect(await ended(...compare, 'good/report.json')).toMatch(/^0 wrote /)
      expect(await ended(...compare, 'nowhere.json')).toMatch(/^2 error: /)
      expect(standing('.')).toEqual(['good'])
    },
  )
})

describe('what is removed', () => {
  test('is nothing that somebody else wrote under the same names', async () => {
    mkdirSync(join(home, 'out'))
    const theirs = [
      ['report.json', '{"schemaVersion":1,"tests":[]}'],
      ['junit.xml', '<testsuites name="pytest"><testsuite/></testsuites>'],
      ['report.html', '<!doctype html><title>Tests</title>'],
      ['summary.md', '# Summary\n'],
      ['replay.json', '[]'],
    ] as const
    for (const [name, text] of theirs) writeFileSync(join(home, 'out', name), text)
    writeFileSync(join(home, 'changes.md'), '# Changes\n')
    await ended('check', 'nowhere', '--out', 'out', '--reporter', 'markdown')
    await ended('replay', 'nowhere', '--embedded', '--out', 'out')
    await ended('report', 'merge', 'nowhere', '--out', 'out')
    await ended('report', 'compare', 'nowhere', 'nowhere', '--out', 'changes.md')
    for (const [name, text] of theirs) expect(readFileSync(join(home, 'out', name), 'utf8')).toBe(text)
    expect(standing('.')).toEqual(['changes.md', 'out'])
  })

  test.each([
    ['a folder', 'out'],
    ['a file in it', 'out/report.json'],
    ['a link to it', 'link'],
    ['a link to a file in it', 'link.json'],
    ['a link in it', 'out/other.json'],
  ])('is nothing of a report that is merged: %s', async (_, path) => {
    await earlier('out')
    await earlier('elsewhere')
    symlinkSync(join(home, 'out'), join(home, 'link'))
    symlinkSync(join(home, 'out', 'report.json'), join(home, 'link.json'))
    symlinkSync(join(home, 'elsewhere', 'report.json'), join(home, 'out', 'other.json'))
    expect(await ended('report', 'merge', path, 'nowhere', '--out', 'out')).toMatch(/^2 error: /)
    expect(standing('out')).toEqual([...REPORTS, 'notes.txt', 'other.json'].sort())
  })

  test('is nothing that another is held to', async () => {
    await earlier('out')
    for (const words of [
      ['check', 'nowhere'],
      ['report', 'merge', 'nowhere'],
      ['certify', 'http://127.0.0.1:9'],
    ]) {
      const said = await ended(...words, '--yes-modify-target', '--out', 'out', '--baseline', 'out/report.json').catch(
        String,
      )
      expect(said).toMatch(/^[23] /)
      expect(standing('out')).toEqual([...REPORTS, 'notes.txt'].sort())
    }
  })

  test('is nothing of the run whose evidence is checked', async () => {
    await earlier('out')
    recording('out/evidence')
    writeFileSync(join(home, 'out', 'evidence', 'exchanges-0.ndjson'), 'no segment')
    symlinkSync(join(home, 'out', 'evidence'), join(home, 'link'))
    for (const path of ['out/evidence', 'link']) {
      expect(await ended('check', path, '--out', 'out')).toMatch(/^2 error: /)
      expect(standing('out')).toEqual(['evidence', ...REPORTS, 'notes.txt'].sort())
    }
  })

  test('is of a run that has nothing to do with a recording beside it', async () => {
    await earlier('out')
    recording('out/recorded')
    writeFileSync(join(home, 'out', 'recorded', 'exchanges-0.ndjson'), 'no segment')
    expect(await ended('check', 'out/recorded', '--out', 'out')).toMatch(/^2 error: /)
    expect(standing('out')).toEqual(['notes.txt', 'recorded'])
  })
})

test.each(['out/evidence', 'out/evidence/exchanges-0.ndjson'])(
  'a replay does not write over what it reads: %s',
  async (path) => {
    await earlier('out')
    recording('out/evidence')
    const before = readFileSync(join(home, 'out', 'evidence', 'exchanges-0.ndjson'), 'utf8')
    const said = await ended('replay', path, '--embedded', '--out', 'out')
    expect(said).toMatch(/^2 error: .*would overwrite the recording; choose another --out/)
    expect(readFileSync(join(home, 'out', 'evidence', 'exchanges-0.ndjson'), 'utf8')).toBe(before)
    expect(standing('out')).toEqual(['evidence', ...REPORTS, 'notes.txt'].sort())
  },
)
