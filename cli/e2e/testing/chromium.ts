import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The Chromium of this machine: what CHROMIUM names, or where systems put it. Undefined where there is none. */
export function findChromium(): string | undefined {
  const named = process.env.CHROMIUM
  return (named === undefined || named === '' ? PLACES : [named]).find((path) => existsSync(path))
}

/** A browser for the tests of one file. @throws where there is none */
export function useBrowser(): () => Browser {
  let browser: Browser | undefined
  beforeAll(async () => {
    const executablePath = findChromium()
    if (executablePath !== undefined) browser = await chromium.launch({ executablePath, args: ARGUMENTS })
  })
  afterAll(() => browser?.close())
  return () => {
    if (!browser) throw new Error('there is no browser')
    return browser
  }
}
