// Makes the pictures of the documents again, from a real run against the reference with two faults. Needs `npm run build`
// and a Chromium (CHROMIUM can name one). Ends with an error where a label that the documents speak of is not there.
// Usage: node scripts/pictures.mjs [folder, default docs/images]

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const load = (path) => import(pathToFileURL(join(root, 'dist', path)).href)
const { faultOverlay } = await load('reference/faults/index.js')
const { startReference } = await load('reference/server.js')
const { renderTerminal } = await load('reports/formats/terminal.js')

const FAULTS = ['node/title/maxLength-513', 'preset-update-keeps-more']
const COLUMNS = 92
const images = resolve(process.argv[2] ?? join(root, 'docs', 'images'))
/** Words that README and docs/report.md explain. */
const LABELS = {
  terminal: [/^ +expected /m, /^ +actual /m, /^ +at /m, /^ +control /m, /^ +request /m, /^ +response /m, /^ +again:$/m],
  finding: ['Expected', 'Actual', 'The request that decides', 'Control: the same with a good value', 'Show it again'],
  live: ['Findings by requirement', 'Pause', 'Follow'],
}
/** Codes of a terminal -> colours. */
const COLORS = { 31: '#f08a80', 32: '#66bd92', 33: '#dcab4e', 35: '#d497dd' }

const folder = mkdtempSync(join(tmpdir(), 'assay-pictures-'))
try {
  const target = await startReference({ overlays: FAULTS.map(faultOverlay) })
  const report = await certified(target)
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu'],
  })
  try {
    await pictures(browser, report)
    await livePicture(browser)
  } finally {
    await browser.close()
    await target.close()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Runs the program as somebody would who has it installed; returns the report. */
async function certified({ url, credentials, resources }) {
  const config = { baseUrl: url, credentials, resources, binding: 'reference', name: 'acme-logs', version: '3.4' }
  writeFileSync(join(folder, 'assay.config.json'), JSON.stringify(config))
  symlinkSync(join(root, 'dist', 'cli', 'main.js'), join(folder, 'assay'))
  await assay(['certify', '--profile', 'quick']).ended
  return JSON.parse(readFileSync(join(folder, 'assay-report', 'report.json'), 'utf8'))
}

/** Starts the program with the configuration of the folder. */
function assay(words) {
  const given = words[0] === 'certify' ? ['--yes-modify-target'] : []
  const all = [join(folder, 'assay'), ...words, '--config', 'assay.config.json', ...given]
  const child = spawn(process.execPath, all, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  return { child, ended: new Promise((done) => child.once('close', done)) }
}

/** @throws Error where one of the labels of a picture is not in the text that it shows */
function checkLabels(name, text) {
  const missing = LABELS[name].filter((label) => !(label instanceof RegExp ? label.test(text) : text.includes(label)))
  if (missing.length > 0) throw new Error(`${name}.png: not there any more: ${missing.join(', ')}`)
}

/** The live page while a part of the suite passes through the proxy. */
async function livePicture(browser) {
  const { child, ended } = assay(['record', '--out', 'recording', '--ui'])
  let said = ''
  child.stderr.on('data', (data) => {
    said += data
  })
  const found = async (pattern) => {
    for (let left = 100; left > 0 && !pattern.test(said); left -= 1) await new Promise((done) => setTimeout(done, 100))
    return pattern.exec(said)?.[1] ?? ''
  }
  const page = await browser.newPage({ viewport: { width: 1280, height: 760 } })
  await page.goto(await found(/shown on (\S+)/))
  await assay(['certify', await found(/Recording on (http\S+?),/), '--only', 'NODE-TITLE-MAX', '--out', 'second']).ended
  await page.locator('.beside .group').first().click()
  await page.locator('.details .tree').first().waitFor()
  checkLabels('live', await page.locator('body').textContent())
  await page.screenshot({ path: join(images, 'live.png') })
  child.kill('SIGINT')
  await ended
}

async function pictures(browser, report) {
  const lines = renderTerminal(report, { columns: COLUMNS, color: true }).trimEnd().split('\n')
  checkLabels('terminal', renderTerminal(report, { columns: COLUMNS, color: false }))
  const terminal = await browser.newPage({ viewport: { width: 900, height: 400 }, deviceScaleFactor: 1.5 })
  await terminal.setContent(terminalHtml(['$ assay certify --yes-modify-target --profile quick', ...telling(lines)]))
  await terminal.locator('pre').screenshot({ path: join(images, 'terminal.png') })

  const page = await browser.newPage({ viewport: { width: 1180, height: 1000 } })
  await page.goto(pathToFileURL(join(folder, 'assay-report', 'report.html')).href)
  await page.waitForSelector('h1')
  await page.screenshot({ path: join(images, 'report.png') })
  const card = page.locator('#finding-NODE-TITLE-MAX')
  checkLabels('finding', await card.textContent())
  await card.locator('[role="tab"]').last().click()
  await page.setViewportSize({ width: 1180, height: 2400 })
  await card.screenshot({ path: join(images, 'finding.png') })
}

/** Of a long summary the first failure, the counts and the verdict. */
function telling(lines) {
  const blank = (line) => line.trim() === ''
  const end = lines.findIndex((line) => line.includes('again:')) + 3
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
