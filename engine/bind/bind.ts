import { rmSync } from 'node:fs'
import { UsageError } from '../errors.ts'
import { type Assembled, assemble } from './assemble.ts'
import { runPrefix } from './client.ts'
import { fromRecording, type Source } from './exchanges.ts'
import { combined, type Findings } from './found.ts'
import { infer } from './infer.ts'
import { fromOpenApi } from './openapi.ts'
import { readOpenApi } from './openapi-document.ts'
import { leavesOf } from './places.ts'
import { type Probed, type ProbeOptions, probeTarget } from './probe.ts'

/** Where a binding is to come from; at least one of the sources. */
export interface BindOptions extends Pick<ProbeOptions, 'account' | 'interrupted' | 'onStep'> {
  /** the target to ask; with `modify` things are made on it and removed again */
  readonly probe?: Pick<ProbeOptions, 'target' | 'modify'> & { readonly journal: (prefix: string) => string }
  /** OpenAPI 3 documents: path, and how messages call it */
  readonly openapi: readonly { readonly path: string; readonly name: string }[]
  /** recordings and HAR files */
  readonly recordings: readonly { readonly path: string; readonly name: string }[]
  /** name of the binding */
  readonly name: string
}

export interface Bound extends Assembled {
  /** undefined where no target was asked */
  readonly probed: Probed | undefined
  /** of a run that left something behind */
  readonly journal: string | undefined
}

/** Finds out how a target has the operations of the interface, and writes it as a binding. */
export async function bind(options: BindOptions): Promise<Bound> {
  const documents: Source[] = []
  for (const { path, name } of options.openapi)
    documents.push(fromOpenApi(await readOpenApi(path, name), name, options.account))
  const sources: Findings[] = documents.map(infer)
  let probed: Probed | undefined
  let journal: string | undefined
  if (options.probe) {
    const prefix = runPrefix()
    journal = options.probe.journal(prefix)
    probed = await probeTarget({ ...options, ...options.probe, prefix, journal, documented: joined(documents) })
    if (probed.left.length === 0) {
      rmSync(journal, { force: true })
      journal = undefined
    }
    if (probed.document) sources.push(infer(probed.document))
    sources.push(infer(probed.source))
  }
  for (const { path, name } of options.recordings) sources.push(infer(await fromRecording(path, name)))
  const findings = combined(sources)
  if (findings.operations.size === 0) {
    const where = [...options.openapi, ...options.recordings].map(({ name }) => name).join(', ')
    throw new UsageError({
      where,
      what: 'no operation of the interface was found in it',
      hint: 'check that it describes this service',
    })
  }
  return { ...assemble(findings, options.name), probed, journal }
}

/** Of several documents, the first that has an operation. */
function joined(documents: readonly Source[]): Source {
  const all = [...documents].reverse()
  return {
    routes: new Map(all.flatMap(({ routes }) => [...routes])),
    answers: new Map(all.flatMap(({ answers }) => [...answers])),
    open: new Map(all.flatMap(({ open }) => [...open])),
  }
}

/** A line of a binding that is there already and says something else than what was found; undefined: it has no such line. */
export interface Differing {
  readonly place: string
  readonly before: unknown
  readonly found: unknown
}

/** The lines in which two bindings differ, but for their names and where each line comes from. */
export function differing(before: unknown, found: unknown): Differing[] {
  const lines = (file: unknown): Map<string, unknown> =>
    new Map(
      leavesOf(file).flatMap(({ pointer, value }) => (/^\/(?:name|origins)\b/.test(pointer) ? [] : [[pointer, value]])),
    )
  const [ours, theirs] = [lines(before), lines(found)]
  return [...new Set([...ours.keys(), ...theirs.keys()])].flatMap((place) =>
    ours.get(place) === theirs.get(place) ? [] : [{ place, before: ours.get(place), found: theirs.get(place) }],
  )
}
