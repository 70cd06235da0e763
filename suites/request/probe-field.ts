import type { CaseIntent } from '../../schemas/types/intents.ts'
import type { Call, CaseContext, Sent } from '../case.ts'
import type { Field } from '../generate/fields.ts'
import { plausibleWords, type WordChoice } from '../generate/plausible-words.ts'
import { drawProbes, type Probe, textProbes, walk } from '../generate/probes.ts'
import { type Control, isBroken, requireLook } from './control.ts'
import { isWorthSending, observedGap } from './observed-gap.ts'
import type { ReadyRequest } from './other-requests.ts'
import type { Stored } from './read-back.ts'

/** Where the values of a field are placed in the request, and which are left out. */
export interface Placing {
  readonly operation: string
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

/** Tries every edge and every constraint of a field once, then random values, and makes what fails as small as it can. `control`: was accepted. */
export async function probeField(
  context: CaseContext,
  control: Control,
  field: Field,
  placing: Placing,
): Promise<void> {
  if (placing.inUrl === undefined) await requireLook(placing.operation, (change) => control.changed(change))
  const failed = new Set<string>()
  const probes = fittingOf([...walk(field), ...wordProbes(context, field)], placing)
  const wanted = wantedBy(context, probes, placing)
  const send = async (probe: Probe, random: boolean): Promise<Sent | undefined> => {
    const requirement = probe.requirement ?? ''
    const intent = intentOf(context, probe, placing, {
      random,
      wanted: random ? context.wants(requirement) : wanted(probe),
    })
    if (!intent) return undefined
    const read = random || probe.kind !== 'accept' ? undefined : placing.stored?.read
    return control.probe(intent, (request) => placing.place(request, probe.value), read)
  }
  const taken = new Set<string>()
  for (const probe of probes) {
    if (probe.after !== undefined && !taken.has(probe.after)) continue
    const sent = await send(probe, false)
    if (!sent) continue
    if (isBroken(sent.judgements)) failed.add(`${probe.kind} ${probe.requirement}`)
    if (probe.kind === 'accept' && sent.view.accepted) taken.add(probe.label)
  }
  // A drawn good value keeps every constraint. Where some good values are refused, it cannot show which constraint refuses.
  const refuses = [...failed].some((key) => key.startsWith('accept '))
  for (const probe of fittingOf(drawProbes(field, context.seed, context.runs), placing)) {
    const key = `${probe.kind} ${probe.requirement}`
    if (failed.has(key) || (refuses && probe.kind === 'accept')) continue
    const sent = await send(probe, true)
    if (!sent || !isBroken(sent.judgements)) continue
    failed.add(key)
    await shrink(probe, async (smaller) => {
      const again = await send(smaller, true)
      return again !== undefined && isBroken(again.judgements)
    })
  }
  await control.base()
}

/** How many words that an enumeration does not list are tried. */
const WORDS: Readonly<Record<CaseContext['profile'], Omit<WordChoice, 'seed'>>> = {
  quick: { likely: 16, others: 4 },
  standard: { likely: undefined, others: 60 },
  thorough: { likely: undefined, others: undefined },
}

/** Enumerations are closed: words that somebody might have added are refused. */
function wordProbes(context: CaseContext, field: Field): Probe[] {
  const members = (field.schema.enum ?? []).filter((one) => typeof one === 'string')
  const broken = field.misses.find(({ keyword }) => keyword === 'enum')
  if (members.length === 0 || !broken) return []
  const { pointer } = field
  const known = new Set(broken.edges.map(({ value }) => value))
  const sources = { schemas: context.oracle.schemas, ledger: context.oracle.ledger, binding: context.binding }
  return plausibleWords(members, sources, { ...WORDS[context.profile], seed: context.seed })
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
