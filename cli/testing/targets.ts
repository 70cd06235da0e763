import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startReference } from '../../reference/server.ts'
import { overlayOfVariant } from '../../reference/variants/core/variant.ts'
import { unstableVariant } from '../../reference/variants/unstable.ts'
import type { TargetConfig } from '../../schemas/types/config.ts'
import { configOf, type World } from './world.ts'

const EXAMPLES = join(fileURLToPath(new URL('../../', import.meta.url)), 'examples')
const EXAMPLE = join(EXAMPLES, 'second-server')
const THIRD = join(EXAMPLES, 'third-server')

/** The configuration that the second server comes with. */
export const SECOND_CONFIG: string = join(EXAMPLE, 'assay.config.json')

/** What the two servers are under, written by hand and by `assay bind`. */
export const SECOND_BINDING: string = join(EXAMPLE, 'binding.json')
export const THIRD_BINDING: string = join(THIRD, 'binding.json')

/** Starts the third server before a target; returns its URL. */
export async function startThirdServer(world: World, upstream: string): Promise<string> {
  const program = join(THIRD, 'server.mjs')
  const [url] = await world.start([], { program, env: { PORT: '0', UPSTREAM: upstream } }).said(/http:[^,\s]+/)
  return url
}

/** Starts the second server; returns its URL. */
export async function startSecondServer(world: World): Promise<string> {
  const program = join(EXAMPLE, 'server.mjs')
  const [url] = await world.start([], { program, env: { PORT: '0' } }).said(/http:[^,\s]+/)
  return url
}

/** Starts the reference on a bad day, and writes the configuration of a run that may do anything to it. */
export async function startUnstable(world: World, seed: number): Promise<void> {
  const variant = unstableVariant(seed)
  const reference = await startReference({ overlays: [overlayOfVariant(variant)] })
  world.onClose(reference.close)
  const consent = { modifyTarget: true, exclusions: true, suspend: true, archiving: true, allowOwnerDeletion: true }
  const { settleTimeout = 0 } = variant
  const more: Partial<TargetConfig> = { name: 'unstable', settleTimeout, consent }
  world.write('assay.config.json', configOf(reference, more))
}
