import { describe, expect, test } from 'vitest'
import { finding, passing, paths, says, someThings, useLivePages } from './testing/live-pages.ts'
import { ACTING, hasChromium } from './testing/pages.ts'

const { open } = useLivePages()

describe.skipIf(!hasChromium)('the live page', () => {
  test('shows what passes, and the filter says which of it', async () => {
    const { page, pass, said } = await open()
    await pass(someThings(300))
    await expect.poll(async () => (await paths(page)).at(-1)).toBe('/v1/things/300')
    expect((await paths(page)).length).toBeLessThan(80)
    const field = page.locator('.filter input')
    await field.fill('status:5xx path:/things/*0')
    await expect.poll(() => says(page)).toBe('30 of 300 exchanges')
    await field.fill('"Thing 1" -method:get')
    await expect.poll(() => says(page)).toBe('39 of 300 exchanges')
    await field.fill('body:"[7,null]"')
    await expect.poll(() => paths(page)).toEqual(['/v1/things/7'])
    await pass([passing({ id: 's-301', path: '/later', received: '[7,null]' })])
    await expect.poll(() => paths(page)).toEqual(['/v1/things/7', '/later'])
    await field.fill('colour:red')
    await expect.poll(() => says(page)).toMatch(/^there is no colour: in a filter; choose method, path/)
    expect(await paths(page)).toEqual(['/v1/things/7', '/later'])
    await page.reload()
    await field.fill('op:thing status:503')
    await page.reload()
    await expect.poll(() => says(page)).toBe('30 of 301 exchanges')
    await page.goto(`${page.url().split('#')[0]}?filter=op:thing%20status:503`)
    await expect.poll(() => says(page)).toBe('30 of 301 exchanges')
    expect(said).toEqual([])
  })

  test('shows what has passed before it is connected, and says why it is not', async () => {
    const { page, pass, said } = await open()
    await pass(someThings(3))
    await page.route('**/events*', (route) => route.abort())
    await page.reload()
    expect(await paths(page)).toHaveLength(3)
    await expect
      .poll(() => page.locator('.state').textContent())
      .toMatch(/^ended, or out of reach: \S+ does not answer/)
    await page.unroute('**/events*')
    await page.route('**/events*', (route) => route.fulfill({ status: 503, body: 'too many pages are open' }))
    await page.reload()
    await expect.poll(() => page.locator('.state').textContent()).toContain('503: too many pages are open')
    expect(said.filter((line) => !/ERR_FAILED|503/.test(line))).toEqual([])
  })

  test('says why an exchange was not judged, and leads to such ones', async () => {
    const { page, live, pass, feed, said } = await open()
    await pass(someThings(2))
    for (const one of [passing({ id: 'u-1', path: '/health' })])
      live.exchange(one, [], 'its path is not in the binding')
    feed([])
    const group = page.locator('.unjudged .group')
    await expect.poll(() => group.textContent()).toBe('1its path is not in the binding')
    await group.click()
    await expect
      .poll(() => page.locator('.details').textContent())
      .toContain('Not judged: its path is not in the binding.')
    await page.locator('.unjudged .quiet').click()
    await expect.poll(() => paths(page)).toEqual(['/health'])
    expect(said).toEqual([])
  })

  test('says nothing good before something was judged, nor while something waits', async () => {
    const { page, pass, stand, close, said } = await open()
    const words = (): Promise<string | null> => page.locator('.beside .standing').textContent()
    await expect.poll(words).toBe('Nothing has passed yet.')
    await pass(someThings(3))
    stand({ known: 0, judged: 0 })
    await expect.poll(words).toBe('Nothing could be judged: no operation of 3 requests is known; give --binding.')
    const waiting = { requirement: 'VIEW-UPDATE', failure: true, count: 1, message: 'nothing of it', last: 's-2' }
    stand({ open: [{ ...waiting, by: 'overlap' }] })
    await expect.poll(words).toBe('No finding is certain yet.')
    const waits = page.locator('.open-findings')
    expect(await waits.textContent()).toContain('Certain within half a minute')
    stand()
    await expect.poll(words).toBe('Nothing that passed breaks the specification; 3 of 3 exchanges were judged.')
    expect(await waits.count()).toBe(0)
    stand({ ended: true })
    await close()
    await expect.poll(() => page.locator('.state').textContent()).toBe('ended')
    expect(said.filter((line) => !line.includes('ERR_'))).toEqual([])
  })

  test('marks what passed before when a finding about it becomes certain', async () => {
    const { page, pass, live, stand, said } = await open()
    await pass(someThings(3))
    live.late('s-2', finding('VIEW-UPDATE', true, 'nothing of it'))
    stand({ ended: true })
    await expect.poll(() => page.locator('.beside .id').allTextContents()).toEqual(['VIEW-UPDATE'])
    await page.locator('.filter input').fill('is:failure')
    await expect.poll(() => paths(page)).toEqual(['/v1/things/2'])
    await page.locator('.beside .group').first().click()
    await expect.poll(() => page.locator('.details h2').textContent()).toBe('GET /v1/things/2')
    await expect.poll(() => page.locator('.details .found').textContent()).toContain('VIEW-UPDATE')
    expect(said).toEqual([])
  })

  test('is worked by keyboard alone: choose, open, mark, pin, compare, close', async () => {
    const { page, pass, said } = await open()
    await pass(someThings(50))
    await page.locator('.grid').focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('.details h2').textContent()).toBe('GET /v1/things/2')
    await page.keyboard.press('p')
    await page.keyboard.press(' ')
    await page.keyboard.press('End')
    await expect.poll(() => page.locator('.details h2').textContent()).toBe('GET /v1/things/50')
    await page.keyboard.press(' ')
    await page.keyboard.press('c')
    await expect
      .poll(() => page.locator('dialog h3 .soft').allTextContents())
      .toEqual([...['differs', 'the same', 'the same', 'differs', 'the same', 'differs', 'the same']])
    expect(await page.locator('dialog mark').allTextContents()).toEqual(expect.arrayContaining(['503']))
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('dialog').count()).toBe(0)
    expect(await page.locator('.beside .pin').allTextContents()).toEqual(['200GET /v1/things/2Unpin'])
    await page.locator('.grid').focus()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('.details').count()).toBe(0)
    await page.keyboard.press('/')
    await page.keyboard.type('is:pinned')
    await expect.poll(() => paths(page)).toEqual(['/v1/things/2'])
    expect(said).toEqual([])
  })
})

