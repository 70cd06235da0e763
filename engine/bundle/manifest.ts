import { createHash } from 'node:crypto'
import type { BundleManifest } from '../../schemas/types/bundle.ts'

/** Names of the files in a bundle. The manifest comes first, then its signature, where there is one. */
export const MANIFEST = 'bundle.json'
export const SIGNATURE = 'bundle.sig'
export const REPORT = 'report.json'
export const FACTS = 'facts.json'
export const EVIDENCE = 'evidence'

/** Files of evidence, in its folder. */
export const SEGMENT: RegExp = /^(exchanges|cases)-[\w-][\w.-]*$/

/** The manifest with the hash over all of it. */
export function sealed(manifest: Omit<BundleManifest, 'root'>): BundleManifest {
  return { ...manifest, root: rootOf(manifest) }
}

/** SHA-256, hexadecimal, of everything in a manifest but this hash itself. */
export function rootOf(manifest: Omit<BundleManifest, 'root'>): string {
  const { format, formatVersion, suite, suiteHash, node, seed, files } = manifest
  const sorted = Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1))
  return sha256(JSON.stringify([format, formatVersion, suite, suiteHash, node, seed, sorted]))
}

export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}
