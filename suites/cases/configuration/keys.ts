import { probes } from '../../../schemas/records/intents.ts'
import { type Case, type CaseContext, NotRun, notOffered } from '../../case.ts'
import { requireLook } from '../../request/control.ts'

/** The longest name that a key may have (section 'Limits'). */
const LONGEST = 30

/** A good request that makes a key, ready to be changed in one place. */
interface KeyRequest {
  readonly operation: string
  readonly query: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}

/** Throws NotRun where the target does not offer the operation. */
function keyRequest(context: CaseContext, operation: string, name: string): KeyRequest {
  const bound = context.binding.operations.get(operation)
  if (bound?.offered !== true)
    throw notOffered(bound, new NotRun('no-resource', `the target does not offer ${operation}`))
  const body = context.fill(bound.body ?? {}, { label: name })
  const query = context.fill(bound.query, { label: name })
  return { operation, query: query as Record<string, string>, body: body as Record<string, unknown> }
}

/** A name of exactly so many characters that starts with the run's prefix, and is filled with one letter. */
function nameOf(context: CaseContext, length: number, letter = 'x'): string {
  return context.label().padEnd(length, letter).slice(0, length)
}

/** Sends the good request. Throws NotRun where it is not carried out. */
async function base(context: CaseContext, operation: string, group: string): Promise<void> {
  const request = keyRequest(context, operation, context.label().slice(0, LONGEST))
  const { view } = await context.send({ ...request, intent: { kind: 'base', group } })
  if (!view.accepted) throw new NotRun('no-resource', `${operation} is answered with ${view.status}`)
}

/** The request with 'service' where it says 'ingestion'. Throws NotRun where it says neither. */
function ofService({ operation, query, body }: KeyRequest): KeyRequest {
  const swap = <T>(fields: Readonly<Record<string, T>>): Record<string, T | string> =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value === 'ingestion' ? 'service' : value]))
  const words = [...Object.values(query), ...Object.values(body)]
  if (!words.includes('ingestion')) {
    throw new NotRun('gap-unanswered', 'the binding does not say how the type of a new key is chosen')
  }
  return { operation, query: swap(query), body: swap(body) }
}

export const keyCases: readonly Case[] = [
  {
    id: 'create-enterprise-key/name-too-long',
    title: 'an enterprise key with a name of 31 characters is refused',
    operation: 'create-enterprise-key',
    features: ['enterprise-keys'],
    requirements: ['KEY-NAME-REFUSED'],
    cost: 8,
    async run(context) {
      const operation = 'create-enterprise-key'
      const group = context.group()
      await requireLook(operation, (change) =>
        context.send({ ...keyRequest(context, operation, nameOf(context, LONGEST)), ...change }),
      )
      for (const length of [LONGEST + 1, 2 * LONGEST, 300]) {
        await base(context, operation, group)
        const request = keyRequest(context, operation, nameOf(context, length))
        await context.send({ ...request, intent: { kind: 'provoke', probe: probes.longKeyName, group } })
      }
      await base(context, operation, group)
    },
  },
  {
    id: 'create-key/name-lengths',
    title: 'a key of the organisation has a name of some length',
    operation: 'create-key',
    features: ['keys'],
    requirements: ['GAP-ORGANISATION-KEY-NAME'],
    cost: 5,
    async run(context) {
      if (!context.observes) return
      await base(context, 'create-key', context.group())
      for (const length of [LONGEST, LONGEST + 1, 300]) {
        const intent = {
          kind: 'observe' as const,
          requirement: 'GAP-ORGANISATION-KEY-NAME',
          edge: `a name of ${length} characters`,
        }
        await context.send({ ...keyRequest(context, 'create-key', nameOf(context, length)), intent })
      }
    },
  },
  {
    id: 'create-key/service-key',
    title: 'a service key can no longer be created',
    operation: 'create-key',
    features: ['keys'],
    requirements: ['AUTH-SERVICE-KEY-CLOSED'],
    cost: 5,
    async run(context) {
      const group = context.group()
      for (let count = 0; count < 2; count += 1) {
        await base(context, 'create-key', group)
        const request = ofService(keyRequest(context, 'create-key', nameOf(context, LONGEST)))
        await context.send({ ...request, intent: { kind: 'provoke', probe: probes.serviceKey, group } })
      }
      await base(context, 'create-key', group)
    },
  },
]

/** Code points and UTF-16 units count it as one, bytes as two. */
const TWO_BYTES = 'é'

const REQUIREMENT = 'KEY-NAME-ACCEPTED'
const OPERATION = 'create-enterprise-key'

/** Sends a key with a name of the longest length, filled with one letter. */
async function longest(context: CaseContext, letter: string, group: string): Promise<void> {
  const name = nameOf(context, LONGEST, letter)
  const intent = { kind: 'accept' as const, requirement: REQUIREMENT, edge: `length ${LONGEST}, of ${letter}`, group }
  await context.send({ ...keyRequest(context, OPERATION, name), intent })
}

/** Whether a short name with the letter is taken: which letters a name may have is not stated. */
async function takes(context: CaseContext, letter: string, group: string): Promise<boolean> {
  const name = `${context.label()}${letter}`
  const { view } = await context.send({ ...keyRequest(context, OPERATION, name), intent: { kind: 'base', group } })
  return view.accepted
}

export const longestNameCases: readonly Case[] = [
  {
    id: 'create-enterprise-key/longest-name',
    title: 'an enterprise key with a name of 30 characters is created',
    operation: OPERATION,
    features: ['enterprise-keys'],
    requirements: [REQUIREMENT],
    cost: 6,
    async run(context) {
      const plain = context.group()
      await base(context, OPERATION, plain)
      await longest(context, 'x', plain)
      await base(context, OPERATION, plain)
      const accented = context.group()
      if (!(await takes(context, TWO_BYTES, accented))) return
      await longest(context, TWO_BYTES, accented)
      await takes(context, TWO_BYTES, accented)
    },
  },
]
