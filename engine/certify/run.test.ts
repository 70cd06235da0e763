import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { lastingFolder } from '../../fixtures/testing/folder.ts'
import { startReference } from '../../reference/server.ts'
import { overlayOfVariant } from '../../reference/variants/core/variant.ts'
import { allVariants } from '../../reference/variants/index.ts'
import type { TargetConfig } from '../../schemas/types/config.ts'
import { planRun } from './plan.ts'
import { beginRun } from './run.ts'

const folder = lastingFolder()
const behind = await startReference({
  overlays: allVariants.filter(({ name }) => name === 'reads-behind').map(overlayOfVariant),
})
afterAll(() => behind.close())

async function begun(out: string, given: Partial<TargetConfig>): ReturnType<typeof beginRun> {
  const { url: baseUrl, credentials, resources } = behind
  const target = { baseUrl, credentials, resources, binding: 'reference', consent: { modifyTarget: true }, ...given }
  const plan = await planRun(
    { target, profile: 'quick', out: join(folder, out) },
    { cwd: folder, env: {}, program: 'assay' },
  )
  return beginRun(plan, { baseUrl, credentials, resources })
}

// Each address of the target shows for 60 ms what it showed before: only what was removed tells.
test('how old reads are is measured, and is said', async () => {
  const { context, notes } = await begun('measured', {})
  expect(context.settleTimeout).toBeGreaterThanOrEqual(100)
  expect(notes).toEqual([expect.stringMatching(/^a thing took \d+ ms .*: reads count after \d+ ms \(settleTimeout /)])
})

test.each<[string, Partial<TargetConfig>, number]>([
  ['the configuration says it', { settleTimeout: 50 }, 50],
  ['nothing may be changed', { consent: {}, readOnly: true }, 0],
])('it is not measured where %s', async (name, given, ms) => {
  const { context, notes } = await begun(name, given)
  expect([context.settleTimeout, ...notes.filter((note) => note.includes(' took '))]).toEqual([ms])
})
