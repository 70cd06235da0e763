import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Reference, startReference } from '../../reference/server.ts'
import { type CertifyLibraryOptions, certify } from './assay.ts'

const home = mkdtempSync(join(tmpdir(), 'assay-library-'))
let reference: Reference
beforeAll(async () => {
  reference = await startReference()
})
afterAll(async () => {
  await reference.close()
  rmSync(home, { recursive: true, force: true })
})

function options(given: Partial<CertifyLibraryOptions>): CertifyLibraryOptions {
  const { url: baseUrl, credentials, resources } = reference
  const target = { baseUrl, credentials, resources, binding: 'reference', consent: { modifyTarget: true } }
  return { target, profile: 'quick', only: ['NODE-TITLE-MAX'], seed: 3, ...given }
}

describe('what is no verdict is thrown with an exit code and its problems', () => {
  test('an output folder that cannot be written', async () => {
    await expect(certify(options({ out: join(import.meta.filename, 'out') }))).rejects.toMatchObject({
      exitCode: 2,
      problems: [{ what: 'a file stands where a folder is needed' }],
    })
  })
})
