import { describe, expect, test } from 'vitest'
import type { RecordSummary } from '../../engine/record/record.ts'
import { createFoundLines, exitCodeFor, renderSummary, showStatus, statusLine, summaryData } from './record.ts'

const COUNTS = {
  exchanges: 1_234,
  known: 1_234,
  judged: 1_200,
  failures: 0,
  warnings: 0,
  open: 0,
  doubted: 0,
  cut: 0,
  unfollowed: 0,
  whole: 0,
  incomplete: 0,
}
const RECORDING = { exchanges: 1_234, lost: 0, bytes: 9_999, segments: ['a'], problems: [] }
const QUEUE = { taken: 1_234, dropped: 0, cut: 0, unfollowed: 0, waiting: 0 }
const SUMMARY: RecordSummary = {
  target: 'http://t.example.com',
  binding: 'default',
  keep: 'named',
  folder: 'rec',
  startedAt: '',
  endedAt: '',
  recorded: { counts: COUNTS, findings: [], unjudged: [], recording: RECORDING },
  queue: QUEUE,
  refused: {},
  local: { unsent: 0, turnedAway: 0 },
  guard: undefined,
  problems: [],
}
test('connections that this machine could not take are counted apart from errors of the target', () => {
  expect(renderSummary(SUMMARY)).not.toContain('no room')
  const short = { ...SUMMARY, local: { unsent: 1, turnedAway: 1_200 }, problems: ['no room'] }
  expect(renderSummary(short)).toMatch(/no room +1 request not sent on, 1,200 connections not taken: no fault of the/)
  expect(summaryData(short)).toMatchObject({ local: { unsent: 1, turnedAway: 1_200 }, exitCode: 5 })
})

const example = {
  requirement: 'KEY-NAME-MAX',
  level: 'stated',
  failure: true,
  operation: 'o',
  message: 'too\u001b[31mlong',
  expected: '',
  actual: '',
  pointer: '',
  exchanges: ['a', 'b'],
}
const finding = { requirement: 'KEY-NAME-MAX', level: 'stated', failure: true, count: 7, example }

test('a finding is told when it comes, in one line, and of very many no more than the first', () => {
  const lines = createFoundLines()
  const [first, ...others] = Array.from({ length: 40 }, () => lines(example)).flat()
  expect(first).toMatch(/^failure KEY-NAME-MAX \(stated\): too\S*long, b$/)
  expect(first).not.toContain('\u001b')
  expect(others).toHaveLength(20)
  expect(others.at(-1)).toBe('more requirements are broken; the summary at the end has them all')
})

describe('the exit code of a recording', () => {
  test('is 0 where nothing is broken and nothing was lost', () => expect(exitCodeFor(SUMMARY)).toBe(0))

  test('is 1 where a requirement was broken, whatever was lost', () => {
    const recorded = { ...SUMMARY.recorded, counts: { ...COUNTS, failures: 7 }, findings: [finding] }
    expect(exitCodeFor({ ...SUMMARY, recorded, queue: { ...QUEUE, dropped: 1 } })).toBe(1)
  })

  test('is 5 where nothing could be judged: a green sentence needs at least one judged exchange', () => {
    const unknown = { ...SUMMARY, recorded: { ...SUMMARY.recorded, counts: { ...COUNTS, known: 0, judged: 0 } } }
    expect(exitCodeFor(unknown)).toBe(5)
    const conclusion = 'Nothing could be judged: no operation of 1,234 requests is known; give --binding.'
    expect(renderSummary(unknown)).toContain(conclusion)
    expect(summaryData(unknown)).toMatchObject({ exitCode: 5, conclusion, counts: { known: 0, judged: 0 } })
  })

  test('is 5 where evidence was lost by our own fault', () => {
    const recording = (more: object): RecordSummary => ({
      ...SUMMARY,
      recorded: { ...SUMMARY.recorded, recording: { ...RECORDING, ...more } },
    })
    expect(exitCodeFor({ ...SUMMARY, queue: { ...QUEUE, dropped: 1 } })).toBe(5)
    expect(exitCodeFor(recording({ lost: 1 }))).toBe(5)
    expect(exitCodeFor({ ...SUMMARY, problems: ['the disk is full'] })).toBe(5)
  })
})