const HOSTILE = `</script><img src=x onerror="document.title='owned'">\u202e\u0007\u001b[2J\u2028$&%data%`

describe.skipIf(!hasChromium)('hostile traffic', () => {
  test('stays text in every place of the page', async () => {
    const { page, pass, said } = await open({ facts: { target: `http://${HOSTILE}` } })
    const hostile = (id: string) =>
      passing({
        ...{ id, method: HOSTILE, path: `/${HOSTILE}`, status: 0, operation: HOSTILE, header: HOSTILE, error: HOSTILE },
        sent: JSON.stringify({ [HOSTILE]: HOSTILE }),
        received: HOSTILE,
      })
    await pass(
      [hostile('h-1'), hostile('h-2')],
      [{ ...finding(HOSTILE, true, HOSTILE), expected: HOSTILE, actual: HOSTILE, pointer: HOSTILE }],
    )
    for (const at of [0, 1])
      await page
        .locator('.grid .rows .row')
        .nth(at)
        .click({ modifiers: ['Control'] })
    await page.locator('.grid .rows .row').first().click()
    await page.locator('.actions button', { hasText: 'Pin' }).click()
    await page.locator('.details details:not([open]) summary').first().click()
    const texts = [await page.locator('#page').textContent()]
    await page.locator('.tools button', { hasText: 'Compare' }).click()
    await page.waitForSelector('dialog pre')
    texts.push(await page.locator('dialog').textContent())
    for (const text of texts) {
      expect(text).toContain('onerror=')
      expect(text).not.toMatch(ACTING)
    }
    expect(await page.title()).toBe('assay record')
    expect(await page.locator('#page img, #page script').count()).toBe(0)
    expect(said).toEqual([])
  })
})
