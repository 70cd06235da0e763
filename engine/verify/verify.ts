import type { KeyObject } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { FileFault, readPlain, readPlainJson, requirePlain } from '../../fixtures/plain-file.ts'
import { standingOf } from '../../reports/expectations/expectations.ts'
import { bounded } from '../../reports/text.ts'
import type { BundleManifest } from '../../schemas/types/bundle.ts'
import type { Report } from '../../schemas/types/report.ts'
import { Disagreement, EVIDENCE, FACTS, MANIFEST, REPORT, rootOf, SIGNATURE, unpackBundle } from '../bundle/bundle.ts'
import { isSignedBy } from '../bundle/keys.ts'
import { ownProblems, placeIn } from '../config/record-problems.ts'
import { givenFile } from '../errors.ts'
import { suiteHash } from '../hash.ts'
import { assembleReport } from '../judge/assemble.ts'
import { factsFault, type RunFacts } from '../judge/facts.ts'
import { evidenceIn } from '../judge/judge.ts'

/** What a bundle that agrees with itself says. */
export interface Verified {
  readonly report: Report
  /** whether it carries a signature, checked or not */
  readonly signed: boolean
  /**
   * whether the report tells of each requirement how many deliberate faults of it are noticed as this assay would. It
   * concerns the suite and proves nothing about the target: another proof of the same suite may differ.
   */
  readonly sameStrength: boolean
}

/** What becomes of a bundle: what it says, or the first thing in it that does not agree with the rest. */
export type Verification =
  | (Verified & { readonly verified: true })
  | { readonly verified: false; readonly where: string; readonly what: string }

/**
 * Works everything in a bundle out again: the hashes of its files, its signature where a key is given, and from its
 * evidence every verdict. Needs no network. @throws UsageError where there is no such file
 */