describe('the summary', () => {
  test('says what was dropped, cut, refused and not forwarded, also where it is nothing', () => {
    const text = renderSummary(SUMMARY)
    expect(text).toMatch(/exchanges +1,234, all of them whole/)
    expect(text).toMatch(/dropped +0\n/)
    expect(text).toMatch(/bodies cut +0\n/)
    expect(text).toMatch(/not forwarded +0 requests/)
    expect(text).toMatch(/judged +1,200, by the binding default/)
    expect(text).toContain('Nothing that passed breaks the specification; 1,200 of 1,234 exchanges were judged.')
  })

  test('says what went wrong, and lets no text of a target act on the terminal', () => {
    const text = renderSummary({
      ...SUMMARY,
      recorded: {
        counts: { ...COUNTS, failures: 7, cut: 3, unfollowed: 1, incomplete: 2 },
        unjudged: [{ reason: 'path not in the binding', count: 25, examples: ['GET /health'] }],
        findings: [finding],
        recording: { ...RECORDING, lost: 9 },
      },
      queue: { ...QUEUE, dropped: 5, cut: 2 },
      refused: { 'it has no Host\u001b[2J': 1, 'this proxy opens no tunnels': 2 },
      guard: { refusedRequests: 1, refusedAnswers: 2, unjudged: 3 },
    })
    expect(text).toMatch(/exchanges +1,234, 2 without a complete response/)
    expect(text).toMatch(/not judged +25: path not in the binding: GET \/health, …/)
    expect(text).toMatch(/dropped +5 \(the recorder could not keep up\)/)
    expect(text).toMatch(/bodies cut +3, 2 of them since the recorder was behind, 1 without a hash/)
    expect(text).toMatch(
      /not forwarded +1 request: it has no Host.*\n +not forwarded +2 requests: this proxy opens no tunnels\n/,
    )
    expect(text).toMatch(/guard +1 request and 2 responses refused, 3 bodies too long or too deep to judge/)
    expect(text).toMatch(/not written +4 exchanges/)
    expect(text).toMatch(/failure KEY-NAME-MAX \(stated\) 7×: too.*long, b/)
    expect(text).not.toContain('\u001b')
  })

  test('names the request of each finding, what was expected and what came, and the next command', () => {
    const shown = { ...example, expected: '"new"', actual: '"old\u001b[2J"', request: { method: 'GET', path: '/v1/k' } }
    const recorded = { ...SUMMARY.recorded, findings: [{ ...finding, example: shown }] }
    const text = renderSummary({ ...SUMMARY, folder: '/tmp/my rec', recorded }, 'npx assay')
    expect(text).toMatch(/ request {3}GET \/v1\/k\n +expected {2}"new"\n +actual +"old.*2J"\n/)
    expect(text).toMatch(/\nnext: npx assay check '\/tmp\/my rec'\n$/)
    expect(text).not.toContain('\u001b')
    expect(renderSummary(SUMMARY)).not.toContain('next:')
  })

  test('as data it has the exit code', () => {
    expect(summaryData(SUMMARY)).toMatchObject({ _version: 1, binding: 'default', counts: COUNTS, exitCode: 0 })
  })
})

describe('the line of the terminal', () => {
  test('counts, with one and many told apart', () => {
    const state = { exchanges: 1, failures: 1, warnings: 2, open: 0, dropped: 0, cut: 1 }
    expect(statusLine(state, 2.4)).toBe('1 exchange · 2/s · 1 failure, 2 warnings · 0 dropped · 1 body cut short')
    expect(statusLine({ ...state, open: 3 }, 2.4)).toContain(' · 3 not certain yet · ')
  })

  test('tells no rate of a moment: one exchange in ten milliseconds is not a hundred in a second', () => {
    let text = ''
    let [exchanges, time] = [0, 0]
    const write = (more: string): void => {
      text = more
    }
    const read = () => ({ exchanges, failures: 0, warnings: 0, open: 0, dropped: 0, cut: 0 })
    const options = { stream: { write }, isTty: true, columns: 80, every: () => () => {} }
    const status = showStatus(options, read, () => time)
    for (const [rate, count, at] of [
      [0, 1, 10],
      [100, 100, 1_000],
      [100, 101, 1_010],
    ] as const) {
      exchanges = count
      time = at
      status.paint()
      expect(text).toContain(` · ${rate}/s`)
    }
  })

  test.each([true, false])(
    'a terminal (%s) is repainted; elsewhere lines come only when something has happened',
    (isTty) => {
      let text = ''
      let time = 0
      let exchanges = 0
      let tick = (): void => {}
      const stream = {
        write: (more: string): void => {
          text += more
        },
      }
      const every = (_: number, action: () => void): (() => void) => {
        tick = action
        return () => {
          tick = () => {}
        }
      }
      const read = () => ({ exchanges, failures: 0, warnings: 0, open: 0, dropped: 0, cut: 0 })
      const status = showStatus({ stream, isTty, columns: 80, every }, read, () => time)
      for (const count of [0, 500, 500, 500]) {
        exchanges = count
        time += 1_000
        tick()
      }
      status.note('a note')
      status.done()
      tick()
      expect(text).toContain('500 exchanges · 500/s')
      expect(text).toContain('a note\n')
      expect(text.split('exchanges').length - 1).toBe(isTty ? 4 : 2)
      expect(text.includes('\u001b')).toBe(isTty)
    },
  )
})
