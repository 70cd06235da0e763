import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { openRecording } from '../../../fixtures/recording/read.ts'
import { violationsOn } from '../testing/accessible.ts'
import { finding, passing, paths, says, someThings, useLivePages } from '../testing/live-pages.ts'
import { hasChromium } from '../testing/pages.ts'

const { open } = useLivePages()
const copied = (page: Page): Promise<string> => page.evaluate('navigator.clipboard.readText()')

describe.skipIf(!hasChromium)('the live page in every use', () => {
  test('shows bodies as trees and as text, header fields and times, and findings by requirement', async () => {
    const { page, pass } = await open()
    await pass(someThings(3))
    await pass(
      [passing({ id: 'f-1', path: '/bad', sent: '{"title":"x"}' })],
      [finding('NODE-TITLE-MAX', true, 'too long')],
    )
    await pass(
      [passing({ id: 'f-2', path: '/odd' })],
      [finding('NODE-ODD', false), finding('NODE-TITLE-MAX', true, 'again')],
    )
    await expect.poll(() => page.locator('.beside .id').allTextContents()).toEqual(['NODE-TITLE-MAX', 'NODE-ODD'])
    expect(await page.locator('.beside .count').allTextContents()).toEqual(['2', '1'])
    await page.locator('.beside .quiet').first().click()
    await expect.poll(() => paths(page)).toEqual(['/bad', '/odd'])
    await page.locator('.grid .rows .row').first().click()
    const details = page.locator('.details')
    await expect.poll(() => details.textContent()).toContain('expected: at most 512')
    await details.locator('summary', { hasText: '2 header fields' }).click()
    expect(await details.locator('.headers dd').allTextContents()).toContain('Token <access-token:configured>')
    expect(await details.textContent()).toContain(
      '8 ms until the first byte of the response, then 4.5 ms until the last one',
    )
    await page.locator('.filter input').fill('path:/1')
    await page.locator('.grid .rows .row').first().click()
    await expect.poll(() => details.locator('.tree').first().textContent()).toContain('"long": 12345678901234567890')
    await details.locator('.tree summary', { hasText: '"b"' }).click()
    await expect.poll(() => details.locator('.tree').last().textContent()).toContain('"c": true')
    await details.locator('button', { hasText: 'as text' }).first().click()
    expect(await details.locator('pre').first().textContent()).toBe('{"title":"Thing 1","long":12345678901234567890}')
  })

  test('stands still while it is paused, and goes on with what came meanwhile', async () => {
    const { page, pass } = await open()
    await pass(someThings(2))
    await page.locator('button', { hasText: 'Pause' }).click()
    await pass([passing({ id: 'p-1', path: '/paused' })])
    await expect.poll(() => says(page)).toBe('2 exchanges · 1 wait until you go on')
    await page.locator('button', { hasText: 'Pause' }).click()
    await expect.poll(() => says(page)).toBe('3 exchanges')
    await expect.poll(async () => (await paths(page)).at(-1)).toBe('/paused')
  })

  test('follows the end until somebody reads further up', async () => {
    const { page, pass } = await open()
    await pass(someThings(200))
    await page.locator('.grid').hover()
    await page.mouse.wheel(0, -1_500)
    await expect.poll(() => page.locator('button[aria-pressed=true]', { hasText: 'Follow' }).count()).toBe(0)
    const top: number = await page.evaluate('document.querySelector(".grid").scrollTop')
    await pass(someThings(50))
    await expect.poll(() => says(page)).toBe('250 exchanges')
    expect(await page.evaluate('document.querySelector(".grid").scrollTop')).toBe(top)
    await page.locator('button', { hasText: 'Follow' }).click()
    await expect.poll(async () => (await paths(page)).at(-1)).toBe('/v1/things/50')
  })

  test('has columns that can be hidden and sized, and stay so', async () => {
    const { page, pass } = await open()
    await pass(someThings(2))
    const heads = (): Promise<string[]> => page.locator('.grid [role=columnheader]').allTextContents()
    await page.locator('.menu summary', { hasText: 'Columns' }).click()
    await page.locator('.menu label', { hasText: 'Operation' }).click()
    await page.locator('.menu label', { hasText: 'Bytes' }).click()
    const shown = ['Time (UTC)', 'Method', 'Path', 'Status', 'ms', 'Findings']
    await expect.poll(heads).toEqual(shown)
    const width = (): Promise<number> => page.evaluate('document.querySelector(".head .status").clientWidth')
    const before = await width()
    await page.locator('.head .status .handle').focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await expect.poll(width).toBe(before + 32)
    const handle = await page.locator('.head .status .handle').boundingBox()
    if (!handle) throw new Error('the handle is not there')
    await page.mouse.move(handle.x + 4, handle.y + 8)
    await page.mouse.down()
    await page.mouse.move(handle.x + 54, handle.y + 8)
    await page.mouse.up()
    await expect.poll(width).toBe(before + 82)
    await page.reload()
    await expect.poll(heads).toEqual(shown)
    expect(await width()).toBe(before + 82)
  })

  test('copies an exchange as curl, as fetch and as a HAR entry', async () => {
    const { page, pass } = await open()
    await pass([passing({ id: 'c-1', method: 'PUT', path: "/it's", sent: '{"a":1}' })])
    await page.locator('.grid .rows .row').click()
    await page.locator('.copies button', { hasText: 'curl' }).click()
    await expect
      .poll(() => copied(page))
      .toBe(
        `curl -sS -i -g -X PUT -H "Authorization: Token $ASSAY_ACCESS_TOKEN" -H 'X-Header: x' -H 'Content-Type:' --data-raw '{"a":1}' 'http://target.example.com/it'\\''s'`,
      )
    await page.locator('.copies button', { hasText: 'fetch' }).click()
    await expect
      .poll(() => copied(page))
      .toContain('await fetch("http://target.example.com/it\'s", {\n  method: "PUT",')
    await page.locator('.copies button', { hasText: 'HAR' }).click()
    await expect
      .poll(async () => JSON.parse(await copied(page)))
      .toMatchObject({ _id: 'c-1', request: { method: 'PUT' } })
  })

  test('gives what is marked, or shown, as HAR and as a recording that opens', async () => {
    const { page, pass } = await open({ acceptDownloads: true })
    await pass(someThings(30))
    await page.locator('.menu summary', { hasText: 'Download' }).click()
    const take = async (name: string): Promise<string> => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.locator('.menu button', { hasText: name }).click(),
      ])
      const path = `${await download.path()}-${download.suggestedFilename()}`
      await download.saveAs(path.replace(/[^/]*$/, download.suggestedFilename()))
      return path.replace(/[^/]*$/, download.suggestedFilename())
    }
    await page.locator('.filter input').fill('status:503')
    await expect.poll(() => says(page)).toBe('3 of 30 exchanges')
    const har = JSON.parse(readFileSync(await take('As HAR'), 'utf8')) as { log: { entries: { _id: string }[] } }
    expect(har.log.entries.map(({ _id }) => _id)).toEqual(['s-10', 's-20', 's-30'])
    await page.keyboard.press('Escape')
    const first = page.locator('.grid .rows .row').first()
    await first.click({ modifiers: ['Control'] })
    await page.locator('.menu summary', { hasText: 'Download' }).click()
    const recording = await openRecording(await take('As recording'))
    const ids: string[] = []
    for await (const { _id, response } of recording.exchanges()) ids.push(`${_id} ${response.content.text}`)
    expect(ids).toEqual(['s-10 {"n":[10,null],"deep":{"a":{"b":{"c":true}}}}'])
    expect(recording.about).toMatchObject({ distilled: 30 })
  })
})

