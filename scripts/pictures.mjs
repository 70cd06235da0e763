// Makes the pictures of the documents again, from a real run against the reference with two faults. Needs `npm run build`
// and a Chromium (CHROMIUM can name one).
// Usage: node scripts/pictures.mjs

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const load = (path) => import(pathToFileURL(join(root, 'dist', path)).href)
const { faultOverlay } = await load('reference/faults/index.js')
const { startReference } = await load('reference/server.js')
const { renderTerminal } = await load('reports/formats/terminal.js')

const FAULTS = ['node/title/maxLength-513', 'preset-update-keeps-more']
const COLUMNS = 92
/** Codes of a terminal -> colours. */
const COLORS = { 31: '#f08a80', 32: '#66bd92', 33: '#dcab4e', 35: '#d497dd' }

const folder = mkdtempSync(join(tmpdir(), 'assay-pictures-'))
try {
  const report = await certified()
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu'],
  })
  try {
    await pictures(browser, report)
  } finally {
    await browser.close()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Runs the program as somebody would who has it installed; returns the report. */
async function certified() {
  const { url, credentials, resources, close } = await startReference({ overlays: FAULTS.map(faultOverlay) })
  const config = { baseUrl: url, credentials, resources, binding: 'reference', name: 'acme-logs', version: '3.4' }
  writeFileSync(join(folder, 'assay.config.json'), JSON.stringify(config))
  symlinkSync(join(root, 'dist', 'cli', 'main.js'), join(folder, 'assay'))
  const words = [
    join(folder, 'assay'),
    'certify',
    '--config',
    'assay.config.json',
    '--yes-modify-target',
    '--profile',
    'quick',
  ]
  const child = spawn(process.execPath, words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  await new Promise((done) => child.once('close', done))
  await close()
  return JSON.parse(readFileSync(join(folder, 'assay-report', 'report.json'), 'utf8'))
}

async function pictures(browser, report) {
  const images = join(root, 'docs', 'images')
  const lines = renderTerminal(report, { columns: COLUMNS, color: true }).trimEnd().split('\n')
  const terminal = await browser.newPage({ viewport: { width: 900, height: 400 }, deviceScaleFactor: 1.5 })
  await terminal.setContent(terminalHtml(['$ assay certify --yes-modify-target --profile quick', ...telling(lines)]))
  await terminal.locator('pre').screenshot({ path: join(images, 'terminal.png') })

  const page = await browser.newPage({ viewport: { width: 1180, height: 1000 } })
  await page.goto(pathToFileURL(join(folder, 'assay-report', 'report.html')).href)
  await page.waitForSelector('h1')
  await page.screenshot({ path: join(images, 'report.png') })
  const card = page.locator('#finding-NODE-TITLE-MAX')
  await card.locator('[role="tab"]').last().click()
  await page.setViewportSize({ width: 1180, height: 2400 })
  await card.screenshot({ path: join(images, 'finding.png') })
}

/** Of a long summary the first failure, the counts and the verdict. */
function telling(lines) {
  const blank = (line) => line.trim() === ''
  const end = lines.findIndex((line) => line.includes('the request by hand'))
  const counts = lines.findIndex((line) => / pass +fail +warn /.test(line))
  return [
    ...lines.slice(0, end),
    '      …',
    '',
    ...lines.slice(counts).filter((line, at, all) => !blank(line) || !blank(all[at + 1] ?? '')),
  ]
}

/** Lines with the escapes of a terminal, as a page that looks like one. */
function terminalHtml(lines) {
  const styles = []
  const text = lines
    .join('\n')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the escapes that are looked for
    .replaceAll(/\u001b\[(\d+)m/g, (_escape, code) => {
      if (code === '1') styles.push('font-weight:700')
      else if (code === '2') styles.push('opacity:.65')
      else if (COLORS[code]) styles.push(`color:${COLORS[code]}`)
      else styles.pop()
      return `</span><span style="${styles.join(';')}">`
    })
  const frame = 'margin:0;padding:20px 24px;background:#14171b;color:#e5e3de;font:13px/1.45 DejaVu Sans Mono,monospace'
  return `<body style="margin:0"><pre style="${frame}"><span>${text}</span></pre>`
}
