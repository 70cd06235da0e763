import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { ledger } from '../../schemas/ledger.ts'
import { test } from '../testing/world.ts'
import { errorLines } from './testing/expectations.ts'

const WIDEST = 80

describe('output of verbs that inform', () => {
  test.concurrent.for<[args: string[], said: RegExp]>([
    [['list'], /^NODE-TITLE-MAX +stated +/m],
    [['list', '--feature', 'screen-removal', '--level', 'stated'], /^SCREEN-/m],
    [['explain', 'node-title-max'], /^NODE-TITLE-MAX\n/],
    [['explain', 'GAP-TAP-ANSWER'], /^GAP-TAP-ANSWER\n/],
    [['gaps'], /gaps under no binding: 0 answered/],
    [['gaps', '--binding', 'reference'], /gaps under binding reference, which\s+extends default/],
    [['gaps', '--binding', 'default', '--unanswered'], /unanswered/],
    [['certify', '--help'], /--yes-modify-target/],
  ])('assay %j fits 80 columns, and has no colours where it is no terminal', async ([args, said], { world }) => {
    const ended = await world.assay(args, { env: { NO_COLOR: '1', FORCE_COLOR: '1' } })
    expect({ code: ended.code, lines: errorLines(ended) }).toEqual({ code: 0, lines: [] })
    expect(ended.stdout).toMatch(said)
    expect(ended.stdout + ended.stderr).not.toContain('\u001b')
    const wide = ended.stdout.split('\n').filter((line) => [...line].length > WIDEST)
    expect(wide).toEqual([])
  })

  test.concurrent('as JSON: every entry of the ledger, one explanation, every gap', async ({ world }) => {
    const json = async (...args: string[]): Promise<unknown> => {
      const { code, stdout } = await world.assay([...args, '--json'])
      expect(code).toBe(0)
      return JSON.parse(stdout)
    }
    const list = (await json('list')) as { id: string }[]
    expect(list.map(({ id }) => id)).toEqual([...ledger().keys()])
    expect(await json('explain', 'NODE-TITLE-MAX')).toMatchObject({
      requirement: { id: 'NODE-TITLE-MAX', level: 'stated' },
    })
    const { gaps } = (await json('gaps', '--binding', 'reference')) as {
      gaps: { id: string; answered: boolean; answerable: boolean }[]
    }
    // those that a binding can answer come first
    const inOrder = [...ledger().keys()].filter((id) => id.startsWith('GAP-'))
    const answerable = new Set(gaps.filter((gap) => gap.answerable).map(({ id }) => id))
    expect(gaps.map(({ id }) => id)).toEqual([
      ...inOrder.filter((id) => answerable.has(id)),
      ...inOrder.filter((id) => !answerable.has(id)),
    ])
    expect(gaps.some(({ answered }) => answered)).toBe(true)
  })

  test.concurrent('an unknown id is one line that names the nearest', async ({ world }) => {
    const ended = await world.assay(['explain', 'NODE-TITEL-MAX'])
    expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 2, stdout: '' })
    expect(errorLines(ended)).toEqual([
      expect.stringMatching(/there is no requirement "NODE-TITEL-MAX"; the nearest are NODE-TITLE-MAX/),
    ])
  })
})

describe('assay init, then certify', () => {
  test.concurrent('init writes what certify reads once its address and secret are there', async ({ world }) => {
    const first = await world.assay(['init'])
    expect({ code: first.code, lines: errorLines(first) }).toEqual({ code: 0, lines: [] })
    const path = join(world.folder, 'assay.config.json')
    const written = readFileSync(path, 'utf8')

    const again = await world.assay(['init'])
    expect(again.code).toBe(2)
    expect(errorLines(again)).toEqual([expect.stringMatching(/there is a configuration already; .*--force/)])
    expect(readFileSync(path, 'utf8')).toBe(written)

    const unset = await world.assay(['certify'])
    expect(unset.code).toBe(2)
    expect(errorLines(unset)).toEqual([expect.stringMatching(/ASSAY_ACCESS_TOKEN is not set/)])

    const served = await world.serve()
    world.write(
      'assay.config.json',
      written.replace('http://127.0.0.1:8080', served.url).replace('"modifyTarget": false', '"modifyTarget": true'),
    )
    const ended = await world.assay(['certify', '--profile', 'quick', '--only', 'list-usage-by-tag'], {
      env: { ASSAY_ACCESS_TOKEN: served.credentials.accessToken ?? '' },
    })
    expect({ code: ended.code, lines: errorLines(ended) }).toEqual({ code: 4, lines: [] })
    expect(ended.stdout).toMatch(/^partial: my implementation: /m)
  })
})

test.concurrent('a reader that has seen enough is no error', async ({ world }) => {
  const running = world.start(['list'])
  running.child.stdout?.once('data', () => running.child.stdout?.destroy())
  const ended = await running.ended
  expect(ended.code).toBe(0)
  expect(errorLines(ended)).toEqual([])
})

test.concurrent('serve says what it serves; a port that is taken is one line', async ({ world }) => {
  const running = world.start(['serve'])
  const [, url = ''] = await running.said(/The reference target listens on (http:\S+)/)
  expect((await fetch(new URL('/v1/config/screen', url))).ok).toBe(false)
  const second = await world.assay(['serve', '--port', new URL(url).port])
  expect({ code: second.code, stdout: second.stdout }).toEqual({ code: 2, stdout: '' })
  expect(errorLines(second)).toEqual([expect.stringMatching(/something listens there already; choose another --port/)])
  running.child.kill('SIGINT')
  expect((await running.ended).code).toBe(0)
})
