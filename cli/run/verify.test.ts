import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import {
  Disagreement,
  EVIDENCE,
  FACTS,
  MANIFEST,
  REPORT,
  SIGNATURE,
  unpackBundle,
  writeBundle,
} from '../../engine/bundle/bundle.ts'
import { firstDifference, verify } from '../../engine/verify/verify.ts'
import { lastingFolder } from '../../fixtures/testing/folder.ts'
import { onlyVerdicts, standingOf } from '../../reports/expectations/expectations.ts'
import type { HeldTo } from '../../schemas/types/facts.ts'
import type { Report } from '../../schemas/types/report.ts'
import { aRun, repack, resealed, unpacked } from '../testing/bundle.ts'
import { fakeIo } from '../testing.ts'
import { runVerify } from './verify.ts'

const keys = generateKeyPairSync('ed25519')
const home = lastingFolder()
const path = join(home, 'bundle.tgz')
const parts = await aRun()
await writeBundle(path, parts, keys.privateKey)
const files: ReadonlyMap<string, Buffer> = await unpacked(path)
afterAll(() => rmSync(join(parts.evidence, '..'), { recursive: true, force: true }))

/** What does not agree, in one line; 'verified' where everything does. */
async function outcome(bundle: string, key?: KeyObject): Promise<string> {
  const found = await verify(bundle, home, key)
  return found.verified ? 'verified' : `${found.where} ${found.what}`
}

async function outcomeOf(changed: Iterable<readonly [string, Buffer]>, key?: KeyObject): Promise<string> {
  const bundle = join(home, 'changed.tgz')
  await repack(bundle, changed)
  return outcome(bundle, key)
}

const EXCHANGES = `${EVIDENCE}/exchanges-1.ndjson`

function withChanged(name: string, change: (text: string) => string): Map<string, Buffer> {
  return new Map([...files, [name, Buffer.from(change(String(files.get(name))))]])
}

describe('a bundle', () => {
  test('holds report, facts, evidence, the hashes of all of them and a signature', () => {
    const cases = `${EVIDENCE}/cases-1.ndjson`
    expect([...files.keys()]).toEqual([MANIFEST, SIGNATURE, REPORT, FACTS, cases, EXCHANGES])
  })
  test('is read by nobody else', () => {
    expect((statSync(path).mode & 0o777).toString(8)).toBe('600')
  })
  test('agrees with itself as it was written, and packed again by somebody else', async () => {
    expect(await outcome(path, keys.publicKey)).toBe('verified')
    expect(await outcomeOf(files)).toBe('verified')
  })
  test('is checked by a report that says what it claims', async () => {
    const io = fakeIo({ cwd: home })
    await runVerify('bundle.tgz', {}, io)
    expect(io.exitCode).toBe(0)
    expect(io.out()).toMatch(/^verified: .*\nsigned; the signature was not checked/)
    expect(io.out()).toContain('non-conformant: made up 1: MEMBER-DELETE-STATUS failed')
  })
  test('made with another strength file agrees, and says so; nothing else may differ with it', async () => {
    const stronger = (text: string, more: object = {}): string => {
      const report = JSON.parse(text) as Report
      const requirements = report.requirements.map((result) => ({
        ...result,
        ...more,
        evidence: { ...result.evidence, mutants: { tried: 9, killed: 9 } },
      }))
      return JSON.stringify({ ...report, requirements })
    }
    await repack(join(home, 'stronger.tgz'), resealed(withChanged(REPORT, stronger)))
    const io = fakeIo({ cwd: home })
    await runVerify('stronger.tgz', {}, io)
    expect({ code: io.exitCode, out: io.out() }).toEqual({
      code: 0,
      out: expect.stringContaining('another strength file'),
    })
    const json = fakeIo({ cwd: home })
    await runVerify('stronger.tgz', { json: true }, json)
    expect(JSON.parse(json.out())).toMatchObject({ verified: true, sameStrength: false })
    const forged = withChanged(REPORT, (text) => stronger(text, { verdict: 'pass' }))
    expect(await outcomeOf(resealed(forged))).toMatch(/verdict says "pass", but the evidence gives/)
  })
  test('that does not agree ends with 1 and one line', async () => {
    await repack(
      join(home, 'bad.tgz'),
      withChanged(REPORT, (text) => text.replace('"fail"', '"pass"')),
    )
    const io = fakeIo({ cwd: home })
    await runVerify('bad.tgz', { json: true }, io)
    expect(io.exitCode).toBe(1)
    expect(JSON.parse(io.out())).toMatchObject({ verified: false, where: REPORT })
    const text = fakeIo({ cwd: home })
    await runVerify('bad.tgz', {}, text)
    expect(text.exitCode).toBe(1)
    for (const out of [io.out(), text.out()]) expect(out).toMatch(/^.+\n$/)
    expect(text.out()).toMatch(/^not verified: /)
  })
})

