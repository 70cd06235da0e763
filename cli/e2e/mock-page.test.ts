import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { run } from '../program.ts'
import { test } from '../testing/world.ts'
import { fakeIo } from '../testing.ts'

const RECORDING = fileURLToPath(new URL('../../fixtures/recorded/embedded', import.meta.url))
const TOKEN = 'a-token-of-some-length-0001'
const MAIL = 'somebody-secret@example.com'

test.concurrent('mock --ui shows what was asked and answered, without secrets', async ({ world }) => {
  const config = world.write('config.json', {
    ...{ baseUrl: 'http://127.0.0.1:9', binding: 'reference' },
    credentials: { accessToken: TOKEN },
  })
  const running = world.start(['mock', RECORDING, '--config', config, '--ui', '0'])
  const [, url = ''] = await running.said(/served on (\S+)/)
  const [, page = ''] = await running.said(/shown on (\S+)/)
  const body = JSON.stringify({ email: MAIL, role: 'admin' })
  const headers = { Authorization: `Token ${TOKEN}`, 'Content-Type': 'application/json' }
  const answer = await fetch(`${url}/v1/config/members?x=${TOKEN}`, { method: 'POST', headers, body })
  expect(answer.status).toBe(501)
  expect((await fetch(page)).headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(await (await fetch(page)).text()).toContain('"title":"assay mock"')
  let text = ''
  for await (const chunk of (await fetch(`${page}events`)).body ?? []) {
    text += Buffer.from(chunk).toString()
    if (/\["[\w-]+-000000001"/.test(text)) break
  }
  expect(text).toContain('"POST","/v1/config/members?x=')
  const [, id = ''] = /\["([\w-]+-000000001)"/.exec(text) ?? []
  const shown = await (await fetch(`${page}exchange/${id}`)).text()
  expect(shown).toContain('Token <access-token:configured>')
  expect(shown).toContain('NotRecorded')
  for (const secret of [TOKEN, MAIL]) expect(text + shown).not.toContain(secret)
  running.child.kill('SIGINT')
  expect((await running.ended).code).toBe(0)
})

test.concurrent('a port of the page that is none, or taken, ends mock with one line', async ({ world }) => {
  const port = await world.listen(createServer())
  const io = fakeIo({ cwd: world.folder })
  expect([await run(['mock', RECORDING, '--ui', 'x'], io), io.err()]).toEqual([
    2,
    expect.stringContaining('--ui: "x" is not a port'),
  ])
  const { code, stderr } = await world.assay(['mock', RECORDING, '--ui', String(port)])
  expect(code).toBe(2)
  expect(stderr).toContain(`--ui 127.0.0.1:${port}: something listens there already`)
})
