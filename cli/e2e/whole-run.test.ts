import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { create } from 'xmlbuilder2'
import { reportsIn } from '../../reports/page/model/dropped.ts'
import { ledger } from '../../schemas/ledger.ts'
import type { Ended } from '../testing/program.ts'
import { createWorld } from '../testing/world.ts'
import { readReport } from './testing/expectations.ts'
import { type SentRequest, sentIn } from './testing/sent.ts'

/** A run of the embedded target that has ended. */
interface Run {
  readonly ended: Ended
  readonly folder: string
}

const { world, close } = createWorld('whole-run')

async function certify(out: string, ...args: readonly string[]): Promise<Run> {
  const ended = await world.assay(['certify', '--embedded', '--profile', 'quick', '--out', out, ...args])
  return { ended, folder: join(world.folder, out) }
}

/** Everything, again with less at a time; one operation with another seed; one requirement alone. */
let whole: Run
let again: Run
let other: Run
let part: Run

beforeAll(async () => {
  whole = await certify('whole', '--seed', '7')
  const rest = [
    certify('again', '--seed', '7', '--concurrency', '3'),
    certify('other', '--seed', '8', '--only', 'update-source').then(async (run) => ({
      run,
      next: await certify('part', '--seed', '7', '--only', 'NODE-TITLE-MAX', '--json'),
    })),
  ] as const
  again = await rest[0]
  ;({ run: other, next: part } = await rest[1])
})
afterAll(close)

describe('assay certify --embedded --profile quick', () => {
  test('is conformant, and writes a report and JUnit XML that agree', () => {
    const { code, stdout, stderr } = whole.ended
    expect({ code, stderr: code === 0 ? '' : stdout + stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^conformant: embedded reference: /m)

    const report = readReport(whole.folder)
    expect(report).toMatchObject({ verdict: 'conformant', seed: 7, profile: 'quick', leftovers: [], problems: [] })
    expect(report.serverErrors).toEqual({ count: 0, retried: 0, kinds: [] })
    expect(report.requirements.map(({ id }) => id)).toEqual([...ledger().keys()])
    const verdicts = report.requirements.map(({ verdict }) => verdict)
    expect(verdicts.filter((verdict) => verdict === 'pass').length).toBeGreaterThan(150)
    expect(verdicts.filter((verdict) => !['pass', 'observed', 'not-run'].includes(verdict))).toEqual([])
    expect(report.requests).toBeGreaterThan(1000)
    expect(stdout).toContain(`${report.requests.toLocaleString('en-US')} requests in `)

    const root = create(readFileSync(join(whole.folder, 'junit.xml'), 'utf8')).root()
    const attributes = root.toObject() as { testsuites: Readonly<Record<string, unknown>> }
    expect(attributes.testsuites).toMatchObject({
      '@tests': String(report.requirements.length),
      '@failures': '0',
      '@errors': '0',
    })
    const cases = root.filter((node) => node.node.nodeName === 'testcase', false, true)
    expect(cases).toHaveLength(report.requirements.length)
  })

  test('writes the page of that report, which tells how answers came over time and how to run the same again', () => {
    const report = readReport(whole.folder)
    expect(report.command).toMatch(/^node \S+main\.js certify --embedded --profile quick --seed 7$/)
    expect(report.configuration).toMatchObject({ binding: 'reference', concurrency: '16' })
    const { accepted = [], refused = [], limited = [], failed = [], lost = [] } = report.traffic ?? {}
    const ends = [accepted, refused, limited, failed, lost].flat()
    expect(ends.reduce((sum, count) => sum + count, 0)).toBe(report.requests)
    expect(report.slowest?.[0]?.ms).toBe(Math.max(...report.operations.map(({ maxMs }) => maxMs)))

    expect(whole.ended.stdout).toMatch(/^wrote .*report\.html$/m)
    const page = readFileSync(join(whole.folder, 'report.html'), 'utf8')
    expect(Buffer.byteLength(page)).toBeLessThan(2_000_000)
    const { requirements, counts, seed } = report
    expect(reportsIn(page)).toMatchObject([{ requirements, counts, seed }])
  })

  test('with --only runs the fitting cases alone, and says that this is a part', () => {
    const { code, stdout } = part.ended
    expect(code).toBe(0)
    const report = readReport(part.folder)
    expect(JSON.parse(stdout)).toEqual(report)
    expect(report).toMatchObject({ verdict: 'partial', only: ['NODE-TITLE-MAX'] })
    const [result] = report.requirements.filter(({ id }) => id === 'NODE-TITLE-MAX')
    expect(result).toMatchObject({ verdict: 'pass', evidence: { broken: 0 } })
    expect(result?.evidence.accepted).toBeGreaterThan(0)
    expect(result?.evidence.refused).toBeGreaterThan(0)
  })
})

/** Cases whose values are drawn by the seed. */
const FIELD_CASES = ['body', 'deploy_type', 'description', 'generation_id', 'title', 'user_config'].map(
  (field) => `update-source/${field}`,
)
const texts = (sent: readonly SentRequest[] | undefined): string[] => (sent ?? []).map(({ text }) => text)

describe('the seed of a run', () => {
  test('decides what is sent, case by case, however much goes on at once', async () => {
    expect(again.ended.code).toBe(0)
    const [first, second] = await Promise.all([sentIn(whole.folder), sentIn(again.folder)])
    expect(first.size).toBeGreaterThan(100)
    expect([...first.values()].flat().length).toBeGreaterThan(1000)
    expect([...second.keys()].sort()).toEqual([...first.keys()].sort())
    for (const [id, sent] of first) expect({ id, sent: texts(second.get(id)) }).toEqual({ id, sent: texts(sent) })
  })

  test('is the reason for what is sent: another one sends something else', async () => {
    const [first, sent] = await Promise.all([sentIn(whole.folder), sentIn(other.folder)])
    const fields = [...sent].filter(([id]) => FIELD_CASES.includes(id))
    const changed = fields.filter(([id, requests]) => texts(first.get(id)).join() !== texts(requests).join())
    expect(changed.map(([id]) => id).sort()).toEqual(FIELD_CASES)
  })

  test('tries one requirement alone with the very requests that the whole run tried it with', async () => {
    const [first, alone] = await Promise.all([sentIn(whole.folder), sentIn(part.folder)])
    const probes = (sent: readonly SentRequest[] | undefined): string[] =>
      (sent ?? []).filter(({ requirement }) => requirement === 'NODE-TITLE-MAX').map(({ text }) => withoutPlace(text))
    const cases = [...alone].filter(([, sent]) => probes(sent).length > 0)
    expect(cases.length).toBeGreaterThan(1)
    for (const [id, sent] of cases) expect({ id, sent: probes(sent) }).toEqual({ id, sent: probes(first.get(id)) })
    expect([...alone.values()].flat().length).toBeLessThan(500)
  })
})

/** Without what counts through a case: groups of requests, names, the ids and generations of what it made. */
function withoutPlace(text: string): string {
  return text
    .replaceAll(/"group":"[^"]*"/g, '"group"')
    .replaceAll(/<id \d+>/g, '<id>')
    .replaceAll(/(generation_id\W+)\d+/g, '$1')
    .replaceAll(/(<prefix>-\w+)-\d+/g, '$1')
}
