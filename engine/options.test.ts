import { describe, expect, test } from 'vitest'
import { LONGEST_TIMER_MS, numberOption, shardOption } from './options.ts'

describe('the number of an option', () => {
  test.each([
    ['0', { least: 0 }, 0],
    [' 7 ', { least: 0 }, 7],
    ['1e3', { least: 1 }, 1000],
    ['0.5', { least: 0.001, whole: false }, 0.5],
    ['2147483647', { least: 1, most: LONGEST_TIMER_MS }, LONGEST_TIMER_MS],
  ])('%j within %j', (text, bounds, number) => expect(numberOption('--n', text, bounds)).toBe(number))

  test.each([
    ['1.5', { least: 0 }, '"1.5" is not a whole number of at least 0', ''],
    ['', { least: 0 }, '"" is not a whole number of at least 0', ''],
    ['ten', { least: 1 }, '"ten" is not a whole number of at least 1', ''],
    ['Infinity', { least: 1 }, '"Infinity" is not a whole number of at least 1', ''],
    ['0', { least: 0.001, whole: false }, '"0" is not a number of at least 0.001', ''],
    ['9007199254740993', { least: 0 }, '"9007199254740993" is too much', '9007199254740991 is the most'],
    ['2147483648', { least: 1, most: LONGEST_TIMER_MS }, '"2147483648" is too much', '2147483647 is the most'],
  ])('%j outside %j: %s', (text, bounds, what, hint) =>
    expect(numberOption('--n', text, bounds)).toEqual({ where: '--n', what, hint }),
  )
})

describe('the words for a shard', () => {
  test('are two numbers with a slash between them', () => {
    expect(shardOption('2/8')).toEqual({ index: 2, of: 8 })
    expect(shardOption(' 1/1 ')).toEqual({ index: 1, of: 1 })
    expect(shardOption('256/256')).toEqual({ index: 256, of: 256 })
  })
  test('are refused where they make no sense', () => {
    for (const text of ['', '0/4', '5/4', '1', '1/0', '-1/4', '1/4/2', 'a/b', '1.5/2', '1/257']) {
      expect(shardOption(text), text).toMatchObject({ where: '--shard' })
    }
  })
})