describe.skipIf(!hasChromium)('for everybody', () => {
  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
  ] as const)(
    '%s, %i pixels wide: nothing breaks WCAG 2.2 AA, and nothing is wider than the screen',
    async (colorScheme, width) => {
      const { page, pass } = await open({ colorScheme, viewport: { width, height: 844 } })
      await pass(someThings(60))
      await pass([passing({ id: 'f-1', sent: '{"a":"b"}' })], [finding('NODE-TITLE-MAX', true)])
      const wider = (): Promise<number> => page.evaluate('document.documentElement.scrollWidth - innerWidth')
      expect(await violationsOn(page)).toEqual([])
      await page.locator('.menu summary', { hasText: 'Help' }).click()
      expect(await violationsOn(page)).toEqual([])
      expect(await wider()).toBeLessThanOrEqual(0)
      await page.keyboard.press('Escape')
      // Rows in sight, one after the other: new tools take a line, and move them.
      for (const [at, thing] of ['/v1/things/58', '/v1/things/59'].entries()) {
        await page.locator('.grid .rows .row', { hasText: thing }).click({ modifiers: ['Control'] })
        await page.waitForSelector(`.tools button:text("Unmark ${at + 1}")`)
      }
      await page.locator('.grid .rows .row').last().click()
      await page.waitForSelector('.details .tree')
      await page.locator('.details details:not([open]) summary').first().click()
      expect(await violationsOn(page)).toEqual([])
      expect(await wider()).toBeLessThanOrEqual(0)
      await page.locator('.details .close').click()
      await page.locator('.tools button', { hasText: 'Compare' }).click()
      await page.waitForSelector('dialog pre')
      expect(await violationsOn(page)).toEqual([])
    },
  )
})
