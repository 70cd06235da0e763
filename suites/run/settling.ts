import { setTimeout as sleep } from 'node:timers/promises'
import type { Session } from '../../fixtures/http/session.ts'
import { openJournal } from '../../fixtures/journal.ts'
import { isThere, listIn } from '../../rules/core/reads.ts'
import { createOracle } from '../../rules/oracle.ts'
import { type Binding, offered, resolveBinding } from '../../schemas/binding.ts'
import { features } from '../../schemas/features.ts'
import { fillTemplate } from '../../schemas/template.ts'
import { basePathOf } from '../../schemas/url.ts'
import { type LineContext, type Made, unlessNotRun } from '../case.ts'
import { secretsOf } from '../request/credentials.ts'
import { EXPORTS, exportOnce, marksIn, recent } from '../request/exports.ts'
import { openFeed } from '../request/lines.ts'
import { createSender, type Sender } from '../request/sender.ts'
import { cleanUp } from '../resources/cleanup.ts'
import { type Entry, Maker } from '../resources/maker.ts'
import type { RunContext } from './run-context.ts'
import { freshState } from './worker.ts'

/** Milliseconds within which a line has to come out, and a thing to be there. */
const LONGEST_MS = 10_000
const POLL_MS = 100
/** What may take longer than the one line or thing took. */
const MARGIN = 2
/** So many looks in a row: several copies of what is stored may answer in turn, some of them late. */
const IN_ROW = { line: 3, thing: 10 }
/** Kinds of things that need no others and act on nothing, the first that the target has. */
const KINDS = ['view', 'board', 'pipeline']
const PREFLIGHT = { kind: 'preflight' } as const
const CASE = 'settling'

/** What measuring needs of the run. */
export interface SettlingOptions {
  readonly run: RunContext
  readonly session: Session
  /** `lines`: it reads some, and may send one; `features`: of which it makes things anyway */
  readonly about: { readonly lines: boolean; readonly features: ReadonlySet<string> }
  stopped(): boolean
}

/** Milliseconds until a line came out, and until a thing was seen where it belongs; 0: at once. Left out: nobody knows. */
export interface Settling {
  readonly line?: number | undefined
  readonly thing?: number | undefined
  /** what of lines the run may send after it */
  readonly budget?: LineContext['budget']
}

/** The milliseconds after which reads count. */
export function settleTimeOf({ line = 0, thing = 0 }: Settling): number {
  return Math.ceil((MARGIN * Math.max(line, thing)) / 100) * 100
}

/** What both measurements need. */
interface Measuring extends Pick<SettlingOptions, 'run' | 'stopped'>, Pick<LineContext, 'binding' | 'budget'> {
  readonly sender: Sender
  label(): string
}

/**
 * Sends one line and asks for it until it comes out. Makes a thing, looks until it is there, removes it and looks until it
 * is gone. The journal has it, as all that a run makes. Says nothing where the target does not let it be done in time.
 */
export async function measureSettling({ run, session, about, stopped }: SettlingOptions): Promise<Settling> {
  const binding = resolveBinding(run.binding)
  const judge = createOracle({ binding, basePath: basePathOf(run.baseUrl), settleMs: 0 }).createJudge()
  const { credentials, enterprise, sink } = run
  const shared = { ...freshState(run, binding), binding }
  const asked = { credentials, enterprise, sink, caseId: CASE, readOnly: false, stopped: () => false }
  // As of another run: no recording of this one knows what is sent.
  const prefix = run.runPrefix.replace(/[^-]+$/, (name) => [...name].reverse().join(''))
  let labels = 0
  const label = (): string => {
    labels += 1
    return `${prefix}-settle-${labels}`
  }
  const measuring = { ...shared, run, stopped, label, sender: createSender({ ...shared, ...asked, session, judge }) }
  const line = about.lines ? await unlessNotRun(() => measureLine(measuring)) : undefined
  const journal = await openJournal(run.journal, !run.embedded)
  const maker = new Maker({ ...shared, run, journal }, { caseId: CASE, label, others: () => [] })
  const thing = await unlessNotRun(() => measureThing(measuring, about.features, maker))
  await journal.close()
  return { line, thing, budget: shared.budget }
}

/** Milliseconds from now until something begins to hold. Undefined: not in time. */
async function timeUntil(
  times: number,
  stopped: () => boolean,
  holds: () => Promise<boolean>,
): Promise<number | undefined> {
  const began = performance.now()
  let since = 0
  for (let inRow = 0; inRow < times; ) {
    if (stopped() || performance.now() - began > LONGEST_MS) return undefined
    if (await holds()) inRow += 1
    else {
      inRow = 0
      await sleep(POLL_MS)
      since = performance.now() - began
    }
  }
  return since
}

async function measureLine({ run, binding, budget, sender, label, stopped }: Measuring): Promise<number | undefined> {
  const operation = 'ingest-lines'
  const context: LineContext = {
    operation,
    binding,
    schemes: new Set(secretsOf(run.credentials).values()),
    fill: fillTemplate,
    label,
    budget,
    send: (call) => sender.send({ operation, ...call }),
  }
  const feed = openFeed(context)
  await feed.send([{ app: feed.app() }])
  const id = EXPORTS.find((one) => offered(binding, one))
  if (id === undefined) return undefined
  const asked = { ...recent(), hosts: [feed.host] }
  return timeUntil(IN_ROW.line, stopped, async () => marksIn(await exportOnce(context, id, asked, PREFLIGHT)).size > 0)
}

/** The longer of what it takes to be there, and to be gone. */
async function measureThing(
  { binding, sender, stopped }: Measuring,
  made: ReadonlySet<string>,
  maker: Maker,
): Promise<number | undefined> {
  const isMade = (operation: string): boolean =>
    features().some(({ id, operations }) => made.has(id) && operations.includes(operation))
  const type = KINDS.find((kind) => {
    const { create = '', delete: remove } = binding.resources.get(kind) ?? {}
    return isMade(create) && offered(binding, create) && offered(binding, remove)
  })
  if (type === undefined || stopped()) return undefined
  try {
    const thing = await maker.make(type, {}, sender.send)
    const there = await timeUntil(IN_ROW.thing, stopped, () => isSeen(thing, true, binding, sender))
    const [entry] = maker.entries
    if (there === undefined || !entry) return undefined
    await removeAll()
    const gone = entry.removed ? await timeUntil(IN_ROW.thing, stopped, () => isSeen(thing, false, binding, sender)) : 0
    return Math.max(there, gone ?? 0)
  } finally {
    await removeAll()
  }

  function removeAll(): Promise<unknown> {
    const left = maker.entries.filter(({ removed }) => !removed)
    return cleanUp(left, { binding, send: sender.send }, (entry: Entry) => maker.removed(entry))
  }
}

/** Whether no look at a thing, alone or in its list, says the opposite. A list in pages may be long: it is left alone. */
async function isSeen({ type, id, params }: Made, there: boolean, binding: Binding, sender: Sender): Promise<boolean> {
  const { read = '', list = '', key = 'id' } = binding.resources.get(type) ?? {}
  if (offered(binding, read)) {
    const { view } = await sender.send({ operation: read, params, intent: PREFLIGHT })
    if (isThere(view, id, key) === !there) return false
  }
  const listing = offered(binding, list)
  if (!listing || listing.pages) return true
  const { view } = await sender.send({ operation: list, intent: PREFLIGHT })
  const elements = listIn(view)
  return !elements || elements.some((element) => String(element[key]) === id) === there
}
