import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, test } from 'vitest'
import { ownFolder } from '../fixtures/testing/folder.ts'

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  bin: { assay: string }
  files: string[]
}

// npm links the program of a clone once: one that is not there yet would be missing for good.
describe('the program of the package', () => {
  const clone = ownFolder()
  const started = (): { code: number | null; stderr: string; stdout: string } => {
    const { status, stderr, stdout } = spawnSync(process.execPath, [join(clone, manifest.bin.assay)], {
      encoding: 'utf8',
    })
    return { code: status, stderr, stdout }
  }

  beforeEach(() => {
    mkdirSync(join(clone, 'cli'))
    cpSync(fileURLToPath(new URL(`../${manifest.bin.assay}`, import.meta.url)), join(clone, manifest.bin.assay))
    writeFileSync(join(clone, 'package.json'), '{"type":"module"}')
  })

  test('is in a clone and in the package', () => {
    expect(manifest.bin.assay).not.toMatch(/^dist/)
    expect(manifest.files).toContain(manifest.bin.assay)
  })

  test('says in one line that nothing is compiled yet', () => {
    const { code, stderr } = started()
    expect(code).toBe(2)
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(stderr).toContain(`${clone}/: assay is not compiled yet; run \`npm ci && npm run build\` there`)
  })

  test('starts what was compiled, and hides no error of it', () => {
    mkdirSync(join(clone, 'dist', 'cli'), { recursive: true })
    const main = join(clone, 'dist', 'cli', 'main.js')
    writeFileSync(main, "console.log('started')")
    expect(started()).toMatchObject({ code: 0, stdout: 'started\n' })
    writeFileSync(main, "await import('./missing.js')")
    expect(started().stderr).toContain('missing.js')
  })
})
