import { readdirSync, readFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { openRecording } from '../../fixtures/recording/read.ts'
import type { Report } from '../../schemas/types/report.ts'
import { test } from '../testing/world.ts'

const TOKEN = 'a-token-of-some-length-0001'

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

function fetched(url: string, headers: Readonly<Record<string, string>>): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { headers, agent: false }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => resolve(Buffer.concat(chunks).toString()))
    }).on('error', reject)
  })
}

test('--full-bodies keeps long bodies in files, which check judges and mock serves', async ({ world, expect }) => {
  const target = await world.http((incoming, response) => {
    response.setHeader(
      'Content-Type',
      incoming.url === '/v1/enterprise/keys' ? 'application/json' : 'application/jsonl',
    )
    response.end(incoming.url === '/v1/enterprise/keys' ? KEYS : LINES)
  })
  const config = world.write('c.json', {
    baseUrl: target,
    binding: 'default',
    credentials: { enterpriseServiceKey: TOKEN },
  })
  const words = ['record', '--config', config, '--listen', '127.0.0.1:0', '--out', 'rec', '--full-bodies']
  const running = world.start(words)
  const [, url = ''] = await running.said(/Recording on (\S+),/)
  const headers = { 'enterprise-servicekey': TOKEN }
  expect(await fetched(`${url}/v1/enterprise/keys`, headers)).toBe(KEYS)
  expect(await fetched(`${url}/v1/export?from=1&to=2`, headers)).toBe(LINES)
  running.child.kill('SIGINT')
  const ended = await running.ended
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
  const keys = JSON.parse(await fetched(`${served}/v1/enterprise/keys`, headers)) as { name: string }[]
  expect(keys.length).toBe(2_000)
  expect(keys[1_500]?.name).toMatch(/^[a-z]{31}$/)
  const lines = await fetched(`${served}/v1/export?from=1&to=2`, headers)
  expect(lines.length).toBe(LINES.length - TOKEN.length + '<enterprise-key:configured>'.length)
})
