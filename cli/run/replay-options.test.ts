import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { replayAgain } from '../../engine/replay/plan.ts'
import { openSegment } from '../../fixtures/segments/write.ts'
import { lastingFolder } from '../../fixtures/testing/folder.ts'
import { served } from '../../fixtures/testing.ts'
import { exchange } from '../../rules/testing.ts'
import type { Report } from '../../schemas/types/report.ts'
import { fakeIo, ran } from '../testing.ts'
import { replayOptions } from './replay.ts'

async function said(...args: string[]): Promise<string> {
  const { code, err } = await ran(['replay', 'nowhere', '--target', 'http://127.0.0.1:1', ...args])
  expect(code).toBe(2)
  return err
}

describe('what a replay is asked for', () => {
  test.each([
    ['--concurrency', '1.5', '"1.5" is not a whole number of at least 1'],
    ['--concurrency', '0', '"0" is not a whole number of at least 1'],
    ['--timeout', 'soon', '"soon" is not a whole number of at least 1'],
    ['--speed', 'fast', '"fast" is not a number of at least 0.001; or recorded, or max'],
    ['--speed', '0', '"0" is not a number of at least 0.001; or recorded, or max'],
    ['--speed', '-2', '"-2" is not a number of at least 0.001; or recorded, or max'],
    ['--speed', '', '"" is not a number of at least 0.001; or recorded, or max'],
  ])('%s %s', async (option, text, what) => {
    expect(await said(`${option}=${text}`)).toBe(`error: ${option}: ${what}\n`)
  })

  test('all that is wrong is told at once', async () => {
    const told = await said('--concurrency', 'x', '--speed', 'x', '--timeout', 'x')
    expect(told.match(/--(concurrency|speed|timeout): /g)).toHaveLength(3)
  })
})

test.each([
  [{ embedded: true }, 'that of the embedded target'],
  [{ embedded: true, binding: 'reference' }, '--binding'],
  [{ target: 'http://127.0.0.1:1', binding: 'default' }, '--binding'],
])('%j: the binding is known by %s', async (words, from) => {
  const { binding } = await replayOptions('rec', words, 'out', fakeIo())
  expect(binding?.from).toBe(from)
})

const ID = '11111111-1111-4111-8111-111111111111'
const view = (name: string): object => ({ viewid: ID, name, query: 'x' })

describe('the command that replays again', () => {
  const recording = lastingFolder()
  test('holds what it depends on, consent included', () => {
    expect(
      replayAgain('my rec', { target: 'http://a', yesModifyTarget: true, filter: ['get-view', '404'] }, 'assay'),
    ).toBe("assay replay 'my rec' --target http://a --yes-modify-target --filter get-view 404")
  })

  test('brings a finding about again', async () => {
    const target = await served((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(view('another')))
    })
    const segment = openSegment(recording, 'exchanges', '1')
    segment.append(exchange('POST /v1/config/view', { sent: { name: 'one', query: 'x' }, got: view('one') }))
    segment.append(exchange(`GET /v1/config/view/${ID}`, { got: view('one') }))
    segment.close()
    const out = join(recording, 'out')
    const findings = async (given: readonly string[]): Promise<string[]> => {
      expect((await ran([...given, '--out', out], { program: 'assay' })).code).toBe(1)
      const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as Report
      return report.requirements.flatMap((one) => one.findings.map(({ reproduce }) => reproduce))
    }
    const config = join(recording, 'config.json')
    writeFileSync(config, JSON.stringify({ name: 'two', baseUrl: target, credentials: {}, settleTimeout: 0 }))
    const words = ['replay', recording, '--config', config, '--binding', 'reference', '--yes-modify-target']
    const first = await findings(words)
    expect(first.length).toBeGreaterThan(0)
    expect(await findings(first[0]?.split(' ').slice(1) ?? [])).toEqual(first)
  })
})
