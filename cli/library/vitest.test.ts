import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Reference, startReference } from '../../reference/server.ts'
import type { Report } from '../../schemas/types/report.ts'
import { defineConformance } from './vitest.ts'

// What a user writes: a server of one's own is started, and the suites run against it in this very project.
const out = mkdtempSync(join(tmpdir(), 'assay-vitest-'))
let reference: Reference
let seen: Report | undefined

beforeAll(async () => {
  reference = await startReference()
})

afterAll(async () => {
  await reference.close()
  rmSync(out, { recursive: true, force: true })
})

await defineConformance({
  target: () => reference.url,
  config: () => ({ credentials: reference.credentials, resources: reference.resources }),
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
