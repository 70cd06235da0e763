import { statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { reportOf } from '../../reports/testing/made.ts'
import { aFinding, aGroup, anExchange, anUpdateFinding, aReplay, aServerError } from '../../reports/testing.ts'
import { brokenReport, hostileReport, tellingReport, wholeReport } from './testing/page-reports.ts'
import { ACTING, focused, hasChromium, hashOf, rows, usePages } from './testing/pages.ts'

const { open, write, pathOf } = usePages()

describe.skipIf(!hasChromium)('report.html, opened from disk in Chromium', () => {
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
        'Failures 2, of 1 cause',
        'Warnings 1',
        'By section of the specification',
        'Not judged: what to do',
        'Requirements',
        'Where the text is silent',
        'Latency and errors',
        'The run',
      ])
    // the links of the claim lead to the cards
    await page.locator('#claim .because a').first().click()
    await expect.poll(() => focused(page)).toBe('finding-NODE-TITLE-MAX')
    await page.evaluate('scrollTo(0, 0)')
    // the request that failed is in sight before anybody does anything
    await expect
      .poll(() => page.evaluate('document.querySelector("#failures .pair .http").getBoundingClientRect().top'))
      .toBeLessThan(700)
    expect(said).toEqual([])
    expect(asked.filter((url) => !url.startsWith('data:'))).toEqual([pathToFileURL(pathOf('broken.html')).href])
    expect(statSync(pathOf('broken.html')).size).toBeLessThan(2_000_000)
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

  test('the table begins with what failed, its filters stand in the address, and failures stay above it', async () => {
    const { page } = await open('broken.html')
    await expect
      .poll(async () => (await rows(page)).slice(0, 3))
      .toEqual(['NODE-TITLE-MAX', 'ROUTE-PATCH-PARTIAL', 'NODE-TITLE-TYPE'])
    await page.locator('.tools .chip', { hasText: 'warn' }).click()
    await expect.poll(() => rows(page)).toEqual(['NODE-TITLE-TYPE'])
    await expect.poll(() => hashOf(page)).toBe('#?verdict=warn')
    await expect.poll(() => page.locator('#failures .card').count()).toBe(2)
    await page.reload()
    await expect.poll(() => rows(page)).toEqual(['NODE-TITLE-TYPE'])
    await page.locator('.tools .chip', { hasText: 'fail' }).click()
    await expect.poll(() => rows(page)).toHaveLength(3)
    await page.locator('.tools button', { hasText: 'Show all' }).click()
    await expect.poll(async () => (await rows(page)).length).toBeGreaterThan(20)
    await expect.poll(() => hashOf(page)).toBe('')
  })

  test('what was not judged is a list of things to do, with the fix and the count', async () => {
    const reason = 'no-consent: exclusion rules act on the whole account (consent.exclusions)'
    const notRun = { verdict: 'not-run', reason, evidence: {} } as const
    write('to-do.html', wholeReport({ 'NODE-TITLE-MIN': notRun, 'NODE-TITLE-MAX': notRun }))
    const { page, said } = await open('to-do.html', '#to-do')
    await expect
      .poll(() => page.locator('.to-do > li').first().textContent())
      .toMatch(/^2Exclusion rules act on the whole account\.If that is all right, set consent\.exclusions to true/)
    await page.locator('.to-do summary').first().click()
    await page.locator('.to-do .tag', { hasText: 'NODE-TITLE-MAX' }).click()
    await expect.poll(() => focused(page)).toBe('NODE-TITLE-MAX')
    await expect.poll(() => page.locator('#failures').count()).toBe(0)
    expect(said).toEqual([])
  })

  test('a card shows expected and actual, the request beside its control with the difference marked, and how to repeat it', async () => {
    const { page } = await open('broken.html', '#finding-NODE-TITLE-MAX')
    const card = page.locator('#finding-NODE-TITLE-MAX')
    const text = await card.textContent()
    for (const part of [
      'a title of 513 characters was accepted',
      'Expected',
      'Actual',
      'The request that decides',
      'Control: the same with a good value',
    ]) {
      expect(text).toContain(part)
    }
    await expect.poll(() => card.locator('mark.was').allTextContents()).toContain('"aaaaaa…×512"')
    await expect.poll(() => card.locator('mark.is').allTextContents()).toContain('"aaaaaa…×513"')
    await expect.poll(() => card.locator('.timeline > [role="tab"]').count()).toBe(2)
    await expect
      .poll(() => card.locator('.command pre').first().textContent())
      .toBe('npx assay certify http://127.0.0.1:8080 --only NODE-TITLE-MAX --seed 42')
    await expect.poll(() => card.locator('.command pre').nth(1).textContent()).toContain(`"title":"${'a'.repeat(513)}"`)
  })

  test('a card shows the change before the read that decides', async () => {
    write('update.html', wholeReport({ 'NODE-TITLE-MAX': { verdict: 'fail', findings: [anUpdateFinding()] } }))
    const { page } = await open('update.html', '#finding-NODE-TITLE-MAX')
    const card = page.locator('#finding-NODE-TITLE-MAX')
    await expect
      .poll(() => card.locator('.pair:not(.words) h4').allTextContents())
      .toEqual(['The change', 'The request that decides'])
    await expect.poll(() => card.locator('.pair:not(.words)').first().textContent()).toContain('"new"')
  })

  test('a race stands on one axis of time, and its exchanges are walked with the arrow keys', async () => {
    write('telling.html', tellingReport())
    const { page, said } = await open('telling.html')
    const card = page.locator('#finding-NODE-TITLE-MAX')
    await expect
      .poll(() => card.locator('.timeline .role').allTextContents())
      .toEqual(['setup', 'client A parallel', 'client B parallel', 'decides'])
    await expect.poll(() => card.locator('.track > span').count()).toBe(3)
    await expect
      .poll(() => card.locator('.pair h4').allTextContents())
      .not.toContain('Control: the same with a good value')
    await card.locator('[role="tab"]').nth(1).click()
    await page.keyboard.press('ArrowDown')
    const step = card.locator('[role="tabpanel"]')
    await expect
      .poll(() => step.textContent())
      .toMatch(/To prepare it: POST \/v3\/pipeline had got 200\.A: PATCH \/v3\/pipeline\/state-variable was under way/)
    await page.keyboard.press('End')
    await expect.poll(() => card.locator('[aria-selected="true"] .role').textContent()).toBe('decides')
    await expect
      .poll(() => step.textContent())
      .toMatch(/Broken: no order of the requests.*Elsewhere, 2 times: not judged: status 503 says nothing/)
    await page.keyboard.press('Home')
    await expect.poll(() => step.textContent()).toMatch(/making it.*Nothing here/s)
    expect(said).toEqual([])
  })

  test('of a lost line, the two pages beside the gap and the lines around it are shown', async () => {
    write('telling.html', tellingReport())
    const { page } = await open('telling.html')
    const card = page.locator('#finding-ROUTE-PATCH-PARTIAL')
    await expect.poll(() => card.locator('.lines h4').textContent()).toBe('Where page 1 ends and page 2 begins')
    await expect
      .poll(() => card.locator('.lines li').allTextContents())
      .toEqual([
        'page 1: GET /v2/export?size=2&pagination_id=nullassay-0.2 ',
        'assay-0.3 missing',
        'page 2: GET /v2/export?size=2&pagination_id=Aassay-0.4 ',
      ])
  })

  test('the page of a replay leads with its differences, each with both answers and the place marked', async () => {
    const body = (name: string, id: number): string => JSON.stringify({ id, name, query: 'q' })
    const example = {
      ...aGroup().example,
      recordedAnswer: { status: 200, outcome: 'complete', body: body('<b>one</b>', 1) },
      replayedAnswer: { status: 200, outcome: 'complete', body: body('two', 2) },
    }
    write('replay.html', wholeReport({}), aReplay({ differences: [aGroup({ example })] }))
    const { page, said } = await open('replay.html')
    await expect.poll(() => page.locator('h1').textContent()).toBe('example 1.0 answers differently')
    await expect.poll(() => page.locator('#claim + section').getAttribute('id')).toBe('differences')
    const card = page.locator('#differences .card')
    await expect.poll(() => card.locator('summary').textContent()).toBe('get-view/nameanother value, 50 times')
    await expect
      .poll(() => card.locator('pre mark').allTextContents())
      .toEqual(['  "name": "<b>one</b>",\n', '  "name": "two",\n'])
    await expect
      .poll(() => card.locator('h4').allTextContents())
      .toEqual(['Recorded', 'Now', 'Recorded response', 'Response now'])
    await expect.poll(() => page.locator('mark.is').count()).toBe(0)
    await expect
      .poll(() => page.locator('.because').textContent())
      .toBe(
        'By the rules: newly broken: VIEW-READ. 50 of 90 responses differ from the recording, in 1 kind of difference.',
      )
    expect(said).toEqual([])
  })

  test('the page of a check leads with the exchanges, each with all that it breaks', async () => {
    const { basis } = reportOf({ cases: [], run: { verb: 'check' } })
    write('check.html', { ...brokenReport(), ...(basis ? { basis } : {}) })
    const { page, said } = await open('check.html')
    await expect.poll(() => page.locator('#claim + section').getAttribute('id')).toBe('exchanges')
    await expect
      .poll(() => page.locator('.broken > li').nth(1).locator('.breaks .id').allTextContents())
      .toEqual(['NODE-TITLE-MAX', 'NODE-TITLE-MAX', 'NODE-TITLE-TYPE'])
    await page.locator('.broken details summary').nth(1).click()
    await expect.poll(() => page.locator('.broken .tree, .broken pre').count()).toBe(2)
    expect(said).toEqual([])
  })

  test('reports that are dropped are compared: what fails now, what was fixed, what vanished, and what gaps hold', async () => {
    const other = wholeReport({
      'NODE-TITLE-MAX': { verdict: 'not-run', reason: 'inconclusive: no response allowed a judgement', evidence: {} },
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
        '2 requirements no longer judged',
        '2 requirements fixed',
        'Where the text is silent: what each does (1 gap)',
      ])
    await expect.poll(() => page.locator('#compare tbody tr:not(.group)').count()).toBe(6)
    await expect.poll(() => page.locator('#compare').textContent()).toMatch(/days of UTC[\s\S]*days of Rome/)
    await page.locator('#compare .switch input').check()
    await expect.poll(() => page.locator('#compare tbody tr:not(.group)').count()).toBeGreaterThan(80)
    await page.locator('#compare button', { hasText: 'Make it the baseline' }).click()
    await expect.poll(() => page.locator('h1').textContent()).toMatch(/^example 1\.0 is worse than|is worse than/)
    await expect.poll(() => page.locator('.because').textContent()).toMatch(/2 newly failing/)
    expect(said).toEqual([])
  })

  test('of several reports a line shows how many failed in each, the oldest first, with its version', async () => {
    const earlier = (day: number, version: string): string =>
      write(`day-${day}.json`, {
        ...wholeReport({}),
        startedAt: `2025-12-0${day}T00:00:00.000Z`,
        target: { ...brokenReport().target, version },
      })
    const { page } = await open('broken.html')
    await page.locator('.drop input').setInputFiles([earlier(2, '0.9'), earlier(1, '0.8')])
    await expect
      .poll(() => page.locator('.trend figcaption > span').allTextContents())
      .toEqual(['0 failed 0.8 2025-12-01', '0 failed 0.9 2025-12-02', '2 failed 1.0 2026-01-01'])
  })

  test('many failures are shown by cause: an index leads to each, finds words in bodies, and opens all', async () => {
    const failing = (id: string, noun: string) => ({
      [id]: {
        verdict: 'fail',
        findings: [
          anUpdateFinding({
            ...{ operation: `delete-${noun}`, message: `a removed ${noun} is still there`, pointer: '' },
            ...{ expected: `no ${noun}`, actual: `status 200, id-of-${noun} is shown` },
            exchanges: [
              anExchange({ role: 'before', method: 'DELETE', operation: `delete-${noun}` }),
              anExchange({ id: '2', method: 'GET', responseBody: `[{"id":"other"},{"id":"id-of-${noun}"}]` }),
            ],
          }),
        ],
      } as const,
    })
    write(
      'many.html',
      wholeReport({
        ...failing('NODE-TITLE-MIN', 'board'),
        ...failing('NODE-TITLE-PATTERN', 'view'),
        ...failing('NODE-TITLE-TYPE', 'alert'),
        'NODE-TITLE-MAX': { verdict: 'fail', findings: [aFinding()] },
      }),
    )
    const { page, said } = await open('many.html')
    await expect.poll(() => page.locator('#failures-title').textContent()).toBe('Failures 4, of 2 causes')
    await expect
      .poll(() => page.locator('.index li > a').allTextContents())
      .toEqual(['3 a removed … is still there', '1 a title of 513 characters was accepted'])
    await expect.poll(() => page.locator('#failures .tree .deciding').first().textContent()).toMatch(/"id": "id-of-/)
    await page.locator('.index li > a').nth(1).click()
    await expect.poll(() => focused(page)).toBe('failures-2')
    await page.keyboard.press('k')
    await expect.poll(() => page.locator('#failures .card > details[open]').count()).toBeGreaterThan(1)
    await page.locator('.index input').fill('id-of-view')
    await expect.poll(() => page.locator('#failures .card:visible').count()).toBe(1)
    await page.locator('.index input').fill('')
    await page.locator('.index button', { hasText: 'Open all' }).click()
    await expect.poll(() => page.locator('#failures .card > details:not([open])').count()).toBe(0)
    await page.keyboard.press('?')
    await expect.poll(() => page.locator('dialog.keys').textContent()).toMatch(/j kthe next failure/)
    expect(said).toEqual([])
  })

  test('server errors stand in a part of their own, each kind with its smallest request', async () => {
    const kinds = [aServerError(), aServerError({ kind: 'good request', count: 0, retried: 1 })]
    write('errors.html', wholeReport({}, { serverErrors: { count: 4, retried: 1, kinds } }))
    const { page, said } = await open('errors.html')
    await expect
      .poll(() => page.locator('#server-errors .lead').textContent())
      .toMatch(
        /^4 responses with 5xx to well-formed requests. A repetition made up for 1 more. They break no requirement/,
      )
    await expect.poll(() => page.locator('nav a[href="#server-errors"]').count()).toBe(1)
    await page.locator('#server-errors summary').first().click()
    await expect
      .poll(() => page.locator('#server-errors .card').first().textContent())
      .toMatch(/length 512.*"title".*oops/s)
    expect(said).toEqual([])
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
})
