import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { writeReports } from '../../reports/formats/write.ts'
import { aReport } from '../../reports/testing.ts'
import { MAIN } from '../testing/program.ts'
import { test, type World } from '../testing/world.ts'

const ACTION = join(dirname(MAIN), 'action', 'github-action.js')

/** What an earlier run left, beside what somebody else did. */
async function earlier(world: World): Promise<string[]> {
  world.write('out/notes.txt', 'mine')
  await writeReports(aReport(), join(world.folder, 'out'), ['markdown'])
  return readdirSync(join(world.folder, 'out')).sort()
}

/** An address at which nothing listens. */
async function nobody(world: World): Promise<string> {
  const { createServer } = await import('node:http')
  const server = createServer()
  const port = await world.listen(server)
  await new Promise((done) => server.close(done))
  return `http://127.0.0.1:${port}`
}

test.concurrent.for([
  ['no target', '', 3],
  ['a wrong configuration', 'missing.json', 2],
] as const)('the action tells nothing of an earlier run: %s', async ([, config, code], { world }) => {
  const before = await earlier(world)
  const env = {
    GITHUB_ACTIONS: 'true',
    GITHUB_OUTPUT: world.write('outputs', ''),
    GITHUB_STEP_SUMMARY: world.write('summary', ''),
    ASSAY_INPUT_URL: await nobody(world),
    ASSAY_INPUT_CONFIG: config,
    ASSAY_INPUT_YES_MODIFY_TARGET: 'true',
    ASSAY_INPUT_OUT: 'out',
  }
  const ended = await world.assay([], { program: ACTION, env })
  expect(ended.code).toBe(code)
  expect(readFileSync(env.GITHUB_OUTPUT, 'utf8')).toBe(`verdict=\nexit-code=${code}\nreport=\n`)
  expect(readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8')).toBe('')
  expect(readdirSync(join(world.folder, 'out')).sort()).toEqual(code === 2 ? before : ['notes.txt'])
})

test.concurrent('the action reads a report that is named by its file, and tells what came of it', async ({ world }) => {
  await writeReports(aReport(), join(world.folder, 'shard'))
  const env = {
    GITHUB_OUTPUT: world.write('outputs', ''),
    ASSAY_INPUT_MERGE: 'shard/report.json',
    ASSAY_INPUT_OUT: 'out',
  }
  const ended = await world.assay([], { program: ACTION, env })
  // It was written for the sake of tests, without what its verdicts follow from.
  expect(ended.stderr).toMatch(/^error: report: does not say what its verdicts follow from/)
  expect(readFileSync(env.GITHUB_OUTPUT, 'utf8')).toBe('verdict=\nexit-code=2\nreport=\n')
})
