import type { CaseIntent } from '../../schemas/types/intents.ts'
import type { Call, CaseContext, Sent } from '../case.ts'
import { subSeed } from '../generate/drawing.ts'
import type { Field } from '../generate/fields.ts'
import { plausibleWords } from '../generate/plausible-words.ts'
import { drawProbes, type Probe, textProbes, walk } from '../generate/probes.ts'
import { type Control, isBroken } from './control.ts'
import { fewer, type HowMuch, howMuch, type Most, type Wanted } from './how-much.ts'
import { isWorthSending, observedGap } from './observed-gap.ts'
import type { ReadyRequest } from './other-requests.ts'
import type { Stored } from './read-back.ts'

/** Where the values of a field are placed in the request, and which are left out. */
export interface Placing {
  readonly operation: string
  /** the operations that take the same schema in some place */
  readonly among: readonly string[]
  /** for findings: /title, path:component_id, query:from */
  readonly pointer: string
  /** what the request changes to with the value in its place */
  place(request: ReadyRequest, value: unknown): Partial<Call>
  /** the value stands in a URL, as text */
  readonly inUrl?: 'path' | 'query'
  /** whether good values of a constraint are judged; else they are only observed */
  readonly acceptance: boolean
  /** how the good values at the bounds are read again once they were taken */
  readonly stored?: Stored | undefined
}

/** Requests that may go into making one failing value smaller. */
const MOST_SHRINKS = 80

/**
 * Tries the edges of every constraint of a field, then random values, and makes what fails as small as it can. All edges
 * are tried where it is the turn of this operation, few at the others. `control`: was accepted.
 */
export async function probeField(
  context: CaseContext,
  control: Control,
  field: Field,
  placing: Placing,
): Promise<void> {
  const much = howMuch(context.profile, context.isTurn(placing.among))
  const failed = new Set<string>()
  const send = ({ probe, intent }: Wanted): Promise<Sent> => {
    const read = intent.edge === undefined || probe.kind !== 'accept' ? undefined : placing.stored?.read
    return control.probe(intent, (request) => placing.place(request, probe.value), read)
  }
  const taken = new Set<string>()
  for (const one of edgesOf(context, field, placing, much)) {
    const { probe } = one
    if (probe.after !== undefined && !taken.has(probe.after)) continue
    const sent = await send(one)
    if (isBroken(sent.judgements)) failed.add(`${probe.kind} ${probe.requirement}`)
    if (probe.kind === 'accept' && sent.view.accepted) taken.add(probe.label)
  }
  // A drawn good value keeps every constraint. Where some good values are refused, it cannot show which constraint refuses.
  const refuses = [...failed].some((key) => key.startsWith('accept '))
  for (const one of randomOf(context, field, placing, much)) {
    const { probe } = one
    const key = `${probe.kind} ${probe.requirement}`
    if (failed.has(key) || (refuses && probe.kind === 'accept')) continue
    if (!isBroken((await send(one)).judgements)) continue
    failed.add(key)
    await shrink(probe, async (smaller) => isBroken((await send({ ...one, probe: smaller })).judgements))
  }
}

/** The values written by hand that are tried at a place. */
function edgesOf(context: CaseContext, field: Field, placing: Placing, much: HowMuch): readonly Wanted[] {
  const edges = fittingOf(walk(field), placing)
  const words = fittingOf(wordProbes(context, field, much), placing)
  const wanted = wantedBy(context, edges, placing)
  const meant = (probe: Probe): readonly Wanted[] => {
    const intent = intentOf(context, probe, placing, { random: false, wanted: wanted(probe) })
    return intent ? [{ probe, intent }] : []
  }
  const mostOf = ({ probe, intent }: Wanted): Most => {
    if (intent.kind === 'observe') return intent.requirement === undefined ? much.odd : much.open
    if (intent.kind === 'accept') return much.good
    // A fraction is one more of the wrong types.
    if (probe.keyword === 'type' && field.schema.type === 'integer')
      return { ...much.types, first: much.types.first + 1 }
    return probe.keyword === 'type' ? much.types : probe.keyword === 'format' ? much.formats : much.edges
  }
  return [...fewer(edges.flatMap(meant), mostOf, subSeed(context.seed, placing.pointer)), ...words.flatMap(meant)]
}

