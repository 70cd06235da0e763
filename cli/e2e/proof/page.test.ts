import { describe, expect, test } from 'vitest'
import { lowContrast } from '../testing/contrast.ts'
import { brokenReport } from '../testing/page-reports.ts'
import { focused, hasChromium, hashOf, rows, usePages } from '../testing/pages.ts'

const { open, write, pathOf } = usePages()

describe.skipIf(!hasChromium)('report.html by hand, by keyboard, on paper and on a phone', () => {
  test('bars lead to their requirements, and orders of the table can be turned', async () => {
    const { page } = await open('broken.html')
    await page.locator('.matrix tr', { hasText: 'exclusions' }).locator('td[data-label="implied"] a').click()
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
    await page.keyboard.press('/')
    await page.keyboard.type('accepted 513')
    await expect.poll(() => rows(page)).toEqual(['NODE-TITLE-TYPE', 'NODE-TITLE-MAX', 'ROUTE-PATCH-PARTIAL'])
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
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Skip to failures')
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toBe('failures')
    const seen = new Set<string>()
    for (let presses = 0; presses < 40; presses += 1) {
      await page.keyboard.press('Tab')
      seen.add(await page.evaluate('document.activeElement.tagName'))
    }
    expect([...seen].sort()).toEqual(['A', 'BUTTON', 'INPUT', 'PRE', 'SELECT', 'SUMMARY'])
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
      return [reached, document.activeElement.tagName, document.activeElement.closest('section').id]
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

  test('on paper everything is open, and nothing is there that only a screen can use', async () => {
    const { page } = await open('broken.html')
    await page.locator('#finding-NODE-TITLE-MAX > details > summary').click()
    await expect.poll(() => page.locator('#finding-NODE-TITLE-MAX > details').getAttribute('open')).toBeNull()
    const paper = await page.pdf({ format: 'A4' })
    expect(paper.length).toBeGreaterThan(50_000)
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await page.evaluate('dispatchEvent(new Event("beforeprint"))')
    await expect.poll(() => page.locator('.card > details:not([open])').count()).toBe(0)
    for (const gone of ['.bar', '.tools', '.drop', '.status'])
      await expect.poll(() => page.locator(gone).isVisible()).toBe(false)
    await expect.poll(() => page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(29, 34, 41)')
    await page.evaluate('dispatchEvent(new Event("afterprint"))')
    await expect.poll(() => page.locator('.card > details:not([open])').count()).toBe(1)
  })

  test.each(['light', 'dark'] as const)(
    'on a phone, %s, nothing is wider than the screen and everything can be read',
    async (colorScheme) => {
      for (const name of ['broken.html', 'hostile.html']) {
        const { page } = await open(name, '#NODE-TITLE-MAX', { viewport: { width: 360, height: 780 }, colorScheme })
        const wider: number = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        expect(wider).toBeLessThanOrEqual(0)
        if (name === 'broken.html') await expect.poll(() => page.evaluate(lowContrast)).toEqual([])
      }
    },
  )
})