export async function verify(path: string, cwd: string, key: KeyObject | undefined): Promise<Verification> {
  const file = resolve(cwd, path)
  givenFile(() => requirePlain(file, 'given'), path, '`assay certify --bundle <file>` writes a bundle')
  const folder = mkdtempSync(join(tmpdir(), 'assay-verify-'))
  try {
    return { verified: true, ...(await verified(file, folder, key)) }
  } catch (error) {
    if (!(error instanceof Disagreement)) throw error
    return { verified: false, where: error.where, what: error.message }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** `folder`: an empty one to unpack into. @throws Disagreement for the first thing that does not agree */
async function verified(path: string, folder: string, key: KeyObject | undefined): Promise<Verified> {
  const hashes = await unpackBundle(path, folder)
  const bytes = bytesOf(folder, MANIFEST, hashes)
  const manifest = parsed(folder, MANIFEST, hashes) as BundleManifest
  const [problem] = ownProblems('bundle', manifest, MANIFEST)
  if (problem) throw new Disagreement(problem.where, problem.what)
  const signature = hashes.has(SIGNATURE) ? bytesOf(folder, SIGNATURE, hashes).toString('utf8') : undefined
  if (key) {
    if (signature === undefined) throw new Disagreement(MANIFEST, 'is not signed')
    if (!isSignedBy(bytes, signature, key)) throw new Disagreement(SIGNATURE, 'is not a signature by this key')
  }
  if (rootOf(manifest) !== manifest.root) throw new Disagreement(MANIFEST, 'does not agree with its own hash')
  requireHashes(manifest, hashes)
  if (manifest.suiteHash !== suiteHash()) {
    const what = `was judged by another suite (${manifest.suite}, hash ${manifest.suiteHash.slice(0, 12)}…); this one is ${suiteHash().slice(0, 12)}…`
    throw new Disagreement(MANIFEST, what)
  }
  const report = parsed(folder, REPORT, hashes) as Report
  const facts = parsed(folder, FACTS, hashes) as RunFacts
  const fault = factsFault(facts)
  if (fault) throw new Disagreement(placeIn(FACTS, fault.pointer), fault.what)
  const sameStrength = await requireVerdicts(report, facts, join(folder, EVIDENCE))
  if (manifest.seed !== facts.seed) throw new Disagreement(MANIFEST, 'names another seed than the facts')
  return { report, signed: signature !== undefined, sameStrength }
}

function read<T>(folder: string, name: string, hashes: ReadonlyMap<string, string>, how: (path: string) => T): T {
  if (!hashes.has(name)) throw new Disagreement(name, 'is missing')
  try {
    return how(join(folder, name))
  } catch (thrown) {
    throw thrown instanceof FileFault ? new Disagreement(name, thrown.message) : thrown
  }
}

function parsed(folder: string, name: string, hashes: ReadonlyMap<string, string>): unknown {
  const { value } = read(folder, name, hashes, (path) => readPlainJson(path, 'found'))
  if (value === undefined) throw new Disagreement(name, 'is not JSON')
  return value
}

function bytesOf(folder: string, name: string, hashes: ReadonlyMap<string, string>): Buffer {
  return read(folder, name, hashes, (path) => readPlain(path, 'found', MOST_MANIFEST))
}

/** Bytes of a manifest or a signature: a line for each of some dozens of files. */
const MOST_MANIFEST = 1 << 20

function requireHashes({ files }: BundleManifest, hashes: ReadonlyMap<string, string>): void {
  for (const [name, expected] of Object.entries(files)) {
    const found = hashes.get(name)
    if (found === undefined) throw new Disagreement(name, 'is missing')
    if (found !== expected) throw new Disagreement(name, 'was changed: it has another hash than the manifest says')
  }
  for (const name of hashes.keys()) {
    if (name !== MANIFEST && name !== SIGNATURE && !Object.hasOwn(files, name)) {
      throw new Disagreement(name, 'is not named in the manifest')
    }
  }
}

/** Returns whether report and evidence agree in what the suite is worth, too. */
async function requireVerdicts(report: Report, facts: RunFacts, evidence: string): Promise<boolean> {
  let again: Report
  try {
    again = JSON.parse(JSON.stringify(await assembleReport(evidenceIn(evidence), facts))) as Report
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    throw new Disagreement(EVIDENCE, `cannot be judged (${reason.replaceAll(evidence, EVIDENCE)})`)
  }
  const { expectations, baseline, ...told } = report
  requireStanding({ expectations, baseline }, again, facts)
  if (!firstDifference(told, again)) return true
  requireSame(withoutStrength(told), withoutStrength(again))
  return false
}

function requireSame(told: unknown, again: unknown): void {
  const difference = firstDifference(told, again)
  if (!difference) return
  const { pointer, left, right } = difference
  throw new Disagreement(`${REPORT}#${pointer}`, `says ${left}, but the evidence gives ${right}`)
}

/** How a run stands to what was expected of it follows from its verdicts, and from what the facts say was expected. */
function requireStanding(
  told: { readonly expectations: unknown; readonly baseline: unknown },
  again: Report,
  { heldTo = {} }: RunFacts,
): void {
  for (const name of ['expectations', 'baseline'] as const) {
    const where = `${REPORT}#/${name}`
    if (told[name] !== undefined && heldTo[name] === undefined) {
      throw new Disagreement(where, 'is there, but the facts of the run hold no such list')
    }
  }
  const { expectations, baseline } = standingOf(again, heldTo)
  requireSame(told, { expectations, baseline })
}

/** A report of unchecked form, without its statements about the suite. */
function withoutStrength(report: Omit<Report, 'expectations' | 'baseline'>): unknown {
  if (!Array.isArray(report.requirements)) return report
  const requirements = report.requirements.map((result) => {
    if (result?.evidence === null || typeof result?.evidence !== 'object') return result
    const { mutants: _worth, ...evidence } = result.evidence
    return { ...result, evidence }
  })
  return { ...report, requirements }
}

/** Where two JSON values differ first. */
export interface Difference {
  /** `/requirements/NODE-TITLE-MAX/verdict`: elements with an id are named by it */
  readonly pointer: string
  readonly left: string
  readonly right: string
}

const LONGEST = 200

/** The first place at which two JSON values differ; undefined where they are equal. The order of keys does not count. */
export function firstDifference(left: unknown, right: unknown, pointer = ''): Difference | undefined {
  if (Object.is(left, right)) return undefined
  if (!isObject(left) || !isObject(right) || Array.isArray(left) !== Array.isArray(right)) {
    return { pointer, left: shown(left), right: shown(right) }
  }
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const [a, b] = [
      Object.hasOwn(left, key) ? left[key] : undefined,
      Object.hasOwn(right, key) ? right[key] : undefined,
    ]
    const found = firstDifference(a, b, `${pointer}/${nameOf(key, a)}`)
    if (found) return found
  }
  return undefined
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function nameOf(key: string, value: unknown): string {
  return isObject(value) && typeof value.id === 'string' ? value.id : key
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : bounded(JSON.stringify(value), LONGEST)
}
