// How large a report of 300 requirements and 50,000 exchanges is, what it takes to draw its page, and how fast a browser
// opens it. The last part needs a Chromium. Ends with 1 where a figure is beyond its bound.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { renderHtml } from '../../reports/formats/html.ts'
import { type Figure, median } from '../figures.ts'
import { tell } from '../tell.ts'
import { REQUIREMENTS, reportOf, TEMPLATE } from './report.ts'

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
})
const EXCHANGES = 50_000
const openings = values.quick ? 3 : 7
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-page-'))

try {
  const figures = await page()
  tell(figures, values.json)
  if (figures.some(({ value, most = Infinity }) => value > most)) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function page(): Promise<Figure[]> {
  const report = reportOf(EXCHANGES)
  const json = `${JSON.stringify(report, null, 2)}\n`
  const rounds = Array.from({ length: 5 }, () => ({
    plain: cpuOf(() => void JSON.stringify(JSON.parse(json))),
    page: cpuOf(() => void renderHtml(report, TEMPLATE)),
  }))
  const html = renderHtml(report, TEMPLATE)
  const path = join(folder, 'report.html')
  writeFileSync(path, html)
  const ratio = median(rounds.map(({ plain, page: drawn }) => plain / drawn))
  return [
    figure('report.json', Buffer.byteLength(json) / 1e6, 'MB', 10),
    {
      ...figure('rendering the page, time of the processor', rounds[0]?.page ?? 0, 's', 2),
      ...{ ratio, of: 'of reading and writing it as JSON' },
    },
    figure('memory of the whole process at its peak', process.resourceUsage().maxRSS / 1e3, 'MB', 500),
    figure('report.html', Buffer.byteLength(html) / 1e6, 'MB', 2),
    ...(await opened(path)),
  ]
}

function figure(name: string, value: number, unit: string, most: number): Figure {
  return { part: 'page', name, value, unit, most }
}

/** Seconds of CPU. */
function cpuOf(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

/** From the command to open the file to the frame in which all of it is drawn; the middle of several. */
async function opened(path: string): Promise<Figure[]> {
  const executablePath = process.env.CHROMIUM || '/usr/bin/chromium'
  if (!existsSync(executablePath)) {
    process.stderr.write('no Chromium was found (CHROMIUM can name one): how fast the page opens was not measured\n')
    return []
  }
  const { chromium } = await import('playwright-core')
  const browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu'] })
  const times: number[] = []
  const busy: number[] = []
  for (let round = 0; round < openings; round += 1) {
    const tab = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    const session = await tab.context().newCDPSession(tab)
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    const started = performance.now()
    await tab.goto(pathToFileURL(path).href)
    await tab.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    times.push((performance.now() - started) / 1000)
    const { metrics } = await session.send('Performance.getMetrics')
    busy.push(metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
    const rows = await tab.locator('.requirements button.row').count()
    if (rows !== REQUIREMENTS) throw new Error(`${rows} of ${REQUIREMENTS} requirements were drawn`)
    await tab.close()
  }
  await browser.close()
  return [
    figure(`opening it, the middle of ${openings}`, median(times), 's', 1.5),
    figure('of it, time of the processor on the page', median(busy), 's', 1.5),
  ]
}
