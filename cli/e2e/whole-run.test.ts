import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { create } from 'xmlbuilder2'
import { faultOverlay } from '../../reference/faults/index.ts'
import { startReference } from '../../reference/server.ts'
import { reportsIn } from '../../reports/page/model/data.ts'
import { ledger } from '../../schemas/ledger.ts'
import type { Ended } from '../testing/program.ts'
import { configOf, createWorld } from '../testing/world.ts'
import { readReport, undecided } from './testing/expectations.ts'
import { type SentRequest, sentIn } from './testing/sent.ts'

/** A run of the embedded target that has ended. */
interface Run {
  readonly ended: Ended
  readonly folder: string
}

const { world, close } = createWorld('whole-run')

const RUN = ['certify', '--embedded', '--profile', 'quick', '--late-look', '100']

/** Counts how often a run, and not the target that it starts, opens its evidence to read it alone. */
const COUNT_READS =
  'data:text/javascript,import fs from"node:fs";import{syncBuiltinESMExports}from"node:module";const{openSync}=fs;let count=0;fs.openSync=(...all)=>{if(/exchanges-.*ndjson$/.test(all[0])&&typeof all[1]==="number"&&(all[1]&3)===0)count+=1;return openSync(...all)};syncBuiltinESMExports();if(process.argv[2]==="certify")process.on("exit",()=>fs.writeFileSync(process.env.READS_FILE,String(count)))'

async function certify(out: string, ...args: readonly string[]): Promise<Run> {
  const ended = await world.assay([...RUN, '--out', out, ...args], {
    node: ['--import', COUNT_READS],
    env: { READS_FILE: join(world.folder, `${out}-reads`) },
    longest: 200_000,
  })
  return { ended, folder: join(world.folder, out) }
}

/** Everything; a sixth of it again, with less at a time; one operation with another seed; one requirement alone. */
let whole: Run
let again: Run
let other: Run
let part: Run

beforeAll(async () => {
  whole = await certify('whole', '--seed', '7', '--bundle', 'whole.tgz')
  const rest = [
    certify('again', '--seed', '7', '--concurrency', '3', '--shard', '2/6', '--allow-partial'),
    certify('other', '--seed', '8', '--only', 'update-source').then(async (run) => ({
      run,
      next: await certify('part', '--seed', '7', '--only', 'NODE-TITLE-MAX', '--json'),
    })),
  ] as const
  again = await rest[0]
  ;({ run: other, next: part } = await rest[1])
}, 400_000)
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
    expect([...undecided(report)]).toEqual([])
    const verdicts = report.requirements.map(({ verdict }) => verdict)
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
    expect(report.command).toMatch(/^node \S+main\.js certify --embedded --profile quick --late-look 100 --seed 7$/)
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

describe('the verdicts of a run', () => {
  const verified = async (bundle: string): Promise<object> => {
    const { code, stdout } = await world.assay(['verify', bundle, '--json'])
    return { code, ...(JSON.parse(stdout) as object) }
  }

  test('come without reading the evidence, and are those that it gives when it is judged once more', async () => {
    expect(readFileSync(join(world.folder, 'again-reads'), 'utf8')).toBe('0')
    expect(await verified('whole.tgz')).toMatchObject({ code: 0, verified: true, verdict: 'conformant' })
  })

  test('are so with findings as well, among things of others whose values are hidden', async () => {
    const faulty = await startReference({ overlays: [faultOverlay('create-preset-alert/body-object')] })
    const consent = { modifyTarget: true, allowOwnerDeletion: true, exclusions: true, suspend: true, archiving: true }
    world.write('faulty.json', configOf(faulty, { consent }))
    const only = ['create-preset-alert', 'list-members', 'list-keys', 'list-enterprise-keys']
    const run = ['--profile', 'quick', '--walks', '0', '--seed', '3', '--only', ...only]
    const bundle = ['--out', 'faulty', '--bundle', 'faulty.tgz']
    const { code } = await world.assay(['certify', '--config', 'faulty.json', ...bundle, ...run])
    await faulty.close()
    expect(code).toBe(1)
    expect(await verified('faulty.tgz')).toMatchObject({ code: 0, verified: true, verdict: 'non-conformant' })
  })
})

/** Cases whose values are drawn by the seed. */
const FIELD_CASES = ['update-source/body', 'update-source/title']
const texts = (sent: readonly SentRequest[] | undefined): string[] => (sent ?? []).map(({ text }) => text)

describe('the seed of a run', () => {
  test('decides what is sent, case by case, however much goes on at once', async () => {
    expect(again.ended.code).toBe(0)
    const [first, second] = await Promise.all([sentIn(whole.folder), sentIn(again.folder)])
    expect(first.size).toBeGreaterThan(100)
    expect([...first.values()].flat().length).toBeGreaterThan(1000)
    expect(second.size).toBeGreaterThan(30)
    for (const [id, sent] of second) expect({ id, sent: texts(sent) }).toEqual({ id, sent: texts(first.get(id)) })
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
