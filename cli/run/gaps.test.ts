// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of our own are written so
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { UsageError } from '../../engine/errors.ts'
import type { GapState } from '../../engine/inform/ledger.ts'
import { ownFolder } from '../../fixtures/testing/folder.ts'
import { widthOf } from '../../reports/text.ts'
import { isGap, ledger } from '../../schemas/ledger.ts'
import { fakeIo } from '../testing.ts'
import { type GapsWords, runGaps } from './inform.ts'

const folder = ownFolder()

async function json(options: GapsWords, env = {}): Promise<{ binding: string; gaps: GapState[] }> {
  const io = fakeIo({ cwd: folder, env })
  await runGaps({ ...options, json: true }, io)
  return JSON.parse(io.out()) as { binding: string; gaps: GapState[] }
}

const gap = (gaps: readonly GapState[], id: string): GapState | undefined => gaps.find((one) => one.id === id)
const count = [...ledger().values()].filter(isGap).length

test('without a binding every gap is unanswered', async () => {
  const { binding, gaps } = await json({})
  expect(binding).toBe('')
  expect(gaps).toHaveLength(count)
  expect(gaps.every(({ answered, from }) => !answered && from === '')).toBe(true)
})

test('an answer names its value, the binding that it came from, and who waits for it', async () => {
  const { gaps } = await json({ binding: 'reference' })
  expect(gap(gaps, 'GAP-TRANSFORM-KIND-FIELD')).toMatchObject({ answered: true, answer: 'type', from: 'default' })
  expect(gap(gaps, 'GAP-TAP-ANSWER')).toMatchObject({ answered: true, from: 'reference' })
  expect(gap(gaps, 'GAP-TAP-ANSWER')?.neededBy).toContain('TAP-LIMIT')
})

test('operations answer a gap that takes no value', async () => {
  const { gaps } = await json({ binding: 'default' })
  const pipelines = gap(gaps, 'GAP-PATHS-PIPELINES')
  expect(pipelines).toMatchObject({ answered: true, form: null, from: 'default' })
  expect(pipelines?.operations).toContain('create-pipeline')
})

test('an operation that a target does not have answers nothing', async () => {
  const operations = { 'create-pipeline': { offered: false } }
  writeFileSync(join(folder, 'b.json'), JSON.stringify({ formatVersion: 1, name: 'b', extends: 'default', operations }))
  const { gaps } = await json({ binding: './b.json' })
  expect(gap(gaps, 'GAP-PATHS-PIPELINES')?.operations).not.toContain('create-pipeline')
})

test('the configuration names the binding, relative to itself; its secrets need not be set', async () => {
  writeFileSync(
    join(folder, 'mine.json'),
    JSON.stringify({ formatVersion: 1, name: 'mine', answers: { 'GAP-USAGE-DAY-ZONE': 'UTC' } }),
  )
  const config = { baseUrl: 'http://a', credentials: { accessToken: '${env:NOT_SET}' }, binding: './${env:WHICH}.json' }
  writeFileSync(join(folder, 'assay.config.json'), JSON.stringify(config))
  const { binding, gaps } = await json({}, { WHICH: 'mine' })
  expect(binding).toBe('mine')
  expect(gap(gaps, 'GAP-USAGE-DAY-ZONE')).toMatchObject({ answer: 'UTC', from: 'mine' })
  expect((await json({ binding: 'default' })).binding).toBe('default')
  await expect(json({})).rejects.toThrow('assay.config.json#/binding: the environment variable WHICH is not set')
})

test.each<[GapsWords, string]>([
  [{ binding: 'defalt' }, 'there is no binding "defalt"; did you mean default?'],
  [{ config: 'none.json' }, 'none.json: no such file'],
])('%j', async (options, expected) => {
  await expect(json(options)).rejects.toThrow(UsageError)
  await expect(json(options)).rejects.toThrow(expected)
})

test('a binding that is no name is told', async () => {
  writeFileSync(join(folder, 'assay.config.json'), '{"binding": 5}')
  await expect(json({})).rejects.toThrow('assay.config.json#/binding: must be a string')
})

test('the page marks what is unanswered and says what would answer it', async () => {
  const io = fakeIo({ cwd: folder })
  await runGaps({ binding: 'default' }, io)
  expect(io.out()).toMatch(/^GAP-TAP-ANSWER {2}unanswered\n(?: {2}.*\n)* {2}takes {5}an object with events/m)
  expect(io.out()).toMatch(
    /^GAP-TRANSFORM-KIND-FIELD {2}answered\n(?: {2}.*\n)* {2}answer {4}"type"\n {2}from {6}binding default/m,
  )
  expect(io.out()).toMatch(
    new RegExp(
      `${count} gaps under binding default: \\d+ answered, \\d+ wait for an answer, \\d+ cannot be\\s+answered\\n$`,
    ),
  )
  expect(Math.max(...io.out().split('\n').map(widthOf))).toBeLessThanOrEqual(80)
})

test('only the unanswered ones, where that is asked for', async () => {
  const { gaps } = await json({ binding: 'reference', unanswered: true })
  expect(gaps.length).toBeGreaterThan(0)
  expect(gaps.every(({ answered }) => !answered)).toBe(true)
})

test('what can be answered stands first, by the requirements that wait for it; an answered gap unlocks nothing', async () => {
  const { gaps } = await json({ binding: 'default' })
  const ranks = gaps.map(({ answered, answerable }) => (answered ? 'answered' : answerable ? 'open' : 'never'))
  expect([...new Set(ranks)]).toEqual(['open', 'answered', 'never'])
  expect(ranks.join(' ')).toMatch(/^(open )+(answered )+(never ?)+$/)
  const waiting = gaps.filter((_, index) => ranks[index] === 'open').map(({ neededBy }) => neededBy.length)
  expect(waiting).toEqual([...waiting].sort((a, b) => b - a))
  const io = fakeIo({ cwd: folder })
  await runGaps({ binding: 'reference' }, io)
  expect(io.out()).not.toContain('waiting')
  const entries = io.out().split('\n\n')
  expect(entries.filter((entry) => /^GAP-\S+ {2}answered/.test(entry) && entry.includes('unlocks'))).toEqual([])
  expect(
    entries.filter((entry) => /^GAP-\S+ {2}answered/.test(entry) && entry.includes('used by')).length,
  ).toBeGreaterThan(3)
})

test('every gap that takes no value and no operation is one that requirements do not wait for', async () => {
  const { gaps } = await json({})
  expect(gaps.filter(({ answerable, neededBy }) => !answerable && neededBy.length > 0).map(({ id }) => id)).toEqual([])
})
