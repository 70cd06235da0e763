// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of our own are written so
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { lastingFolder } from '../fixtures/testing/folder.ts'
import { type Reference, startReference } from '../reference/server.ts'
import type { Report } from '../schemas/types/report.ts'
import { defineConformance } from './vitest.ts'

// What a user writes: a server of one's own is started, and the suites run against it in this very project.
const out = lastingFolder()
let reference: Reference
let seen: Report | undefined

beforeAll(async () => {
  reference = await startReference()
  vi.stubEnv('ASSAY_TEST_TOKEN', reference.credentials.accessToken)
})

afterAll(async () => {
  vi.unstubAllEnvs()
  await reference.close()
})

await defineConformance({
  target: () => reference.url,
  config: () => ({
    credentials: { ...reference.credentials, accessToken: '${env:ASSAY_TEST_TOKEN}' },
    resources: reference.resources,
    concurrency: 3,
    timeout: 20_000,
    strict: true,
  }),
  binding: 'reference',
  only: ['SCREEN-DELETE-REMOVES', 'NODE-TITLE-MAX'],
  seed: 1,
  // Only a part is run, which is no full conformance.
  allowPartial: true,
  out,
  onReport: (report) => {
    seen = report
  },
})

test('the report is written, and says what was tested', () => {
  expect(existsSync(join(out, 'report.json'))).toBe(true)
  const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as Report
  expect(report.verdict).toBe(seen?.verdict)
  expect(report.requests).toBeGreaterThan(10)
  const tested = report.requirements.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id)
  expect(tested).toContain('SCREEN-DELETE-REMOVES')
  expect(tested).toContain('NODE-TITLE-MAX')
})

test('all of the configuration is in force, as that of a file', () => {
  expect(seen?.configuration).toMatchObject({ concurrency: '3', timeout: '20000' })
  expect(seen?.strict).toBe(true)
})

test.each([
  [{ timeout: -1 }, /timeout/],
  [{ credentials: { accessToken: '${env:ASSAY_NOT_THERE}' } }, /ASSAY_NOT_THERE is not set/],
])('a configuration that cannot be used is refused at once: %o', async (config, what) => {
  const wrong = defineConformance({ target: 'http://127.0.0.1:9', config, out })
  await expect(wrong).rejects.toMatchObject({ exitCode: 2, message: expect.stringMatching(what) })
})
