import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { findChromium } from '../testing/chromium.ts'

test.skipIf(findChromium() === undefined)(
  'the pictures of the documents are made of the current program, and show each label',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-pictures-'))
    try {
      await promisify(execFile)(process.execPath, ['scripts/pictures.mjs', folder])
      expect(readdirSync(folder).sort()).toEqual(['finding.png', 'live.png', 'report.png', 'terminal.png'])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
