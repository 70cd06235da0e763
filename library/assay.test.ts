import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { lastingFolder } from '../fixtures/testing/folder.ts'
import { startReference } from '../reference/server.ts'
import type { TargetConfig } from '../schemas/types/config.ts'
import { type CertifyLibraryOptions, certify } from './assay.ts'

const home = lastingFolder()
const reference = await startReference()
afterAll(() => reference.close())

function options(given: Partial<CertifyLibraryOptions>): CertifyLibraryOptions {
  const { url: baseUrl, credentials, resources } = reference
  const target = { baseUrl, credentials, resources, binding: 'reference', consent: { modifyTarget: true } }
  return { target, profile: 'quick', only: ['NODE-TITLE-MAX'], seed: 3, ...given }
}

describe('what is no verdict is thrown with an exit code and its problems', () => {
  test.each<[string, Partial<CertifyLibraryOptions>, Partial<TargetConfig>, object[]]>([
    [
      'a folder that cannot be',
      { out: join(import.meta.filename, 'out') },
      {},
      [{ what: /a file stands where a folder/ }],
    ],
    [
      'a part that no case brings about',
      { only: ['DOC-SCOPE'] },
      {},
      [{ where: /--only/, what: /no case provokes this/ }],
    ],
    ['a shard that is none', { shard: '9/8' }, {}, [{ where: /--shard/ }]],
    ['no consent', {}, { consent: {} }, [{ what: /the run would / }]],
    ['each field that is wrong', {}, { timeout: -1, concurrency: 0 }, [{ where: /timeout/ }, { where: /concurrency/ }]],
  ])('%s', async (_, given, target, expected) => {
    const { target: right, ...rest } = options({ out: join(home, 'nothing'), ...given })
    const problems = expected.map((one) =>
      Object.fromEntries(Object.entries(one).map(([name, said]) => [name, expect.stringMatching(said)])),
    )
    const run = certify({ ...rest, target: { ...(right as TargetConfig), ...target } })
    await expect(run).rejects.toMatchObject({ exitCode: 2, problems })
    expect(existsSync(join(home, 'nothing'))).toBe(false)
  })
})

test('a run writes into one folder, named from the current one of its beginning; its command certifies the same', async () => {
  const cwd = vi.spyOn(process, 'cwd').mockReturnValue(home)
  const onProgress = (): void => void cwd.mockReturnValue(join(home, 'elsewhere'))
  const { command } = await certify(options({ out: 'out', onProgress }))
  cwd.mockRestore()
  const words = `certify ${reference.url} --binding reference --profile quick --yes-modify-target --only NODE-TITLE-MAX`
  expect(command).toContain(`${words} --seed 3`)
  const names = readdirSync(join(home, 'out'))
  expect(names).toEqual(expect.arrayContaining(['evidence', 'junit.xml', 'report.json']))
  expect(names.filter((name) => name.startsWith('journal-'))).toEqual([])
})
