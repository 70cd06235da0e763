import { existsSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { expect } from 'vitest'
import { test } from '../../testing/world.ts'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']
const HOSTILE = `</pre><img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`
const TOKEN = 'a-token-of-some-length-0001'

test.runIf(existsSync(CHROMIUM))(
  'hostile traffic stays text on the live page, and secrets stay away from it',
  async ({ world }) => {
    const target = await world.http((incoming, response) => {
      response.setHeader('Content-Type', 'application/json')
      response.setHeader('X-Hostile', HOSTILE)
      const keys = [
        { id: '1', key: 'a-secret-key-value-1', name: `${'n'.repeat(31)}${HOSTILE}`, type: 'service', created: 1 },
      ]
      response.end(JSON.stringify(incoming.url === '/v1/enterprise/keys' ? keys : { line: HOSTILE }))
    })
    const config = world.write('c.json', {
      baseUrl: target,
      binding: 'default',
      credentials: { enterpriseServiceKey: TOKEN },
    })
    const words = ['record', '--config', config, '--listen', '127.0.0.1:0', '--out', 'rec', '--ui', '--keep', 'texts']
    const running = world.start(words)
    const [, url = ''] = await running.said(/Recording on (\S+),/)
    const [, shown = ''] = await running.said(/shown on (\S+)/)
    const ask = (path: string): Promise<void> =>
      new Promise((resolve, reject) => {
        const asked = request(url + path, { headers: { 'enterprise-servicekey': TOKEN }, agent: false }, (answer) => {
          answer.resume()
          answer.on('end', resolve)
        })
        asked.on('error', reject)
        asked.end()
      })

    const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
    world.onClose(() => browser.close())
    const page = await browser.newPage()
    const complaints: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(String(error)))
    await page.goto(shown)
    await ask('/v1/enterprise/keys')
    for (let index = 0; index < 30; index += 1) await ask(`/v1/a/${index}?x=${encodeURIComponent(HOSTILE)}`)

    const rows = page.locator('.grid .rows .row')
    const says = (): Promise<string | null> => page.locator('.says').textContent()
    await expect.poll(says).toBe('31 exchanges')
    await expect.poll(() => page.locator('.top dd').first().textContent()).toBe('31')
    expect(await page.locator('.beside').textContent()).toContain('KEY-NAME-MAX')
    await page.locator('.beside .group').first().click()
    await page.locator('.details .tree').waitFor()
    const closed = page.locator('.details details:not([open]) > summary')
    while ((await closed.count()) > 0) await closed.first().click()
    const detail = (await page.locator('.details').textContent()) ?? ''
    const answer = await page.request.get(`${shown}exchange/${await rows.first().getAttribute('id')}`)
    expect(answer.status()).toBe(204)
    expect(detail).toContain('onerror=')
    expect(detail).toContain('KEY-NAME-MAX stated')
    expect(detail).toContain('<enterprise-key:configured>')
    const filter = page.locator('.filter input')
    await filter.fill('is:finding')
    await expect.poll(() => rows.count()).toBe(1)
    await filter.fill('path:/v1/a/7')
    await expect.poll(() => rows.count()).toBe(1)
    await filter.fill(`body:"onerror=" -is:finding`)
    await expect.poll(says).toBe('30 of 31 exchanges')
    await filter.fill(`body:${TOKEN}`)
    await expect.poll(says).toBe('0 of 31 exchanges')
    await filter.fill('')
    await page.locator('.details .close').click()
    await expect.poll(() => page.locator('.details').count()).toBe(0)

    expect(await page.title()).toBe('assay record')
    expect(await page.locator('#page img, #page script').count()).toBe(0)
    const all = (await page.content()) + detail
    for (const secret of [TOKEN, 'a-secret-key-value-1']) expect(all).not.toContain(secret)
    expect(complaints).toEqual([])
    running.child.kill('SIGINT')
    expect((await running.ended).code).toBe(1)
    expect(existsSync(join(world.folder, 'rec', 'summary.json'))).toBe(true)
  },
)
