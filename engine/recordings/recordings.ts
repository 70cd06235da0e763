import { realpathSync } from 'node:fs'
import { addressOf, type Elsewhere } from '../../fixtures/har/address.ts'
import { Capture } from '../../fixtures/recording/capture.ts'
import { captured } from '../../fixtures/recording/captured.ts'
import { openUnchanged, type Recording, RecordingError, type RecordingProblem } from '../../fixtures/recording/read.ts'
import { baseOf } from '../../fixtures/replay/plan/scan.ts'
import { withWholeBodies } from '../../fixtures/segments/bodies.ts'
import { operationFinder } from '../../rules/core/viewer.ts'
import { type Binding, resolveBinding } from '../../schemas/binding.ts'
import { createMatcher } from '../../schemas/matcher.ts'
import type { Keep, TargetConfig } from '../../schemas/types/config.ts'
import type { CredentialScheme, Exchange } from '../../schemas/types/exchange.ts'
import { basePathOf } from '../../schemas/url.ts'
import type { Caller } from '../caller.ts'
import { type FoundBinding, givenBinding } from '../config/chosen-binding.ts'
import { loadConfig } from '../config/config.ts'
import { UsageError } from '../errors.ts'
import { bindingFor } from './recorded-binding.ts'

/** Opens what is named on a command line. @throws UsageError with every problem found */
export async function openAll(paths: readonly string[]): Promise<Recording[]> {
  const opened = await Promise.allSettled(paths.map((path) => openUnchanged(path)))
  const problems = opened.flatMap((one) => {
    if (one.status === 'fulfilled') return []
    if (!(one.reason instanceof RecordingError)) throw one.reason
    return [{ where: '', what: one.reason.message, hint: '' }]
  })
  if (problems.length > 0) throw new UsageError(...problems)
  const recordings = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  // Two recordings may hold one file: a folder, say, and one of its segments.
  const known = new Set<string>()
  for (const file of recordings.flatMap(({ files }) => files.map((one) => realpathSync(one)))) {
    if (known.has(file)) throw new UsageError({ where: file, what: 'it is named twice', hint: 'name it once' })
    known.add(file)
  }
  return recordings
}

export interface Reading {
  readonly binding: Binding
  /** base URL of the target, without a slash at its end */
  readonly target: string
  readonly credentials: ReadonlyMap<string, CredentialScheme>
  readonly ownerEmail: string | undefined
  readonly key: Uint8Array
  /** milliseconds by which the clocks of several recordings may be apart; left out: 0 */
  readonly apartMs?: number
  readonly onProblem: (problem: RecordingProblem) => void
  /**
   * hears, before the first exchange, of entries of HAR that go to other addresses than the target's, if there are any
   */
  readonly onElsewhere?: ((elsewhere: Elsewhere, path: string) => void) | undefined
  /** such entries are redacted as well, and kept; left out: they are left out */
  readonly keepElsewhere?: boolean
  /** what is kept where something is redacted */
  readonly keep?: Keep
  /** the recording carries the binding: the operations that it names need not be found anew */
  readonly carried?: boolean
}

/**
 * An exchange of traffic with the operation that the binding in force knows for it. A recording names operations by the
 * binding that it was made with, which may be another one, or none.
 */
function namedAnew({
  binding,
  target,
  carried,
}: Pick<Reading, 'binding' | 'target' | 'carried'>): (exchange: Exchange) => Exchange {
  if (carried === true) return (exchange) => exchange
  const find = operationFinder(binding, basePathOf(target))
  return (exchange) => {
    const { _operation: stored, _case, request } = exchange
    if (_case !== undefined) return exchange
    const operation = find(request.method, request.url)
    if (operation === stored) return exchange
    const { _operation: _stored, ...rest } = exchange
    return operation === undefined ? rest : { ...rest, _operation: operation }
  }
}

/**
 * The exchanges of a recording, ready to be judged, in the order in which they ended. Entries of HAR that assay did not
 * write are labelled, digested and redacted first. Those of other servers are reported.
 */
export async function* exchangesOf(recording: Recording, reading: Reading): AsyncGenerator<Exchange> {
  for await (const block of blocksOf(recording, reading)) yield* block
}

