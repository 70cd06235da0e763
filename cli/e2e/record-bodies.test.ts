import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openRecording } from '../../fixtures/recording/read.ts'
import type { Report } from '../../schemas/types/report.ts'
import { test } from '../testing/world.ts'
import { ask, startRecorder } from './testing/recorder.ts'

const TOKEN = 'a-token-of-some-length-0001'
const KEYS_AT = '/v1/enterprise/keys'
const LINES_AT = '/v1/export?from=1&to=2'

/** 3 MB of keys, of which one far behind the beginning has a name that is too long. */
const KEYS = JSON.stringify(
  Array.from({ length: 2_000 }, (_, index) => ({
    id: String(index),
    key: `secret-value-of-key-${index}`,
    name: index === 1_500 ? 'n'.repeat(31) : `key ${index}`,
    type: 'service',
    created: 1_700_000_000_000 + index,
    note: 'n'.repeat(1_500),
  })),
)
/** 4 MB of lines, one of which names the token. Together with the keys they find room where long bodies wait. */
const LINES = Array.from(
  { length: 22_000 },
  (_, index) => `${JSON.stringify({ _line: `${index} ${index === 20_000 ? TOKEN : 'x'.repeat(150)}`, _ts: index })}\n`,
).join('')

test('--full-bodies keeps long bodies in files, which check judges and mock serves', async ({ world, expect }) => {
  const target = await world.http((incoming, response) => {
    const isKeys = incoming.url === KEYS_AT
    response.setHeader('Content-Type', isKeys ? 'application/json' : 'application/jsonl')
    response.end(isKeys ? KEYS : LINES)
  })
  const config = world.write('c.json', {
    baseUrl: target,
    binding: 'default',
    credentials: { enterpriseServiceKey: TOKEN },
  })
  const { url, stop } = await startRecorder(world, ['--config', config, '--full-bodies'])
  const headers = { 'enterprise-servicekey': TOKEN }
  expect((await ask(url, { path: KEYS_AT, headers })).text).toBe(KEYS)
  expect((await ask(url, { path: LINES_AT, headers })).text).toBe(LINES)
  const ended = await stop()
  expect(ended.code, ended.stderr).toBe(1)
  expect(ended.stdout).toMatch(/kept whole +2 long bodies/)
  expect(ended.stdout).toMatch(/bodies cut +0\n/)
  expect(ended.stdout).toContain('KEY-NAME-MAX')

  const kept = readdirSync(join(world.folder, 'rec', 'bodies'))
  expect(kept.length).toBe(2)
  for (const name of kept) {
    const text = readFileSync(join(world.folder, 'rec', 'bodies', name), 'utf8')
    expect(text).not.toContain(TOKEN)
    expect(text).not.toContain('secret-value')
  }
  for await (const { response } of (await openRecording(join(world.folder, 'rec'))).exchanges()) {
    expect(response.content).toMatchObject({ _cut: true, _body: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(response.content.text?.length).toBeLessThanOrEqual(65_536)
  }

  const checked = await world.assay(['check', 'rec', '--config', config, '--out', 'checked', '--format', 'json'])
  expect(checked.code, checked.stderr).toBe(1)
  const report = JSON.parse(readFileSync(join(world.folder, 'checked', 'report.json'), 'utf8')) as Report
  const failed = report.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)
  expect(failed).toEqual(['KEY-NAME-MAX', 'EXPORT-V1-CAP'].sort())
  expect(report.environment).not.toHaveProperty('bodies cut')

  const mock = world.start(['mock', 'rec', '--port', '0'])
  const [, served = ''] = await mock.said(/served on (\S+)/)
  const keys = JSON.parse((await ask(served, { path: KEYS_AT, headers })).text) as { name: string }[]
  expect(keys.length).toBe(2_000)
  expect(keys[1_500]?.name).toMatch(/^[a-z]{31}$/)
  const lines = (await ask(served, { path: LINES_AT, headers })).text
  expect(lines.length).toBe(LINES.length - TOKEN.length + '<enterprise-key:configured>'.length)
})
