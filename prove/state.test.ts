import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { brokenOff, type Job, keyOf } from './job.ts'
import { openState } from './state.ts'

const job: Job = { kind: 'mutant', name: 'v3-open', seed: 1, profile: 'quick' }
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-prove-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the state of a proof', () => {
  test('is known to the next run, and forgotten on demand', () => {
    openState(folder, false).add(brokenOff(job, 'a test'))
    expect([...openState(folder, false).known.keys()]).toEqual([keyOf(job)])
    expect(openState(folder, true).known.size).toBe(0)
    expect(openState(folder, false).known.size).toBe(0)
  })

  test('of another suite is not used', () => {
    const state = openState(folder, false)
    state.add(brokenOff(job, 'a test'))
    const path = join(folder, 'prove-state.ndjson')
    writeFileSync(path, readFileSync(path, 'utf8').replace(/"suite":"[0-9a-f]{4}/, '"suite":"0000'))
    expect(openState(folder, false).known.size).toBe(0)
  })

  test('a last line that was cut off is left out, and the next one stands by itself', () => {
    const state = openState(folder, false)
    state.add(brokenOff(job, 'a test'))
    appendFileSync(join(folder, 'prove-state.ndjson'), '{"job":{"kind":"mut')
    const other = { ...job, name: 'v1-open' }
    openState(folder, false).add(brokenOff(other, 'a test'))
    expect([...openState(folder, false).known.keys()]).toEqual([keyOf(job), keyOf(other)])
  })
})
