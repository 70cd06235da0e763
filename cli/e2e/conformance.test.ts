import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'vitest'
import { faultOverlay } from '../../reference/faults/index.ts'
import { startReference } from '../../reference/server.ts'
import type { Report } from '../../schemas/types/report.ts'
import { test } from '../testing/world.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const ENTRY = pathToFileURL(join(ROOT, process.env.ASSAY_DIST ?? 'dist', 'library/vitest.js')).href
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')

/** What a user writes against a server that runs already. */
function testFile(target: string, config: object, out: string): string {
  return `import { defineConformance } from ${JSON.stringify(ENTRY)}
await defineConformance(${JSON.stringify({
    target,
    config,
    binding: 'reference',
    only: ['NODE-TITLE-MAX'],
    seed: 1,
    out,
  })})
`
}

test('a vitest project that certifies fails where the target has a fault, says which, and writes the report', async ({
  world,
}) => {
  const faulty = await startReference({ overlays: [faultOverlay('node/title/maxLength-513')] })
  world.onClose(faulty.close)
  const { url, credentials, resources } = faulty
  const out = join(world.folder, 'out')
  world.write('ours.test.mjs', testFile(url, { credentials, resources }, out))
  const { code, stdout, stderr } = await world.assay(['run', '--root', world.folder, '--environment', 'node'], {
    program: VITEST,
  })
  expect(code).toBe(1)
  const said = stdout + stderr
  // The test shows what the terminal would: the finding, its requests and the command.
  expect(said).toMatch(/FAIL +NODE-TITLE-MAX \(stated\)/)
  expect(said).toContain('a value that the specification forbids is accepted')
  expect(said).toMatch(/request +PUT [^>]+-> 200/)
  expect(said.replaceAll(/\s*\\\s*/g, ' ')).toMatch(
    /npx assay certify http\S+ --binding reference .*--only NODE-TITLE-MAX --out/,
  )
  expect(said).toMatch(/non-conformant: .*report\.json/)
  expect(existsSync(join(out, 'report.json'))).toBe(true)
  const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as Report
  expect(report.verdict).toBe('non-conformant')
  expect(report.requirements.find(({ id }) => id === 'NODE-TITLE-MAX')?.verdict).toBe('fail')
})
