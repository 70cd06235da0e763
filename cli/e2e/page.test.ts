import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pageTemplate, renderHtml } from '../../reports/html.ts'
import { aFinding } from '../../reports/testing.ts'
import type { Report } from '../../schemas/types/report.ts'
import { findChromium, startChromium } from './testing/chromium.ts'
import { lowContrast } from './testing/contrast.ts'
import { brokenReport, hostileReport, wholeReport } from './testing/page-reports.ts'

const chromium = findChromium()
if (chromium === undefined) {
  console.warn('No Chromium was found (CHROMIUM can name one): the tests of the page in a browser did not run.')
}

const folder = mkdtempSync(join(tmpdir(), 'assay-page-'))
let browser: Browser | undefined

beforeAll(async () => {
  if (chromium !== undefined) browser = await startChromium(chromium)
})

afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** What a browser said and asked for while a page was open. */
interface Opened {
  readonly page: Page
  readonly said: string[]
  readonly asked: string[]
}

async function open(name: string, address = '', options: BrowserContextOptions = {}): Promise<Opened> {
  if (!browser) throw new Error('there is no browser')
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(5000)
  const said: string[] = []
  const asked: string[] = []
  page.on('console', (message) => said.push(message.text()))
  page.on('pageerror', (error) => said.push(error.message))
  page.on('dialog', (dialog) => {
    said.push(dialog.message())
    void dialog.dismiss()
  })
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(pathToFileURL(join(folder, name)).href + address)
  await page.waitForSelector('h1')
  return { page, said, asked }
}

function write(name: string, report: Report): string {
  const template = pageTemplate()
  if (template === undefined) throw new Error('dist/reports/page.html is missing: run `npm run build` first')
  const path = join(folder, name)
  writeFileSync(path, name.endsWith('.json') ? JSON.stringify(report) : renderHtml(report, template))
  return path
}

/** What must not reach a page as it is: controls, and marks that turn the direction. */
const ACTING = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/u

const rows = (page: Page): Promise<string[]> => page.locator('.requirements button.row').allTextContents()
const focused = (page: Page): Promise<string> => page.evaluate('document.activeElement.id')
const hashOf = (page: Page): Promise<string> => page.evaluate('location.hash')

