import { expect, test } from 'vitest'
import { Progress, type ProgressState, progressLine } from './progress.ts'
import { widthOf } from './text.ts'

const state: ProgressState = { cases: 43, casesInAll: 112, requests: 5120, findings: 0 }

/** A clock and a timer that only go when told to. */
function start(isTty: boolean, columns = 80): { progress: Progress; written: string[]; pass(ms: number): void } {
  const written: string[] = []
  let time = 1000
  let timer: { ms: number; action: () => void } | undefined
  const progress = new Progress({
    stream: { write: (text) => written.push(text) },
    isTty,
    columns,
    now: () => time,
    every(ms, action) {
      timer = { ms, action }
      return () => {
        timer = undefined
      }
    },
  })
  return {
    progress,
    written,
    pass(ms) {
      for (let left = ms; left > 0; ) {
        const step = Math.min(left, timer?.ms ?? left)
        time += step
        left -= step
        timer?.action()
      }
    },
  }
}

test('the line tells cases, findings, requests and time', () => {
  expect(progressLine('proving', state, 3120)).toBe('proving  43/112 cases  0 findings  5,120 requests  3 s')
  expect(progressLine('replaying', { ...state, findings: 1 }, 0)).toContain('1 finding ')
})

test('where they are known: requirements in place of cases, what is tried now, and the time that is left', () => {
  const known = { ...state, requirements: { done: 131, all: 221 }, share: 0.25, trying: 'update-transform/title' }
  expect(progressLine('certifying', known, 60_000)).toBe(
    'certifying  131/221 requirements  0 findings  5,120 requests  1 min 0 s, about 3 min 0 s left  update-transform/title',
  )
})

test.each([
  ['has hardly begun', 0.01, 60_000],
  ['began just now', 0.5, 500],
  ['is over', 1, 60_000],
])('nothing is said of the time that is left where it %s', (_, share, ms) => {
  expect(progressLine('certifying', { ...state, share }, ms)).not.toContain('left')
})

test('on a terminal one line is rewritten, and gone at the end', () => {
  const { progress, written, pass } = start(true)
  progress.update({ ...state, cases: 0 })
  progress.update(state)
  pass(100)
  progress.done()
  expect(written).toEqual([
    '\r\u001b[2Kcertifying  0/112 cases  0 findings  5,120 requests  0 s',
    '\r\u001b[2Kcertifying  43/112 cases  0 findings  5,120 requests  0 s',
    '\r\u001b[2K',
  ])
})

test('many updates between two repaints write nothing', () => {
  const { progress, written } = start(true)
  for (let requests = 0; requests < 1000; requests += 1) progress.update({ ...state, requests })
  expect(written).toHaveLength(1)
})

test('nothing is said of a run that never began', () => {
  for (const isTty of [true, false]) {
    const { progress, written, pass } = start(isTty)
    pass(12_000)
    progress.done()
    expect(written.join('')).not.toContain('certifying')
  }
})

test('time goes on while nothing happens', () => {
  const { progress, written, pass } = start(true)
  progress.update(state)
  pass(2000)
  expect(written.at(-1)).toContain('2 s')
})

test('a line never reaches the edge of a narrow terminal', () => {
  for (let columns = 20; columns < 80; columns += 1) {
    const { progress, written, pass } = start(true, columns)
    progress.update({ ...state, trying: '漢字漢字漢字' })
    pass(100)
    const widths = written.map((text) => widthOf(text.replace('\r\u001b[2K', '')))
    expect(Math.max(...widths), `${columns}`).toBeLessThan(columns)
  }
})

test('a log gets a plain line every ten seconds and a last one', () => {
  const { progress, written, pass } = start(false)
  progress.update(state)
  pass(23_000)
  progress.done()
  expect(written).toEqual([10, 20, 23].map((s) => `certifying  43/112 cases  0 findings  5,120 requests  ${s} s\n`))
})

test('a note stands on a line of its own above the changing one', () => {
  const { progress, written } = start(true)
  progress.update(state)
  progress.note('rate lowered to 5 requests a second')
  expect(written.slice(1).join('')).toBe(
    '\r\u001b[2Krate lowered to 5 requests a second\n\r\u001b[2Kcertifying  43/112 cases  0 findings  5,120 requests  0 s',
  )
})

test('after the end the timer is silent', () => {
  const { progress, written, pass } = start(false)
  progress.update(state)
  progress.done()
  const before = written.length
  pass(60_000)
  expect(written).toHaveLength(before)
})

test('it ends once, however often it is told to', () => {
  const { progress, written, pass } = start(false)
  progress.update(state)
  progress.done()
  pass(1000)
  progress.done()
  expect(written).toHaveLength(1)
})