/** The same in blocks, which is faster. Read each once, before you ask for the next. */
export async function* blocksOf(recording: Recording, reading: Reading): AsyncGenerator<Iterable<Exchange>> {
  const options = { onProblem: reading.onProblem }
  if (recording.kind === 'segments') {
    const named = namedAnew(reading)
    for await (const block of recording.blocks(options)) yield whole(block, recording.folder, named)
    return
  }
  const capture = new Capture({
    binding: reading.binding,
    baseUrl: reading.target,
    credentials: reading.credentials,
    ownerEmail: reading.ownerEmail,
    key: reading.key,
    keep: reading.keep,
  })
  const all: Exchange[] = []
  for await (const exchange of recording.exchanges(options)) all.push(exchange)
  const { exchanges, elsewhere } = captured(all, reading.target, capture, reading.keepElsewhere)
  if (elsewhere.entries > 0) reading.onElsewhere?.(elsewhere, recording.path)
  yield exchanges
}

function* whole(block: Iterable<Exchange>, folder: string, named: ReturnType<typeof namedAnew>): Generator<Exchange> {
  for (const exchange of block) yield named(withWholeBodies(exchange, folder))
}

/** Exchanges of several sources, in the order in which they ended, as far as each source keeps it. */
export async function* merged(sources: readonly AsyncIterable<Exchange>[], apartMs = 0): AsyncGenerator<Exchange> {
  const heads = await Promise.all(
    sources.map(async (source, index) => {
      const iterator = source[Symbol.asyncIterator]()
      return { iterator, next: await iterator.next(), prefix: `${index + 1}:` }
    }),
  )
  for (;;) {
    const open = heads.filter(({ next }) => next.done !== true)
    const [first, ...others] = open
    if (!first) return
    const least = others.reduce(
      (best, head) => ((head.next.value as Exchange)._end < (best.next.value as Exchange)._end ? head : best),
      first,
    )
    const exchange = least.next.value as Exchange
    // Each recording counts from one.
    yield { ...widened(exchange, apartMs), _id: `${least.prefix}${exchange._id}` }
    least.next = await least.iterator.next()
  }
}

/** What recordings are read by. */
export interface ReadBy {
  readonly config: TargetConfig
  readonly found: FoundBinding
  readonly binding: Binding
  /** base URL of the service; undefined: it is not known, and no request belongs to it */
  readonly target: string | undefined
}

/** What recordings are read by: the configuration, or what they say themselves where there is none. @throws UsageError */
export async function readBy(
  recordings: readonly Recording[],
  given: Partial<Record<'config' | 'target' | 'binding', string | undefined>> &
    Pick<TargetConfig, 'features' | 'strict'>,
  caller: Caller,
): Promise<ReadBy> {
  const about = recordings.find((one) => one.about)?.about
  const config = await loadConfig(given.config ?? null, caller.env, caller.cwd, {
    baseUrl: given.target ?? about?.target ?? (given.config === undefined ? UNKNOWN : undefined),
    features: given.features,
    strict: given.strict,
  })
  const found = bindingFor(recordings, await givenBinding(given, caller))
  const binding = resolveBinding(found.data)
  let target = config.baseUrl === UNKNOWN ? undefined : config.baseUrl
  for (const recording of recordings) target ??= await likelyTarget(recording, binding)
  return { config, found, binding, target }
}

/** Stands for the address of a target that nobody knows. */
export const UNKNOWN = 'http://unknown.invalid'

/** @throws UsageError */
export function requireTarget(target: string | undefined, where: string): string {
  if (target !== undefined) return target
  const what = 'no request in it belongs to the service'
  throw new UsageError({ where, what, hint: 'give the address of the service with --target' })
}

/**
 * The address that most requests for known operations went to; undefined where there is none.
 * @throws RecordingError where the recording cannot be read
 */
export async function likelyTarget(recording: Recording, binding: Binding): Promise<string | undefined> {
  const counts = new Map<string, number>()
  const match = createMatcher(binding.operations.values())
  for await (const { request } of recording.exchanges()) {
    if (!/^https?:\/\//i.test(request.url)) continue
    const { origin, rest } = addressOf(request.url)
    const base = baseOf(request.method, rest.split('?')[0] ?? '', match)
    if (base !== undefined) counts.set(origin + base, (counts.get(origin + base) ?? 0) + 1)
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0]
}

/** An exchange that may have begun earlier, or ended later, than its clock says: two clocks are apart by `ms` at most. */
function widened(exchange: Exchange, ms: number): Exchange {
  return ms === 0 ? exchange : { ...exchange, _start: exchange._start - ms / 2, _end: exchange._end + ms / 2 }
}
