import { rmSync } from 'node:fs'
import { readJournal } from '../../fixtures/journal.ts'
import { openRecording } from '../../fixtures/recording/read.ts'
import { operationName } from '../../fixtures/replay/plan/dependencies.ts'
import { scanRecording } from '../../fixtures/replay/plan/scan.ts'
import type { Replayed } from '../../fixtures/replay/sender.ts'
import type { Binding } from '../../schemas/binding.ts'
import { setBounded } from '../../schemas/bounded.ts'
import type { Consent, TargetConfig } from '../../schemas/types/config.ts'
import type { IgnoreEntry } from '../../schemas/types/ignore.ts'
import { basePathOf } from '../../schemas/url.ts'
import { CONSENTS } from '../consent.ts'
import { entriesOf, type JournalEntry, removeEntries } from '../leftovers.ts'
import { createOutcome } from './outcome.ts'
import { leaveJournal, type Pass, placesIn, type RunningReplay, runPass, shiftOf } from './pass.ts'
import { BASELINE, type Left } from './plan.ts'

/** Replays what was just made once more, to learn what differs by itself. The other argument: of the pass that made it. */
export async function learnBaseline(
  running: RunningReplay,
  { places: first, tried }: Pick<Pass, 'places' | 'tried'>,
): Promise<readonly IgnoreEntry[]> {
  const { options, binding, target, events } = running
  const { stopped, onNotice } = events
  if (stopped()) return []
  const consent = options.embedded ? undefined : (options.config.consent ?? {})
  const left = await clearPass({ journal: first.journal, binding, target, consent, stopped })
  if (left.length > 0) onNotice({ kind: 'not cleared', left })
  if (stopped()) return []
  const recording = await openRecording(first.evidence)
  const scan = await scanRecording(recording.exchanges(), binding.operations.values())
  const noise = new BaselineNoise(left.length === 0)
  const places = placesIn(options.out, BASELINE)
  const basePath = scan.basePath === '' ? basePathOf(target.baseUrl) : scan.basePath
  const pass: Pass = {
    recording,
    scan,
    basePath,
    shift: shiftOf(scan, options, binding),
    places,
    isChosen: ({ _id }) => !tried.has(_id),
    tried: new Set(),
    outcome: createOutcome([], () => true),
    onReplayed: (replayed) => noise.add(replayed),
  }
  await runPass(running, pass)
  leaveJournal(places.journal, running)
  rmSync(places.evidence, { recursive: true, force: true })
  return noise.learned()
}

export interface Clearing {
  readonly journal: string
  readonly binding: Binding
  readonly target: TargetConfig
  /** undefined: of a target that assay started itself, which needs none */
  readonly consent: Consent | undefined
  readonly stopped: () => boolean
}

/**
 * Removes what a journal says that a pass made, as `assay cleanup` does, and notes it there; returns what is, or may be,
 * still there. Requests that would touch the whole account are left out without the consent that they need.
 */
export async function clearPass({ journal, binding, target, consent, stopped }: Clearing): Promise<Left[]> {
  const content = readJournal(journal)
  const entries = entriesOf(content)
  const forbidden = entries.flatMap((entry): Left[] => {
    const missing = consent && missingConsent(entry, consent, target)
    return missing === undefined ? [] : [{ ...entry, consent: missing }]
  })
  const allowed = entries.filter(({ key }) => !forbidden.some((one) => 'key' in one && one.key === key))
  if (allowed.length === 0) return forbidden
  const left = await removeEntries(allowed, { journal, content, binding, target, name: 'clear', stopped })
  return [...forbidden, ...left.map((entry) => ({ ...entry, consent: undefined }))]
}

function missingConsent(
  { type, label, id }: JournalEntry,
  consent: Consent,
  { resources }: TargetConfig,
): string | undefined {
  const needed = CONSENTS.get(type)
  if (needed !== undefined && consent[needed] !== true) return `consent.${needed}`
  const owner = resources?.ownerEmail
  const isOwner = type === 'member' && owner !== undefined && (label === owner || id === owner)
  return isOwner && consent.allowOwnerDeletion !== true ? 'consent.allowOwnerDeletion' : undefined
}

/** Differences that teach nothing: whether something was answered at all, and log lines, which nobody removes. */
const NO_NOISE = /^(status|outcome|body|lines.*)$/
/** Whether the same was done. */
const RESULT = /^(status|outcome)$/
/** The lines of the first replay count in these. */
const COUNTS_LINES = /usage|^export-/
/** An element that one list has and the other has not. */
const ELEMENT = /\/\*$/
const MOST_ENTRIES = 20_000
const MOST_NAMES = 1 << 18

/** A place that differs, and when and where it was seen. */
interface Seen {
  readonly entry: IgnoreEntry
  readonly number: number
  readonly sees: ReadonlySet<string>
}

/** Collects the places that differ between two replays of one recording: they differ by themselves. */
export class BaselineNoise {
  readonly #isClear: boolean
  readonly #seen: Seen[] = []
  /** name of what was changed -> number of the last step that did; infinite: the two replays left it different */
  readonly #changed = new Map<string, number>()

  /** `isClear`: all that the first replay made was removed */
  constructor(isClear: boolean) {
    this.#isClear = isClear
  }

  /** Takes what comes of the second replay, whose recording is the first. */
  add({ step: { exchange, dependencies, number }, compared, doubt, lost }: Replayed): void {
    const operation = operationName(exchange.request.method, dependencies)
    const differs = compared?.differences.some(({ pointer }) => RESULT.test(pointer)) ?? true
    const last = differs ? Number.POSITIVE_INFINITY : number
    for (const name of differs || exchange.response.status < 300 ? dependencies.changes : [])
      setBounded(this.#changed, name, Math.max(this.#changed.get(name) ?? 0, last), MOST_NAMES)
    // What was not made, or failed for a moment, differs for another reason.
    if (doubt || lost.length > 0 || COUNTS_LINES.test(operation)) return
    for (const { pointer } of compared?.differences ?? []) {
      const isLeft = ELEMENT.test(pointer) && !this.#isClear
      if (isLeft || NO_NOISE.test(pointer) || this.#seen.length >= MOST_ENTRIES) continue
      this.#seen.push({ entry: { operation, pointer }, number, sees: dependencies.sees })
    }
  }

  /** To be asked when all is done: what the first replay changed after it had looked, the second one finds changed. */
  learned(): readonly IgnoreEntry[] {
    const isOwn = ({ number, sees }: Seen): boolean => [...sees].some((name) => (this.#changed.get(name) ?? 0) > number)
    const found = this.#seen.filter((one) => !isOwn(one)).map(({ entry }) => entry)
    return [...new Map(found.map((entry) => [`${entry.operation} ${entry.pointer}`, entry])).values()]
  }
}
