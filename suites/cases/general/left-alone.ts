import { ledger } from '../../../schemas/ledger.ts'
import { type Operation, specifiedOperations } from '../../../schemas/operations.ts'
import { type Case, type CaseContext, NotRun } from '../../case.ts'
import { lift } from '../../generate/body.ts'
import { fieldOf, specificationSet } from '../../generate/fields.ts'
import { rulePlaces } from '../../generate/places.ts'
import { type Probe, walk } from '../../generate/probes.ts'
import { openControl, requireLook } from '../../request/control.ts'
import { canSeeDone, leftAloneBy } from '../../request/left-alone.ts'
import type { ReadyRequest } from '../../request/other-requests.ts'

const OPERATIONS = [
  'update-transform',
  'update-source',
  'update-preset-alert',
  'update-gateway-route',
  'create-preset-alert',
  'create-group-from-pipeline',
  'add-group-to-pipeline',
]

/** Places of the body itself and of its own fields, not of what is within those. */
const SHALLOW = /^(\/[^/]+)?$/

/** For each operation whose effect can be read: a request that was refused for a bad value was not carried out. */
export const leftAloneCases: readonly Case[] = specifiedOperations()
  .filter(({ id }) => OPERATIONS.includes(id))
  .map((operation) => {
    const tried = placesOf(operation)
    return {
      id: `${operation.id}/left-alone`,
      title: `what ${operation.id} refuses is not carried out`,
      operation: operation.id,
      features: [operation.feature],
      requirements: [...new Set(tried.flatMap(({ requirements }) => requirements))],
      cost: 20,
      run: (context) => refuseAndRead(context, operation, tried),
    }
  })

interface Tried {
  readonly pointer: string
  readonly requirements: readonly string[]
}

/**
 * Of each place what is stated to be refused; where nothing is, the first of what is implied. What would be made is known
 * by its name, which has to be a good one.
 */
function placesOf({ id, request }: Operation): Tried[] {
  const ref = request?.schema ?? ''
  return rulePlaces(specificationSet(), ref)
    .filter(({ pointer }) => SHALLOW.test(pointer) && !(id.startsWith('create-') && /^\/(name|title)?$/.test(pointer)))
    .map(({ pointer, requirements }) => {
      const stated = requirements.filter((id) => ledger().get(id)?.level === 'stated')
      return { pointer, requirements: stated.length > 0 ? stated : requirements.slice(0, 1) }
    })
}

async function refuseAndRead(context: CaseContext, { id, request }: Operation, tried: readonly Tried[]): Promise<void> {
  if (!canSeeDone(context, id)) {
    const gap = id.endsWith('preset-alert') ? 'GAP-PATHS-CONFIGURATION' : 'GAP-PATHS-PIPELINES'
    throw new NotRun('gap-unanswered', `the binding has no way to see what ${id} does (${gap})`, gap)
  }
  const wanted = tried.flatMap(({ pointer, requirements }) => {
    const probes = walk(fieldOf(request?.schema ?? '', pointer))
    return requirements.flatMap((requirement) =>
      context.wants(requirement) ? (nearMiss(probes, requirement) ?? []) : [],
    )
  })
  if (wanted.length === 0) return
  const { good, control } = await openControl(context, id)
  await control.mustAccept()
  await requireLook(id, (change) => control.changed(change))
  const leftAlone = leftAloneBy(context, id, control.group)
  await leftAlone.before(await good.request())
  const sent: ReadyRequest[] = []
  for (const { pointer, requirement, label, value, also } of wanted) {
    const named = also.filter((other) => other !== undefined)
    const data = named.length === 0 ? {} : { data: { also: named } }
    await control.probe(
      { kind: 'refuse', pointer, edge: label, ...(requirement === undefined ? {} : { requirement }), ...data },
      (good) => {
        sent.push(good)
        return { body: lift(good.body, pointer, value) }
      },
    )
    if (leftAlone.each) await leftAlone.after(sent.splice(0))
  }
  await leftAlone.after(sent)
}

/** The first bad value that breaks a requirement, and no other where there is such a one. */
function nearMiss(probes: readonly Probe[], requirement: string): Probe | undefined {
  return probes.find((probe) => probe.kind === 'refuse' && probe.requirement === requirement)
}
