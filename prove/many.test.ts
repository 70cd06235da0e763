import { expect, test } from 'vitest'
import { overlayOf } from '../reference/faults/core/fault.ts'
import { allFaults } from '../reference/faults/index.ts'
import { run, verdictsOf } from './testing.ts'

/** A fault for each of 24 sentences of the specification, none of which hides another. */
const MANY = [
  ...['revision-busy', 'group-title-40', 'tap-request/limit/maximum-99', 'node/deploy_type/enum-without-local'],
  ...['signing-key-constant', 'list-usage-by-tag-of-bytes', 'export-from-zero-two-days', 'exclusion-by-hosts-idle'],
  ...['errors-one-code', 'preset-error-empty', 'create-transform-any-title', 'create-source-any-deploy_type'],
  ...['keys-created-half-a-day-off', 'delete-member-changes-others', 'delete-exclusion-changes-others'],
  ...['keys-same-secret', 'member-with-plus-stays', 'list-usage-v2-by-host-service-key-404'],
  ...['node/source_kind/enum-without-log-analysis', 'suspension-deletes-stored', 'route-legacy-true-refused'],
  ...['several-state-refused', 'export-token-once', 'usage-limit-one-more'],
]

test('of a target that breaks 24 sentences at once a report names at least 20', { timeout: 600_000 }, async () => {
  const faults = MANY.map((name) => allFaults().find((one) => one.name === name))
  expect(faults.flatMap((fault, index) => (fault ? [] : [MANY[index]]))).toEqual([])
  const overlay = faults.flatMap((fault) => (fault ? [overlayOf(fault)] : []))
  const trial = await run({ overlay, profile: 'standard', concurrency: 16 })
  const { overall, requirements } = verdictsOf(trial)
  const red = new Set(
    requirements.flatMap(({ requirement, verdict }) => (['fail', 'warn'].includes(verdict) ? [requirement.id] : [])),
  )
  const unnamed = faults.flatMap((fault) => (fault?.kills.some((id) => red.has(id)) ? [] : [fault?.name]))
  expect(overall).toBe('non-conformant')
  expect(unnamed.length, `not named: ${unnamed.join(', ')}`).toBeLessThanOrEqual(4)
})
