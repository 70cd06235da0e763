import { describe, expect, test } from 'vitest'
import { UsageError } from '../../engine/errors.ts'
import { filtered } from '../../engine/inform/ledger.ts'
import { widthOf } from '../../reports/text.ts'
import { ledger } from '../../schemas/ledger.ts'
import { fakeIo } from '../testing.ts'
import { runList } from './inform.ts'

const all = [...ledger().values()]

test('every entry of the ledger takes one line that fits', () => {
  for (const columns of [80, 120]) {
    const io = fakeIo({ columns })
    runList({}, io)
    const lines = io.out().trimEnd().split('\n')
    expect(lines).toHaveLength(all.length)
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(columns)
    expect(lines.find((line) => line.startsWith('NODE-TITLE-MAX '))).toMatch(/ stated +pipelines +`title`/)
  }
})

test('the count stands beside the list, not in it', () => {
  const io = fakeIo()
  runList({ operation: 'start-tap', level: 'stated' }, io)
  expect(io.err()).toBe(
    `${io.out().trimEnd().split('\n').length} requirements; \`assay explain <id>\` tells all about one\n`,
  )
})

test('JSON holds whole entries', () => {
  const io = fakeIo()
  runList({ level: 'declared', json: true }, io)
  const entries: unknown = JSON.parse(io.out())
  expect(entries).toEqual(all.filter(({ level }) => level === 'declared'))
  expect(io.err()).toBe('')
})

describe('filters', () => {
  test('several words of one filter widen it, several filters narrow', () => {
    const both = filtered(all, { level: 'implied,declared', category: 'pipelines' })
    expect(both.length).toBeGreaterThan(0)
    expect(new Set(both.map(({ level }) => level))).toEqual(new Set(['implied', 'declared']))
    expect(new Set(both.map(({ category }) => category))).toEqual(new Set(['pipelines']))
    expect(filtered(all, { feature: 'screen-removal' }).every(({ feature }) => feature === 'screen-removal')).toBe(true)
  })

  test.each<[object, string]>([
    [{ level: 'statd' }, '--level: there is no level "statd"; did you mean stated?'],
    [{ category: 'pipelines,x-y' }, '--category: there is no category "x-y"; known are archiving, authentication, '],
    [{ operation: 'start-tab' }, '--operation: there is no operation "start-tab"; did you mean start-tap?'],
    [{ feature: '' }, '--feature: there is no feature ""'],
  ])('%j', (options, expected) => {
    expect(() => filtered(all, options)).toThrow(UsageError)
    expect(() => filtered(all, options)).toThrow(expected)
  })
})

test('colours only on a terminal', () => {
  const shown = (isTty: boolean, env = {}): string => {
    const io = fakeIo({ isTty, env })
    runList({ level: 'declared' }, io)
    return io.out()
  }
  expect(shown(true)).toContain('\u001b[1m')
  expect(shown(true, { NO_COLOR: '1' })).not.toContain('\u001b')
  expect(shown(false)).not.toContain('\u001b')
})
