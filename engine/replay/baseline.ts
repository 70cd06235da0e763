import { rmSync } from 'node:fs'
import { readJournal } from '../../fixtures/journal.ts'
import { openRecording } from '../../fixtures/recording/read.ts'
import type { Difference } from '../../fixtures/replay/compare/differences.ts'
import { LINES } from '../../fixtures/replay/plan/dependencies.ts'
import { scanRecording } from '../../fixtures/replay/plan/scan.ts'
import { operationName, type Step } from '../../fixtures/replay/plan/schedule.ts'
import type { Replayed } from '../../fixtures/replay/replay-step.ts'
import { holdsValue, madeUpIn, replaceTokens } from '../../fixtures/replay/values/tokens.ts'
import type { Binding } from '../../schemas/binding.ts'
import { jsonIn } from '../../schemas/json.ts'
import type { Consent, TargetConfig } from '../../schemas/types/config.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import type { IgnoreEntry } from '../../schemas/types/ignore.ts'
import { basePathOf } from '../../schemas/url.ts'
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
  const noise = new BaselineNoise(binding, left)
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
    chosen: running.scan.exchanges,
    outcome: createOutcome([], () => true),
    onReplayed: (replayed) => noise.add(replayed),
  }
  await runPass(running, pass)
  leaveJournal(places.journal, running)
  rmSync(places.evidence, { recursive: true, force: true })
  const { entries, refused } = noise.learned()
  if (refused.size > 0) onNotice({ kind: 'not noise', reasons: refused })
  return entries
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

/** Kinds that stand for the account as a whole. */
const CONSENTS: ReadonlyMap<string, 'exclusions' | 'suspend' | 'archiving'> = new Map([
  ['exclusion', 'exclusions'],
  ['suspension', 'suspend'],
  ['archiving', 'archiving'],
])

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

export interface Learned {
  readonly entries: readonly IgnoreEntry[]
  /** why differences are none that happen by themselves -> how many; not those at places that were learned all the same */
  readonly refused: ReadonlyMap<string, number>
}

/** Something that the first replay made, and that is still there. */
export interface LeftOver {
  readonly type: string
  readonly label: string
  readonly id: string | undefined
}

/** A difference that is weighed when everything is known that the first replay changed. */
interface Pending {
  readonly operation: string
  readonly pointer: string
  readonly number: number
  readonly shows: readonly string[]
  /** why it teaches nothing, whatever comes */
  readonly refused: string | undefined
}

const MOST_PENDING = 20_000
const MOST_NAMES = 1 << 16
/** Shorter values are found in a request by chance. */
const SHORTEST_ECHO = 4
const OUTCOMES = 'a status or a missing response is not noise'
const LOST = 'the request used something that the second replay had not learned'
const OWN = 'the recording makes it'
const ECHOED = 'the response repeats the request'
const SENT = 'the lines of both replays are mixed'
const CHANGED = 'the first replay had changed it'
const FAILED = 'the second replay could not change it'
const WEATHER = 'a request failed that may work the next time'
const MANY = 'there are too many'
/** Fields by which things go. */
const LABELS = ['name', 'title', 'email', 'description', 'label']
const INGESTS = /ingest/
const SHOWS_LINES = /^(export-|list-usage|get-usage)/

/**
 * A place that differs between two replays of the same recording differs by itself, unless the first replay changed
 * something there. Takes what comes of the second, whose recording is the first.
 */
export class BaselineNoise {
  readonly #pending: Pending[] = []
  #dropped = 0
  /** ids and names of what both replays made */
  readonly #own = new Set<string>()
  readonly #makers = new Set<string>()
  readonly #labels = new Set(LABELS)
  /** lists with things in them that the first replay left */
  readonly #littered = new Set<string>()
  /** thing that the recording did not make -> place of the last request that changed it */
  readonly #changed = new Map<string, number>()
  readonly #failed = new Set<string>()
  /** lines, or those of a host, that the first replay sent */
  readonly #sent = new Set<string>()

  /** `left`: what the first replay made and could not be removed. */
  constructor({ resources }: Pick<Binding, 'resources'>, left: readonly LeftOver[]) {
    for (const { label, id } of left) for (const name of [label, id ?? '']) if (name !== '') this.#own.add(name)
    for (const [type, { create, list, label }] of resources) {
      if (create !== undefined) this.#makers.add(create)
      if (label !== undefined) this.#labels.add(label)
      if (list !== undefined && left.some((one) => one.type === type)) this.#littered.add(list)
    }
  }

  add({ step, exchange, compared, doubt, lost }: Replayed): void {
    const made = step.exchange.request.method === 'POST' || this.#makers.has(step.dependencies.operation?.id ?? '')
    if (made && isAccepted(step.exchange)) this.#noteMade(step.exchange)
    if (made && exchange && isAccepted(exchange)) this.#noteMade(exchange)
    this.#noteChange(step)
    const { differences = [] } = compared ?? {}
    if (differences.length === 0) return
    const operation = operationName(step)
    const { things, writes } = step.dependencies
    if (writes && differences.some(({ pointer }) => pointer === 'status' || pointer === 'outcome'))
      this.#noteFailure(step)
    const shows = [...things].flatMap(([thing, mode]) => (mode === 'read' || mode === 'own' ? [thing] : []))
    if (SHOWS_LINES.test(step.dependencies.operation?.id ?? '') && !shows.some(isLines)) shows.push(LINES)
    for (const one of differences) {
      const refused = doubt ? WEATHER : this.#reasonOf(one, step, operation, lost.length > 0)
      if (this.#pending.length < MOST_PENDING) {
        this.#pending.push({ operation, pointer: one.pointer, number: step.number, shows, refused })
      } else this.#dropped += 1
    }
  }