function randomOf(context: CaseContext, field: Field, placing: Placing, much: HowMuch): readonly Wanted[] {
  const { runs } = context
  const drawn = fittingOf(drawProbes(field, context.seed, runs), placing).flatMap((probe): Wanted[] => {
    const wanted = context.wants(probe.requirement ?? '')
    const intent = intentOf(context, probe, placing, { random: true, wanted })
    return intent ? [{ probe, intent }] : []
  })
  const share = ({ probe }: Wanted): number => (probe.keyword === 'type' ? much.randomTypes : much.random)
  return fewer(drawn, (one) => ({ first: Math.ceil(runs * share(one)), drawn: 0 }), context.seed)
}

/** Enumerations are closed: words that somebody might have added are refused. */
function wordProbes(context: CaseContext, field: Field, { words }: HowMuch): Probe[] {
  const members = (field.schema.enum ?? []).filter((one) => typeof one === 'string')
  const broken = field.misses.find(({ keyword }) => keyword === 'enum')
  if (members.length === 0 || !broken) return []
  const { pointer } = field
  const known = new Set(broken.edges.map(({ value }) => value))
  const sources = { schemas: context.oracle.schemas, ledger: context.oracle.ledger, binding: context.binding }
  return plausibleWords(members, sources, { ...words, seed: context.seed })
    .filter(({ value }) => !known.has(value))
    .map((edge) => ({
      ...{ kind: 'refuse' as const, pointer, keyword: 'enum', requirement: broken.requirement, also: [] },
      ...edge,
      smaller: () => [],
    }))
}

function fittingOf(probes: readonly Probe[], { inUrl }: Placing): readonly Probe[] {
  return inUrl === undefined ? probes : textProbes(probes, inUrl)
}

/** Whether a good value is sent: for its own requirement, for a probe that waits for it, or for the read after it. */
function wantedBy(context: CaseContext, probes: readonly Probe[], { stored }: Placing): (probe: Probe) => boolean {
  const wants = (requirement: string | undefined): boolean => requirement !== undefined && context.wants(requirement)
  return (probe) =>
    wants(probe.requirement) ||
    (probe.kind === 'accept' &&
      (wants(stored?.requirement) ||
        probes.some(({ after, requirement }) => after === probe.label && wants(requirement))))
}

async function shrink(start: Probe, stillFails: (probe: Probe) => Promise<boolean>): Promise<void> {
  let smallest = start
  for (let sent = 0; sent < MOST_SHRINKS; ) {
    let next: Probe | undefined
    for (const candidate of smallest.smaller()) {
      sent += 1
      if (await stillFails(candidate)) next = candidate
      if (next || sent >= MOST_SHRINKS) break
    }
    if (!next) return
    smallest = next
  }
}

/** What the probe means; undefined where it is not to be sent in this run. `random`: its value was drawn. */
function intentOf(
  context: CaseContext,
  probe: Probe,
  placing: Placing,
  { random, wanted }: { readonly random: boolean; readonly wanted: boolean },
): CaseIntent | undefined {
  const { requirement } = probe
  const level = requirement === undefined ? 'open' : context.oracle.ledger.get(requirement)?.level
  const edge = random ? {} : { edge: probe.label }
  const open = probe.kind === 'observe' || level === 'open' || (probe.kind === 'accept' && !placing.acceptance)
  if (!open && requirement !== undefined) {
    if (!wanted) return undefined
    const also = probe.also.filter((id) => id !== undefined)
    const about = { requirement, pointer: placing.pointer, ...edge }
    if (probe.kind === 'accept') return { kind: 'accept', ...about }
    return { kind: 'refuse', ...about, ...(also.length === 0 ? {} : { data: { also } }) }
  }
  const own = level === 'open' ? requirement : undefined
  const gap = own ?? observedGap(placing.operation, placing.pointer, probe.label, context.oracle.ledger)
  if (random || !context.observes) return undefined
  const observed: CaseIntent = { kind: 'observe', pointer: placing.pointer, edge: probe.label }
  if (gap !== undefined) return context.wants(gap) ? { ...observed, requirement: gap } : undefined
  return isWorthSending(placing.operation, placing.pointer, probe.label) ? observed : undefined
}
