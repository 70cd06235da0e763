import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { builtPage, renderHtml } from '../../../reports/formats/html.ts'
import type { ReplayReport } from '../../../schemas/types/replay.ts'
import type { Report } from '../../../schemas/types/report.ts'
import { findChromium, useBrowser } from './chromium.ts'
import { brokenReport, hostileReport, wholeReport } from './page-reports.ts'

/** Whether the tests of the page can run; if not, a message says so. */
export const hasChromium: boolean = findChromium() !== undefined
if (!hasChromium) {
  console.warn('No Chromium was found (CHROMIUM can name one): the tests of the page in a browser did not run.')
}

/** What a browser said and asked for while a page was open. */
export interface Opened {
  readonly page: Page
  readonly said: string[]
  readonly asked: string[]
}

export interface Pages {
  /** opens a page that was written, `address` added to where it lies */
  open(name: string, address?: string, options?: BrowserContextOptions): Promise<Opened>
  /** writes a report as a page, with what a replay found, or as JSON where the name says so; returns its path */
  write(name: string, report: Report, replay?: ReplayReport): string
  pathOf(name: string): string
}

/** A browser, and a folder with the pages `broken.html`, `good.html` and `hostile.html`, for the tests of one file. */
export function usePages(): Pages {
  const folder = mkdtempSync(join(tmpdir(), 'assay-page-'))
  const browser = useBrowser()

  const pages: Pages = {
    async open(name, address = '', options = {}) {
      const context = await browser().newContext({ viewport: { width: 1280, height: 900 }, ...options })
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
      await page.goto(pathToFileURL(pages.pathOf(name)).href + address)
      await page.waitForSelector('h1')
      return { page, said, asked }
    },
    write(name, report, replay) {
      const template = builtPage('page.html')
      if (template === undefined) throw new Error('dist/reports/page.html is missing: run `npm run build` first')
      const path = pages.pathOf(name)
      writeFileSync(path, name.endsWith('.json') ? JSON.stringify(report) : renderHtml(report, template, replay))
      return path
    },
    pathOf: (name) => join(folder, name),
  }

  beforeAll(() => {
    if (!hasChromium) return
    pages.write('broken.html', brokenReport())
    pages.write('good.html', wholeReport({}))
    pages.write('hostile.html', hostileReport())
  })

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  return pages
}

/** Characters that must not reach a page unchanged: controls, and marks that turn the direction. */
export const ACTING: RegExp = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/u

export const rows = (page: Page): Promise<string[]> => page.locator('.requirements button.row').allTextContents()
export const focused = (page: Page): Promise<string> => page.evaluate('document.activeElement.id')
export const hashOf = (page: Page): Promise<string> => page.evaluate('location.hash')