  /** to be asked when all is done */
  learned(): Learned {
    const entries = new Map<string, IgnoreEntry>()
    const refused: [key: string, reason: string][] = []
    for (const one of this.#pending) {
      const { operation, pointer } = one
      const key = `${operation} ${pointer}`
      const reason = one.refused ?? this.#laterReason(one)
      if (reason === undefined) entries.set(key, { operation, pointer })
      else refused.push([key, reason])
    }
    const counts = new Map<string, number>()
    for (const [key, reason] of refused) if (!entries.has(key)) counts.set(reason, (counts.get(reason) ?? 0) + 1)
    if (this.#dropped > 0) counts.set(MANY, this.#dropped)
    return { entries: [...entries.values()], refused: counts }
  }

  #noteMade(exchange: Exchange): void {
    const { request, response } = exchange
    const names = [...madeUpIn(response.content.text ?? ''), ...labelsIn(request.postData?.text, this.#labels)]
    for (const name of names) if (this.#own.size < MOST_NAMES) this.#own.add(name)
  }

  /** What a request of the first replay did to the target. */
  #noteChange({ exchange: first, dependencies, number }: Step): void {
    const { method } = first.request
    if (!dependencies.writes || first._outcome !== 'complete' || first.response.status >= 300) return
    const id = dependencies.operation?.id ?? ''
    if (INGESTS.test(id) || (id === '' && dependencies.things.has(LINES))) {
      for (const thing of dependencies.things.keys()) if (thing.startsWith(LINES)) this.#sent.add(thing)
      return
    }
    if (this.#makers.has(id) || dependencies.uses.some((used) => this.#own.has(used))) return
    if (dependencies.path.split('/').some((segment) => this.#own.has(segment))) return
    for (const [thing, mode] of dependencies.things) {
      if (mode === 'pass' || mode === 'read') continue
      // A thing that nobody knows how to remove is there once more after each replay.
      const always = id === '' && method === 'POST'
      this.#changed.set(thing, always ? Number.POSITIVE_INFINITY : Math.max(number, this.#changed.get(thing) ?? 0))
    }
  }

  #noteFailure({ dependencies }: Step): void {
    for (const [thing, mode] of dependencies.things) if (mode !== 'pass' && mode !== 'read') this.#failed.add(thing)
    for (const told of dependencies.tells) this.#failed.add(`#${told}`)
  }

  /** Whether an element that one list has and the other has not is something that a replay made, as far as it is shown. */
  #isOwn({ pointer, kind, recorded, replayed }: Difference, operation: string): boolean {
    if (kind !== 'missing' && kind !== 'added') return false
    if (!pointer.endsWith('/*')) return false
    if (this.#littered.has(operation)) return true
    const text = recorded + replayed
    let found = text.endsWith('…') && this.#own.size > 0
    replaceTokens(text, (token) => {
      if (this.#own.has(token)) found = true
      return token
    })
    return found || [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].some(([, name = '']) => this.#own.has(name))
  }

  #reasonOf(one: Difference, { exchange }: Step, operation: string, lost: boolean): string | undefined {
    if (one.pointer === 'status' || one.pointer === 'outcome') return OUTCOMES
    if (lost) return LOST
    if (isEchoed(one, exchange)) return ECHOED
    return this.#isOwn(one, operation) ? OWN : undefined
  }

  #laterReason({ shows, number, pointer }: Pending): string | undefined {
    if (pointer.startsWith('header:')) return undefined
    if (shows.some((thing) => isLines(thing) && (this.#sent.has(thing) || (thing === LINES && this.#sent.size > 0))))
      return SENT
    // A request that named no host may have sent lines of any.
    if (shows.some(isLines) && this.#sent.size === 1 && this.#sent.has(LINES)) return SENT
    if (shows.some((thing) => (this.#changed.get(thing) ?? -1) > number)) return CHANGED
    return shows.some((thing) => this.#failed.has(thing)) ? FAILED : undefined
  }
}

function isAccepted({ _outcome, response }: Exchange): boolean {
  return _outcome === 'complete' && response.status < 300
}

function isLines(thing: string): boolean {
  return thing === LINES || thing.startsWith(`${LINES} `)
}

/** Whether the new answer has what was sent where the first one had something else: the first may have been hidden since. */
function isEchoed({ kind, recorded, replayed }: Difference, { request }: Exchange): boolean {
  const sent = `${request.url} ${request.postData?.text ?? ''}`
  const holds = (text: string): boolean => {
    const value = text.replace(/^"(.*)"$/s, '$1')
    return value.length >= SHORTEST_ECHO && holdsValue(sent, value)
  }
  return kind === 'changed' && holds(replayed) && !holds(recorded)
}

/** Names that a body gives. */
function labelsIn(text: string | undefined, labels: ReadonlySet<string>): string[] {
  const body = jsonIn(text)
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return []
  return Object.entries(body).flatMap(([name, value]) =>
    labels.has(name) && typeof value === 'string' && value !== '' ? [value] : [],
  )
}
