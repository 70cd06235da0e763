// How large a report of 300 requirements and 50,000 exchanges is, what drawing its page up costs, and how fast a browser
// opens it. Needs `npm run build`, and a Chromium for the last part.
// Usage: node bench/page/bench.mjs [folder of the compiled program, default dist] [--json]: figures as JSON lines
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const [given] = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const asJson = process.argv.includes('--json')
const dist = resolve(given ?? fileURLToPath(new URL('../../dist', import.meta.url)))
const load = (path) => import(pathToFileURL(join(dist, path)).href)
const { reportOf } = await import('./report.mjs')
const { pageTemplate, renderHtml } = await load('reports/formats/html.js')

const EXCHANGES = 50_000
const REQUIREMENTS = 300
const OPENINGS = 7
const bounds = []

/** `beside`: a ratio that machines do not change, and what it is of. */
function bound(what, value, most, unit, beside = {}) {
  bounds.push({ what, value, most })
  const shown = value.toLocaleString('en-US', { maximumFractionDigits: 2 })
  if (asJson) console.log(JSON.stringify({ part: 'page', name: what, value, unit, most, ...beside }))
  const say = asJson ? console.error : console.log
  say(
    `${value <= most ? 'ok  ' : 'MISS'} ${what.padEnd(44)} ${shown} ${unit} (at most ${most.toLocaleString('en-US')})`,
  )
}

const folder = mkdtempSync(join(tmpdir(), 'assay-bench-page-'))
try {
  const report = await reportOf(load, { requirements: REQUIREMENTS, exchanges: EXCHANGES })
  const json = `${JSON.stringify(report, null, 2)}\n`
  const found = report.requirements.filter(({ verdict }) => verdict === 'fail').length
  console.error(`${REQUIREMENTS} requirements, ${found} of them broken, ${EXCHANGES.toLocaleString('en-US')} exchanges`)
  bound('report.json', Buffer.byteLength(json) / 1e6, 10, 'MB')

  const template = pageTemplate()
  const rounds = Array.from({ length: 5 }, () => ({
    plain: cpuOf(() => JSON.stringify(JSON.parse(json))),
    page: cpuOf(() => renderHtml(report, template)),
  }))
  const html = renderHtml(report, template)
  const first = rounds[0].page
  const ratio = middle(rounds.map(({ plain, page }) => plain / page))
  bound('rendering the page, time of the processor', first, 2, 's', { ratio, of: 'of reading and writing it as JSON' })
  bound('memory of the whole process at its peak', process.resourceUsage().maxRSS / 1e3, 500, 'MB')
  bound('report.html', Buffer.byteLength(html) / 1e6, 2, 'MB')

  const path = join(folder, 'report.html')
  writeFileSync(path, html)
  await openings(path)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
if (bounds.some(({ value, most }) => value > most)) process.exitCode = 1

/** Seconds of the processor. */
function cpuOf(work) {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

function middle(list) {
  return list.sort((a, b) => a - b)[Math.floor(list.length / 2)]
}

/** From the command to open the file to the picture in which all of it is drawn; the middle of several. */
async function openings(path) {
  const executablePath = process.env.CHROMIUM || '/usr/bin/chromium'
  if (!existsSync(executablePath)) {
    console.error('no Chromium was found (CHROMIUM can name one): how fast the page opens was not measured')
    return
  }
  const { chromium } = await import('playwright-core')
  const browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu'] })
  const times = []
  const busy = []
  for (let round = 0; round < OPENINGS; round += 1) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    const metrics = await page.context().newCDPSession(page)
    await metrics.send('Performance.enable', { timeDomain: 'threadTicks' })
    const started = performance.now()
    await page.goto(pathToFileURL(path).href)
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    times.push(performance.now() - started)
    const { metrics: values } = await metrics.send('Performance.getMetrics')
    busy.push(values.find(({ name }) => name === 'TaskDuration').value)
    if ((await page.locator('.requirements button.row').count()) !== REQUIREMENTS) throw new Error('not all was drawn')
    await page.close()
  }
  await browser.close()
  bound(`opening it, the middle of ${OPENINGS}`, middle(times) / 1000, 1.5, 's')
  bound('of it, time of the processor on the page', middle(busy), 1.5, 's')
}
