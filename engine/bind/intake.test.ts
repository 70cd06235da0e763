import { expect, test } from 'vitest'
import { type Intake, refineIntake, sampleLine, searchIntake } from './intake.ts'
import type { Fields } from './places.ts'
import { hit, type Search } from './search.ts'
import { answerOf, NOTHING, probeOf } from './testing/probe.ts'

const NOW = 1_790_000_000_789
const probing = (...given: Parameters<typeof probeOf>): Search => ({ ...probeOf(...given).probe, now: NOW })
const LINE = sampleLine(probing(() => NOTHING, {}))
const INTAKE: Intake = {
  path: '/v1/logs',
  headers: {},
  body: { lines: '{{lines}}' },
  fields: { line: 'text', time: 'time', level: 'level' },
  isIso: false,
}
const { line: text, time, level: severity, ...more } = LINE
/** as an export shows it whose names are those that were sent */
const ROW: Fields = { ...more, text, time, level: severity }

test.each([
  ['nothing is sent where all values come out', ROW, ROW, undefined],
  [
    'whole seconds and other letters are the same values',
    { ...more, text, ts: 1_790_000_000, severity: 'ERROR' },
    ROW,
    undefined,
  ],
  ['another name is kept that shows more', { text, time: NOW, severity: '' }, { severity: 'error' }, 'severity'],
  ['another name that shows no more is not', { text, time: NOW, severity: '' }, { severity: '' }, 'level'],
  ['and so is one with which nothing comes out', { text, time: NOW, severity: '' }, undefined, 'level'],
])('a line under other names: %s', async (_, first, second, level) => {
  let sent = 0
  const probe = probing(() => [200, { count: sent++ }], { modify: true })
  const show = (row: Fields): void =>
    hit(probe, 'export-v2', { method: 'GET', path: '/v2/export' }, answerOf([200, { lines: [row] }]))
  show(first)
  const intake = { fields: INTAKE.fields, line: LINE }
  hit(probe, 'ingest-lines', { method: 'POST', path: INTAKE.path }, answerOf([200, {}]), intake)
  const refined = await refineIntake(probe, INTAKE, async (line) => {
    if (second) show({ ...first, ...second, text: line.line })
  })
  expect(sent).toBe(level === undefined ? 0 : 1)
  expect(refined.fields.level).toBe(level ?? 'level')
  expect(probe.hits.get('ingest-lines')?.fields).toEqual(refined.fields)
})

test.each<[string, Readonly<Record<string, string>>]>([
  ['/intake/batch', { 'x-intake-key': 'Key {{ingestionKey}}' }],
  ['/v1/ingest', { authorization: 'Token {{ingestionKey}}' }],
  ['/logs/ingest', { 'api-key': '{{ingestionKey}}' }],
])('the key of %s is found in %o', async (door, opener) => {
  const probe = probing(
    ({ path, headers }) => {
      if (path.split('?')[0] !== door) return NOTHING
      return JSON.stringify(headers) === JSON.stringify(opener) ? [202, {}] : [401, { error: 'who are you?' }]
    },
    { modify: true },
  )
  expect(await searchIntake(probe, 'key')).toMatchObject({ path: door, headers: opener })
})
