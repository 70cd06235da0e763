import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { MAIN } from '../../testing/program.ts'
import { configOf, test } from '../../testing/world.ts'
import { account } from '../testing/account.ts'
import { errorLines, readReport } from '../testing/expectations.ts'

/** Runs the program where no file can be longer than some hundred kilobytes. */
const WITHIN_LIMIT = `
import { spawnSync } from 'node:child_process'
const words = ['-c', 'ulimit -f 800; exec "$0" "$@"', process.execPath, ${JSON.stringify(MAIN)}, ...process.argv.slice(2)]
process.exitCode = spawnSync('sh', words, { stdio: 'inherit' }).status
`

test.concurrent('evidence that can no longer be written stops the run, which removes what it made', async ({
  world,
}) => {
  const served = await world.serve()
  const before = await account(served)
  world.write('assay.config.json', configOf(served))
  const program = world.write('limited.mjs', WITHIN_LIMIT)
  const args = ['certify', '--profile', 'quick', '--only', 'update-transform', '--record', 'recording']
  const ended = await world.assay(args, { program })
  expect(ended.code).toBe(5)
  const fault = `${join(world.folder, 'recording')}: the file is larger than files may be`
  expect(errorLines(ended)[0]).toContain(fault)
  expect(ended.stderr).not.toContain('not everything was removed')
  expect(await account(served)).toEqual(before)
  const out = join(world.folder, 'assay-report')
  expect(readdirSync(out).filter((name) => name.startsWith('journal'))).toEqual([])
  const { verdict, reason, problems, requests } = readReport(out)
  expect({ verdict, reason }).toEqual({ verdict: 'invalid', reason: problems?.[0] })
  const [, sent] = /^(?:.*): .*; the run was stopped after (\d+) requests$/.exec(reason) ?? []
  expect(Number(sent)).toBeGreaterThanOrEqual(requests)
  expect(requests).toBeGreaterThan(10)
})

test.concurrent.for<[string, (folder: string) => void]>([
  ['removed', (folder) => rmSync(folder, { recursive: true })],
  ['moved', (folder) => renameSync(folder, `${folder}-moved`)],
  ['replaced by a file', (folder) => writeFileSync(renamed(folder), '')],
  ['without its evidence', (folder) => rmSync(join(folder, 'evidence'), { recursive: true })],
  ['without its journal', (folder) => rmSync(join(folder, journalIn(folder)))],
])(
  'a folder that is %s during the run stops it, which removes what it made and says why',
  async ([, act], { world, expect }) => {
    const served = await world.serve()
    const before = await account(served)
    world.write('assay.config.json', configOf(served))
    const running = world.start(['certify', '--profile', 'quick', '--only', 'pipelines'])
    const out = join(world.folder, 'assay-report')
    const isWritten = (): boolean =>
      existsSync(join(out, 'evidence')) && readdirSync(join(out, 'evidence')).length === 2
    await expect.poll(isWritten, { timeout: 50_000 }).toBe(true)
    await new Promise((done) => setTimeout(done, 500))
    act(out)
    const ended = await running.ended
    expect(ended.code).toBe(5)
    expect(errorLines(ended)[0]).toMatch(/assay-report.*: was moved or removed meanwhile$/)
    expect(ended.stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /was moved or removed meanwhile; the run was stopped after \d+ requests/,
    )
    expect(ended.stdout).toMatch(/^invalid: /m)
    expect(await account(served)).toEqual(before)
  },
)

const journalIn = (folder: string): string => readdirSync(folder).find((name) => name.startsWith('journal-')) ?? ''

function renamed(folder: string): string {
  renameSync(folder, `${folder}-moved`)
  return folder
}

test.concurrent('a verdict whose report cannot be written is said all the same; nothing of the journal stays', async ({
  world,
}) => {
  world.write('out/report.json/in-its-place', '')
  const ended = await world.assay('certify --embedded --only screen-removal --profile quick --out out'.split(' '))
  expect(ended.code).toBe(5)
  expect(ended.stdout).toMatch(
    /passed: embedded reference: \d+ of the \d+ selected\s+requirements|passed: embedded reference: the \d+ selected\s+requirements/,
  )
  expect(ended.stdout).not.toContain('wrote')
  expect(errorLines(ended)).toEqual([
    expect.stringMatching(/out\/report\.json: a folder stands where the file is to be written; .*--out/),
  ])
  expect(readdirSync(join(world.folder, 'out')).sort()).toEqual(['evidence', 'report.json'])
})
