import { expect, test } from 'vitest'
import { programName } from './caller.ts'

test.each([
  ['/project/node_modules/.bin/assay', 'npx assay'],
  ['/project/node_modules/assay/dist/cli/main.js', 'npx assay'],
  ['/cache/_npx/1a/node_modules/.bin/assay', 'npx assay'],
  ['/usr/local/bin/assay', 'assay'],
  ['/project/dist/cli/main.js', 'node dist/cli/main.js'],
  ['/opt/my assay/dist/cli/main.js', "node '/opt/my assay/dist/cli/main.js'"],
  ['/project/node_modules/vitest/vitest.mjs', 'npx assay'],
  ['/elsewhere/vitest.mjs', 'npx assay'],
  ['', 'npx assay'],
])('what was started as %s is started again as it can be', (path, again) => {
  expect(programName(path, '/project')).toBe(again)
})