// Many archives take their time on a busy machine.
describe('a change', { timeout: 120_000 }, () => {
  const anywhere = fc.record({
    place: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    by: fc.integer({ min: 1, max: 255 }),
  })

  test('of any single byte of evidence or report is found, and its file named', async () => {
    const names = [REPORT, EXCHANGES, `${EVIDENCE}/cases-1.ndjson`, FACTS]
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), anywhere, async (name, { place, by }) => {
        const content = Buffer.from(files.get(name) ?? '')
        const index = Math.floor(place * content.length)
        content[index] = ((content[index] ?? 0) + by) % 256
        expect(await outcomeOf(new Map([...files, [name, content]]))).toMatch(new RegExp(`^${name} was changed`))
      }),
      { numRuns: 60 },
    )
  })

  test('of any single byte of the archive is found', async () => {
    const archive = readFileSync(path)
    const bundle = join(home, 'damaged.tgz')
    // The first ten bytes are gzip's own: a time, and the system that wrote it.
    const first = 10
    await fc.assert(
      fc.asyncProperty(anywhere, async ({ place, by }) => {
        const content = Buffer.from(archive)
        const index = first + Math.floor(place * (content.length - first))
        content[index] = ((content[index] ?? 0) + by) % 256
        writeFileSync(bundle, content)
        // Packed otherwise, it may hold the same.
        if ((await outcome(bundle)) === 'verified') expect(gunzipSync(content)).toEqual(gunzipSync(archive))
      }),
      { numRuns: 60 },
    )
  })

  test('of any verdict is found by what the evidence gives, though all hashes fit', async () => {
    const again = JSON.parse(JSON.stringify(parts.report)) as Report
    const verdicts = ['pass', 'fail', 'warn', 'observed', 'not-run', 'error'] as const
    const which = fc.integer({ min: 0, max: again.requirements.length - 1 })
    fc.assert(
      fc.property(which, fc.constantFrom(...verdicts), (index, verdict) => {
        const before = again.requirements[index]
        if (!before || before.verdict === verdict) return
        const requirements = again.requirements.with(index, { ...before, verdict })
        expect(firstDifference({ ...again, requirements }, again)).toEqual({
          pointer: `/requirements/${before.id}/verdict`,
          left: JSON.stringify(verdict),
          right: JSON.stringify(before.verdict),
        })
      }),
      { numRuns: 60 },
    )
  })

  const forged: readonly [string, string, (text: string) => string, RegExp][] = [
    [
      'a failure made a pass',
      REPORT,
      (text) => text.replace('"verdict": "fail"', '"verdict": "pass"'),
      /^report.json#\/requirements\/MEMBER-DELETE-STATUS\/verdict says "pass", but the evidence gives "fail"$/,
    ],
    [
      'the verdict of the whole run',
      REPORT,
      (text) => text.replace('"verdict": "non-conformant"', '"verdict": "conformant"'),
      /^report.json#\/verdict says "conformant", but/,
    ],
    ['another number of requests', REPORT, (text) => text.replace('"requests": 20', '"requests": 90'), /^report.json#/],
    [
      'an answer made good',
      EXCHANGES,
      (text) => text.replace('"S":202', '"S":200'),
      /^report.json#\/verdict says "non-conformant", but the evidence gives/,
    ],
    ['an exchange taken away', EXCHANGES, (text) => text.split('\n').toSpliced(3, 1).join('\n'), /^report.json#/],
    ['another seed', FACTS, (text) => text.replace('"seed": 7', '"seed": 8'), /^report.json#\/seed/],
    ['facts that make no sense', FACTS, () => '{}', /^facts.json#\/suite must have required property 'suite'/],
    [
      'facts in which one field is of another type',
      FACTS,
      (text) => text.replace('"strict": false', '"strict": 0'),
      /^facts.json#\/strict must be boolean/,
    ],
    [
      'evidence that is none',
      EXCHANGES,
      (text) => text.replace('"m":"DELETE"', '"m":7'),
      /^evidence cannot be judged \(evidence\/exchanges-1.ndjson:2 is not a record/,
    ],
    ['a report that is none', REPORT, () => 'x', /^report.json is not JSON/],
  ]
  test.each(forged)('with hashes made to fit is found: %s', async (_, name, change, message) => {
    const changed = withChanged(name, change)
    expect(changed.get(name)).not.toEqual(files.get(name))
    expect(await outcomeOf(resealed(changed))).toMatch(message)
    expect(await outcomeOf(resealed(changed), keys.publicKey)).toMatch(/^bundle.sig is not a signature by this key/)
  })
})

describe('how a run stands to what was expected of it', () => {
  const held: HeldTo = {
    expectations: { source: 'known.json', failures: [{ requirement: 'MEMBER-DELETE-STATUS' }] },
    baseline: { source: 'before.json', report: {} as Report },
  }
  /** A bundle of a run with known failures or a baseline. That part of its report may be changed. */
  async function bundle(change: (report: Report, heldTo: HeldTo) => readonly [object, object]): Promise<string> {
    const heldTo = onlyVerdicts({ ...held, baseline: { source: 'before.json', report: parts.report } })
    const [report, facts] = change({ ...parts.report, ...standingOf(parts.report, heldTo) }, heldTo)
    const changed = new Map([
      ...files,
      [REPORT, Buffer.from(JSON.stringify(report))] as const,
      [FACTS, Buffer.from(JSON.stringify({ ...parts.facts, ...facts }))] as const,
    ])
    return outcomeOf(resealed(changed))
  }

  test('is worked out again', async () => {
    expect(await bundle((report, heldTo) => [report, { heldTo }])).toBe('verified')
  })

  const made: readonly [string, (report: Report, heldTo: HeldTo) => readonly [object, object], string][] = [
    [
      'a failure that nobody expected, told as met',
      ({ expectations, ...report }, heldTo) => [
        { ...report, expectations },
        { heldTo: { ...heldTo, expectations: { source: 'known.json', failures: [] } } },
      ],
      'report.json#/expectations/met/0 says "MEMBER-DELETE-STATUS", but the evidence gives nothing',
    ],
    [
      'another list',
      (report, heldTo) => [{ ...report, expectations: { ...report.expectations, source: 'other.json' } }, { heldTo }],
      'report.json#/expectations/source says "other.json", but the evidence gives "known.json"',
    ],
    [
      'a list that the bundle does not hold',
      (report, { baseline }) => [report, { heldTo: { baseline } }],
      'report.json#/expectations is there, but the facts of the run hold no such list',
    ],
    [
      'a list of which the report says nothing',
      ({ expectations: _, ...report }, heldTo) => [report, { heldTo }],
      'report.json#/expectations says nothing, but the evidence gives {"source":"known.json"',
    ],
    [
      'an earlier report that was better',
      (report, heldTo) => [
        { ...report, baseline: { source: 'before.json', worse: ['X'], fixed: [], known: [] } },
        { heldTo },
      ],
      'report.json#/baseline/worse/0 says "X", but the evidence gives nothing',
    ],
    [
      'a list that is none',
      (report, { baseline }) => [report, { heldTo: { baseline, expectations: { failures: 7 } } }],
      "facts.json#/heldTo/expectations/source must have required property 'source'",
    ],
  ]
  test.each(made)('is found where it is made up: %s', async (_, change, message) => {
    expect(await bundle(change)).toContain(message)
  })
})

describe('a signature', () => {
  test('by another key is refused', async () => {
    const other = generateKeyPairSync('ed25519').publicKey
    expect(await outcome(path, other)).toBe('bundle.sig is not a signature by this key')
  })
  test('that is missing is refused where a key is given', async () => {
    const unsigned = new Map([...files].filter(([name]) => name !== SIGNATURE))
    expect(await outcomeOf(unsigned)).toBe('verified')
    expect(await outcomeOf(unsigned, keys.publicKey)).toBe('bundle.json is not signed')
  })
})

describe('an archive', () => {
  const strange: readonly [string, (known: ReadonlyMap<string, Buffer>) => (readonly [string, Buffer])[], RegExp][] = [
    [
      'with a path that leads out of it',
      (known) => [...known, ['../evil', Buffer.from('x')]],
      /^\.\.\/evil does not belong/,
    ],
    [
      'with a path that is not ours',
      (known) => [...known, ['notes.txt', Buffer.from('x')]],
      /^notes.txt does not belong/,
    ],
    [
      'with evidence that nobody named',
      (known) => [...known, [`${EVIDENCE}/exchanges-2.ndjson`, Buffer.from('x')]],
      /exchanges-2.ndjson is not named/,
    ],
    ['with a file twice', (known) => [...known, [REPORT, Buffer.from('{}')]], /^report.json is in the bundle twice/],
    ['without evidence', (known) => [...known].filter(([name]) => name !== EXCHANGES), /exchanges-1.ndjson is missing/],
    ['without a manifest', (known) => [...known].filter(([name]) => name !== MANIFEST), /^bundle.json is missing/],
    ['of nothing', () => [], /^bundle.json is missing/],
    [
      'of a later format',
      () => [...withChanged(MANIFEST, (text) => text.replace('"formatVersion": 1', '"formatVersion": 2'))],
      /^bundle.json#\/formatVersion must be 1/,
    ],
    [
      'of another suite',
      () => [...resealed(withChanged(MANIFEST, (text) => text.replace(/"suiteHash": "...../, '"suiteHash": "00000')))],
      /^bundle.json was judged by another suite/,
    ],
  ]
  test.each(strange)('%s is refused', async (_, change, message) => {
    expect(await outcomeOf(change(files))).toMatch(message)
  })
  test('that is none is refused', async () => {
    writeFileSync(join(home, 'none.tgz'), 'hello')
    expect(await outcome(join(home, 'none.tgz'))).toMatch(/^the archive is damaged/)
  })
  test('is not blamed for what this machine does not do', async () => {
    const folder = join(home, 'taken')
    mkdirSync(join(folder, REPORT), { recursive: true })
    const failed = await unpackBundle(path, folder).catch((error: Error) => error)
    expect(failed).toMatchObject({ code: 'EISDIR' })
    expect(failed).not.toBeInstanceOf(Disagreement)
  })
  test('that was cut off is refused', async () => {
    writeFileSync(join(home, 'cut.tgz'), readFileSync(path).subarray(0, -200))
    expect(await outcome(join(home, 'cut.tgz'))).toMatch(/^the archive is damaged/)
  })
})