describe.skipIf(chromium === undefined)('report.html, opened from disk in Chromium', () => {
  beforeAll(() => {
    write('broken.html', brokenReport())
    write('good.html', wholeReport({}))
  })

  test('says what it claims, asks for nothing and complains about nothing', async () => {
    const { page, said, asked } = await open('broken.html')
    await expect.poll(() => page.title()).toBe('example 1.0: non-conformant with specification 2.1')
    await expect.poll(() => page.locator('h1').textContent()).toBe('example 1.0 is non-conformant')
    await expect
      .poll(() => page.locator('#claim').textContent())
      .toMatch(/Not certifiable because NODE-TITLE-MAX, ROUTE-PATCH-PARTIAL failed/)
    await expect
      .poll(() => page.locator('main > section > h2').allTextContents())
      .toEqual([
        'Verdicts',
        'Levels and categories',
        'Failures and warnings',
        'Requirements',
        'By section of the specification',
        'Where the text is silent',
        'Latency and errors',
        'The run',
      ])
    await expect.poll(() => rows(page)).toHaveLength(brokenReport().requirements.length)
    expect(said).toEqual([])
    expect(asked.filter((url) => !url.startsWith('data:'))).toEqual([pathToFileURL(join(folder, 'broken.html')).href])
    expect(statSync(join(folder, 'broken.html')).size).toBeLessThan(2_000_000)
  })

  test('the policy of the page refuses scripts, styles and requests that are not its own', async () => {
    const { page, said } = await open('good.html')
    await page.evaluate(`
      const script = document.createElement('script')
      try { script.textContent = 'window.hacked = 1' } catch {}
      document.body.append(script)
      const style = document.createElement('style')
      style.textContent = 'body { display: none }'
      document.body.append(style)
      fetch('https://example.invalid/').catch(() => {})
    `)
    await expect.poll(() => page.evaluate('window.hacked')).toBeUndefined()
    await expect.poll(() => page.locator('h1').isVisible()).toBe(true)
    expect(said.length).toBeGreaterThanOrEqual(2)
  })

  test('verdicts filter cards and table, and the address keeps them', async () => {
    const { page } = await open('broken.html')
    await page.locator('.legend button', { hasText: 'warn' }).first().click()
    await expect.poll(() => rows(page)).toEqual(['NODE-TITLE-TYPE'])
    await expect.poll(() => page.locator('.card h3').allTextContents()).toEqual(['NODE-TITLE-TYPE'])
    await expect.poll(() => hashOf(page)).toBe('#?verdict=warn')
    await page.reload()
    await expect.poll(() => rows(page)).toEqual(['NODE-TITLE-TYPE'])
    await page.locator('.tools .chip', { hasText: 'fail' }).click()
    await expect.poll(() => rows(page)).toHaveLength(3)
    await page.locator('.tools button', { hasText: 'Show all' }).click()
    await expect.poll(() => rows(page)).toHaveLength(brokenReport().requirements.length)
    await expect.poll(() => hashOf(page)).toBe('')
  })

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

  test('a card shows expected and actual, the request beside its twin with the difference marked, and how to repeat it', async () => {
    const { page } = await open('broken.html', '#finding-NODE-TITLE-MAX')
    const card = page.locator('#finding-NODE-TITLE-MAX')
    const text = await card.textContent()
    for (const part of [
      'a title of 513 characters was accepted',
      'Expected',
      'Actual',
      'Twin',
      'The smallest request',
    ]) {
      expect(text).toContain(part)
    }
    await expect.poll(() => card.locator('mark.was').allTextContents()).toContain('"aaaaaa…×512"')
    await expect.poll(() => card.locator('mark.is').allTextContents()).toContain('"aaaaaa…×513"')
    await expect.poll(() => card.locator('.timeline > li').count()).toBe(2)
    await expect
      .poll(() => card.locator('.command pre').first().textContent())
      .toContain(`"title":"${'a'.repeat(513)}"`)
    expect(text).toContain('npx assay certify http://127.0.0.1:8080 --only NODE-TITLE-MAX --seed 42')
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

  test('reports that are dropped are compared: what fails now, what was fixed, what vanished, and what gaps hold', async () => {
    const other = wholeReport({
      'NODE-TITLE-MAX': { verdict: 'not-run', reason: 'inconclusive: no answer allowed a judgement', evidence: {} },
      'KEY-NAME-MAX': { verdict: 'fail', findings: [aFinding({ message: 'a name of 31 characters was accepted' })] },
      'NODE-TITLE-MIN': { verdict: 'not-run', reason: 'no-consent: suspend', evidence: {} },
      'GAP-USAGE-DAY-ZONE': { verdict: 'observed', reason: '', evidence: { observations: { 'days of Rome': 1 } } },
    })
    const { page, said } = await open('broken.html')
    await page.evaluate(`
      const files = new DataTransfer()
      files.items.add(new File([${JSON.stringify(JSON.stringify(other))}], 'other.json', { type: 'application/json' }))
      files.items.add(new File(['<html>'], 'holiday.html'))
      for (const kind of ['dragover', 'drop']) {
        dispatchEvent(new DragEvent(kind, { dataTransfer: files, cancelable: true, bubbles: true }))
      }
    `)
    await page.waitForSelector('#compare')
    await expect
      .poll(() => page.locator('.drop [role="alert"]').textContent())
      .toBe('holiday.html is neither a report.json nor a report.html')
    await expect
      .poll(() => page.locator('#compare .group').allTextContents())
      .toEqual([
        '1 requirement newly failing',
        '2 requirements vanished',
        '2 requirements fixed',
        'Where the text is silent: what each does (1 gap)',
      ])
    await expect.poll(() => page.locator('#compare tbody tr:not(.group)').count()).toBe(6)
    await expect.poll(() => page.locator('#compare').textContent()).toMatch(/days of UTC[\s\S]*days of Rome/)
    await page.locator('#compare .switch input').check()
    await expect.poll(() => page.locator('#compare tbody tr:not(.group)').count()).toBeGreaterThan(80)
    await page.locator('#compare button', { hasText: 'Hold others to it' }).click()
    await expect.poll(() => page.locator('#compare .lead').textContent()).toMatch(/2 newly failing/)
    expect(said).toEqual([])
  })

  test('a page can be chosen for comparison as well as a report.json, and taken away again', async () => {
    const { page } = await open('broken.html')
    await page.locator('.drop input').setInputFiles([join(folder, 'good.html'), write('same.json', brokenReport())])
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

  test('whatever a target answered stays text: no markup, no script, nothing that acts, and not too much of it', async () => {
    const report = hostileReport()
    const path = write('hostile.html', report)
    expect(statSync(path).size).toBeLessThan(2_000_000)
    const { page, said, asked } = await open('hostile.html')
    await page.locator('details.others > summary').first().click()
    for (const row of ['NODE-TITLE-MAX', 'NODE-TITLE-PATTERN', 'GAP-USAGE-DAY-ZONE']) {
      await page.evaluate(`location.hash = ${JSON.stringify(row)}`)
      await expect.poll(() => focused(page)).toBe(row)
    }
    await page.locator('.drop input').setInputFiles(write('hostile.json', report))
    await page.waitForSelector('#compare')
    await page.evaluate('for (const more of document.querySelectorAll("button.more")) more.click()')
    await expect.poll(() => page.evaluate('window.hacked')).toBeUndefined()
    await expect.poll(() => page.locator('#page script, #page img, #page b, #page iframe').count()).toBe(0)
    const text: string = await page.evaluate('document.getElementById("page").textContent')
    expect(text).toContain('<img src=x onerror="window.hacked=2">')
    expect(text).toContain('\\u202eevil\\u2066 \\u001b[31mred\\u0007')
    // the text is too long to be printed
    expect(ACTING.exec(text)).toBeNull()
    await expect.poll(() => page.title()).not.toMatch(ACTING)
    expect(said).toEqual([])
    expect(asked).toHaveLength(1)
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
