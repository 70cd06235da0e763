import { expect, test } from 'vitest'
import { programName } from './started.ts'

test.each([
  ['/home/me/node_modules/.bin/assay', 'npx assay'],
  ['/home/me/node_modules/assay/dist/cli/main.js', 'npx assay'],
  ['/cache/_npx/1a/node_modules/.bin/assay', 'npx assay'],
  ['/usr/local/bin/assay', 'assay'],
  ['/home/me/dist/cli/main.js', 'node dist/cli/main.js'],
  ['/opt/my assay/dist/cli/main.js', "node '/opt/my assay/dist/cli/main.js'"],
  ['/home/me/node_modules/vitest/vitest.mjs', 'npx assay'],
  ['/elsewhere/vitest.mjs', 'npx assay'],
  ['', 'npx assay'],
])('what was started as %s is started again as it can be', (path, again) => {
  expect(programName(path, '/home/me')).toBe(again)
})
