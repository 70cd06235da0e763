import { describe, expect, test } from 'vitest'
import { violationsOn } from '../testing/accessible.ts'
import { brokenReport, redReport, tellingReport } from '../testing/page-reports.ts'
import { focused, hasChromium, hashOf, rows, usePages } from '../testing/pages.ts'

const { open, write, pathOf } = usePages()

describe.skipIf(!hasChromium)('report.html by hand, by keyboard, on paper and on a phone', () => {
  test('bars lead to their requirements, and orders of the table can be turned', async () => {
    const { page } = await open('broken.html')
    await page.locator('.levels a', { hasText: 'implied' }).click()
    await page.locator('.tools select').selectOption('exclusions')
    const wanted = brokenReport().requirements.filter((one) => one.category === 'exclusions' && one.level === 'implied')
    await expect.poll(async () => (await rows(page)).sort()).toEqual(wanted.map(({ id }) => id).sort())
    const header = page.locator('.requirements th', { hasText: 'Requirement' })
    await header.locator('button').click()
    await expect.poll(() => header.getAttribute('aria-sort')).toBe('ascending')
    const sorted = wanted.map(({ id }) => id).sort()
    await expect.poll(() => rows(page)).toEqual(sorted)
    await header.locator('button').click()
    await expect.poll(() => rows(page)).toEqual(sorted.reverse())
    await expect.poll(() => hashOf(page)).toBe('#requirements?level=implied&category=exclusions&sort=-id')
  })

  test('a search finds words in any order, in texts, operations and findings', async () => {
    const { page } = await open('broken.html', '#requirements')
    await page.locator('.tools input').fill('accepted 513')
    await expect.poll(() => rows(page)).toEqual(['NODE-TITLE-MAX', 'ROUTE-PATCH-PARTIAL', 'NODE-TITLE-TYPE'])
    await page.locator('.tools input').fill('no such thing')
    await expect.poll(() => rows(page)).toEqual([])
    await expect.poll(() => page.locator('#requirements .empty').textContent()).toContain('Nothing fits.')
  })

  test('a link to a requirement opens it, whatever its address filters', async () => {
    const { page } = await open('broken.html', '#NODE-TITLE-MAX?verdict=pass')
    await expect
      .poll(() => page.evaluate('document.getElementById("NODE-TITLE-MAX").getBoundingClientRect().top'))
      .toBeLessThan(600)
    await expect.poll(() => page.locator('tr.details').textContent()).toContain('Pipeline node common fields')
    await expect.poll(() => focused(page)).toBe('NODE-TITLE-MAX')
    await page.locator('tr.details a', { hasText: '2 findings' }).click()
    await expect.poll(() => page.locator('#finding-NODE-TITLE-MAX > details').getAttribute('open')).not.toBeNull()
    await expect.poll(() => focused(page)).toBe('finding-NODE-TITLE-MAX')
    await page.goBack()
    await expect.poll(() => focused(page)).toBe('NODE-TITLE-MAX')
  })

  test('everything can be reached and done by keyboard', async () => {
    const { page } = await open('broken.html')
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Skip to failures 2')
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toBe('failures')
    const seen = new Set<string>()
    for (let presses = 0; presses < 40; presses += 1) {
      await page.keyboard.press('Tab')
      seen.add(await page.evaluate('document.activeElement.tagName'))
    }
    expect([...seen].sort()).toEqual(['A', 'BUTTON', 'DIV', 'INPUT', 'PRE', 'SELECT', 'SUMMARY'])
    await page.locator('.row', { hasText: 'DOC-SCOPE' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('.row', { hasText: 'DOC-SCOPE' }).getAttribute('aria-expanded')).toBe('true')
    await expect.poll(() => hashOf(page)).toBe('#DOC-SCOPE')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('tr.details').count()).toBe(0)
  })

  test('who has moved on from where a link led is not called back', async () => {
    const { page } = await open('broken.html')
    const where = await page.evaluate(`(async () => {
      document.querySelector('a[href="#failures"]').click()
      const reached = document.activeElement.id
      document.querySelector('#failures :is(a, button, summary)').focus()
      for (let frames = 0; frames < 10; frames += 1) await new Promise(requestAnimationFrame)
      return [reached, document.activeElement.tagName, document.activeElement.closest('section[id]').id]
    })()`)
    expect(where).toEqual(['failures', expect.stringMatching(/^(A|BUTTON|SUMMARY)$/), 'failures'])
  })

  test('a page can be chosen for comparison as well as a report.json, and taken away again', async () => {
    const { page } = await open('broken.html')
    await page.locator('.drop input').setInputFiles([pathOf('good.html'), write('same.json', brokenReport())])
    await page.waitForSelector('#compare')
    await expect.poll(() => page.locator('#compare th.report').count()).toBe(3)
    await page.locator('#compare button', { hasText: 'Remove' }).nth(1).click()
    await expect.poll(() => page.locator('#compare th.report').count()).toBe(2)
  })

  test('on paper stand the claim, the failures and what to do, on at most six pages for ten failures', async () => {
    write('red.html', redReport())
    const { page } = await open('red.html')
    await page.locator('#failures .card > details > summary').first().click()
    await expect.poll(() => page.locator('#failures .card > details:not([open])').count()).toBe(10)
    const paper = (await page.pdf({ format: 'A4' })).toString('latin1')
    expect(paper.length).toBeGreaterThan(50_000)
    expect(paper.match(/\/Type\s*\/Page\b/g)?.length ?? 0).toBeLessThanOrEqual(6)
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await page.evaluate('dispatchEvent(new Event("beforeprint"))')
    await expect.poll(() => page.locator('#failures .card > details:not([open])').count()).toBe(0)
    await expect.poll(() => page.locator('#failures .command pre').count()).toBe(10)
    for (const there of ['#claim', '#failures', '#warnings', '#server-errors', '#to-do'])
      await expect.poll(() => page.locator(there).isVisible()).toBe(true)
    for (const gone of ['.bar', '.drop', '#requirements', '#specification', '#latency', '#run'])
      await expect.poll(() => page.locator(gone).isVisible()).toBe(false)
    await expect.poll(() => page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(29, 34, 41)')
    await page.evaluate('dispatchEvent(new Event("afterprint"))')
    await expect.poll(() => page.locator('#failures .card > details:not([open])').count()).toBe(10)
  })

  test.each([
    ['light', 1280],
    ['light', 390],
    ['dark', 1280],
    ['dark', 390],
  ] as const)(
    '%s, %d pixels wide, nothing is wider than the screen, all can be read, and axe finds nothing against WCAG 2.2 AA',
    async (colorScheme, width) => {
      write('telling.html', tellingReport())
      write('red.html', redReport())
      for (const name of ['broken.html', 'telling.html', 'red.html', 'hostile.html']) {
        const options = { viewport: { width, height: 844 }, colorScheme, bypassCSP: true }
        const { page, said } = await open(name, '#NODE-TITLE-MAX', options)
        if (name === 'telling.html') await page.locator('[role="tab"]').first().click()
        await page.locator('.drop input').setInputFiles(pathOf('good.html'))
        await page.waitForSelector('#compare')
        await expect.poll(() => page.evaluate(WIDER)).toEqual([])
        if (name !== 'hostile.html') expect(await violationsOn(page)).toEqual([])
        expect(said).toEqual([])
        await page.context().close()
      }
    },
  )
})

/** What is wider than the screen, or can be scrolled sideways. */
const WIDER = `[document.documentElement, ...document.querySelectorAll('main *')]
  .filter((one) => one.scrollWidth > one.clientWidth && one.clientWidth > 1 &&
    (one === document.documentElement || /auto|scroll/.test(getComputedStyle(one).overflowX)))
  .map((one) => one.tagName + '.' + one.className)`
