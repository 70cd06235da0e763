import type { Intent } from '../../schemas/types/exchange.ts'
import type { Call, CaseContext, Sent } from './case.ts'
import { drawProbes } from './generate/draw-probes.ts'
import type { Field } from './generate/field.ts'
import type { Probe } from './generate/probe.ts'
import { textProbes } from './generate/text-probes.ts'
import { walk } from './generate/walk.ts'
import { observedGap } from './observed-gap.ts'
import type { SceneRequest } from './scene.ts'
import { isBroken, type Twins } from './twins.ts'

/** Where the values of a field go, and what is left out. */
export interface Placing {
  readonly operation: string
  /** for findings: /title, path:component_id, query:from */
  readonly pointer: string
  /** what the request changes to with the value in its place */
  place(request: SceneRequest, value: unknown): Partial<Call>
  /** the value stands in a URL, as text */
  readonly inUrl?: 'path' | 'query'
  /** whether good values of a constraint are judged; else they are only observed */
  readonly acceptance: boolean
}

/** Requests that may go into making one failing value smaller. */
const MOST_SHRINKS = 80

/** Tries every edge and every constraint of a field once, then random values, and makes what fails as small as it can. */
export async function probeField(context: CaseContext, twins: Twins, field: Field, placing: Placing): Promise<void> {
  await twins.mustAccept()
  const failed = new Set<string>()
  const send = (probe: Probe, random: boolean): Promise<Sent | undefined> =>
    sendProbe(context, twins, probe, placing, random)
  const fitting = (probes: readonly Probe[]): readonly Probe[] =>
    placing.inUrl === undefined ? probes : textProbes(probes, placing.inUrl)
  for (const probe of fitting(walk(field))) {
    const sent = await send(probe, false)
    if (sent && isBroken(sent.judgements)) failed.add(`${probe.kind} ${probe.requirement}`)
  }
  // Good values are good by every constraint: where one is known to refuse some, nobody can tell which of them refuses.
  const refuses = [...failed].some((key) => key.startsWith('accept '))
  for (const probe of fitting(drawProbes(field, context.seed, context.runs))) {
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
  await twins.base()
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

async function sendProbe(
  context: CaseContext,
  twins: Twins,
  probe: Probe,
  placing: Placing,
  random: boolean,
): Promise<Sent | undefined> {
  const intent = intentOf(context, probe, placing, random)
  if (!intent) return undefined
  return twins.probe(intent, (request) => placing.place(request, probe.value))
}

/** What the probe means; undefined where it is not to be sent in this run. */
function intentOf(context: CaseContext, probe: Probe, placing: Placing, random: boolean): Intent | undefined {
  const { requirement } = probe
  const level = requirement === undefined ? 'open' : context.oracle.ledger.get(requirement)?.level
  const edge = random ? {} : { edge: probe.label }
  const open = probe.kind === 'observe' || level === 'open' || (probe.kind === 'accept' && !placing.acceptance)
  if (!open && requirement !== undefined) {
    if (!context.wants(requirement)) return undefined
    const also = probe.also.filter((id) => id !== undefined)
    const data = also.length === 0 ? {} : { data: { also } }
    return { kind: probe.kind, requirement, pointer: placing.pointer, ...edge, ...data }
  }
  const own = level === 'open' ? requirement : undefined
  const gap = own ?? observedGap(placing.operation, placing.pointer, probe.label, context.oracle.ledger)
  if (gap === undefined || random || !context.observes || !context.wants(gap)) return undefined
  return { kind: 'observe', requirement: gap, pointer: placing.pointer, probe: `${placing.pointer} ${probe.label}` }
}
