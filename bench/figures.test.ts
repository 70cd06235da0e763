import { describe, expect, test } from 'vitest'
import {
  type Figure,
  figureLines,
  figureRows,
  losses,
  markdownTable,
  median,
  plainTable,
  readFigures,
} from './figures.ts'
import { fill } from './readme.ts'

const RATE: Figure = { part: 'replay', name: 'rate', value: 1234.5, unit: '/s', ratio: 0.5, of: 'of it', wanted: 0.6 }
const MEMORY: Figure = { part: 'replay', name: 'memory', value: 99.44, unit: 'MB', most: 100 }

describe('figures', () => {
  test('are read as they were written, whatever stands between them', () => {
    expect(readFigures(`slice 1\n${figureLines([RATE])}{"other":1}\n${figureLines([MEMORY])}`)).toEqual([RATE, MEMORY])
  })

  test('say in their rows what is wanted and whether it is reached', () => {
    expect(
      figureRows([RATE, MEMORY, { ...MEMORY, value: 101 }, { part: 'page', name: 'n', value: 1, unit: '' }]),
    ).toEqual([
      ['', 'measured', 'ratio', 'wanted', ''],
      ['rate', '1,235 /s', '0.50 of it', 'at least 0.60', 'missed'],
      ['memory', '99.4 MB', '', 'at most 100 MB', 'ok'],
      ['memory', '101 MB', '', 'at most 100 MB', 'missed'],
      ['n', '1', '', '', ''],
    ])
  })

  test('that have to be nothing on any machine are told where they are more', () => {
    const lost: Figure = { part: 'proxy', name: 'lost', value: 3, unit: '', most: 0 }
    expect(losses([RATE, { ...MEMORY, value: 101 }, lost, { ...lost, value: 0 }])).toEqual(['LOST proxy: lost: 3'])
  })

  test('stand in columns', () => {
    const rows = [
      ['', 'a', 'bcd'],
      ['row', '12', '3'],
    ]
    expect(plainTable(rows)).toBe('      a  bcd\nrow  12    3\n')
    expect(markdownTable(rows)).toBe('|  | a | bcd |\n| --- | ---: | ---: |\n| row | 12 | 3 |\n')
  })

  test('have a middle, of an even number too', () => {
    expect([median([3, 1, 2]), median([4, 1, 2, 3])]).toEqual([2, 2.5])
  })
})

describe('a page', () => {
  test('takes a text in the place that bears its name, in place of the old one', () => {
    const page = 'a\n<!-- x -->\nold\n<!-- /x -->\nb'
    expect(fill(page, new Map([['x', 'new\n']]))).toBe('a\n<!-- x -->\nnew\n<!-- /x -->\nb')
  })

  test('without such a place is no page of ours', () => {
    expect(() => fill('a', new Map([['x', 'new']]))).toThrow('the page has no place <!-- x --> … <!-- /x -->')
  })
})
