import { listIn, madeIn } from '../../../rules/core/reads.ts'
import { shown } from '../../../rules/core/words.ts'
import {
  type Case,
  type CaseContext,
  type CredentialChoice,
  type Made,
  NotRun,
  type Params,
  refusedBy,
  requireOperation,
  type Sent,
  unlessNotRun,
} from '../../case.ts'
import { openControl, requireLook } from '../../request/control.ts'
import { openFeed } from '../../request/lines.ts'
import { readBack, settle } from '../../request/read-back.ts'
import { usageQuery } from '../../request/usage.ts'

/** The longest name that a key may have (section 'Limits'). */
const LONGEST = 30

/** A good request that makes a key, ready to be changed in one place. */
interface KeyRequest {
  readonly operation: string
  readonly query: Params
  readonly body: Readonly<Record<string, unknown>>
}

/** Throws NotRun where the target does not offer the operation. */
function keyRequest(context: CaseContext, name: string, operation: string = context.operation): KeyRequest {
  const bound = requireOperation(context, operation)
  const body = context.fill(bound.body ?? {}, { label: name })
  const query = context.fill(bound.query, { label: name })
  return { operation, query: query as Record<string, string>, body: body as Record<string, unknown> }
}

/** A name of exactly so many characters that starts with the run's prefix, and is filled with one letter. */
function nameOf(context: CaseContext, length: number, letter = 'x'): string {
  return context.label().padEnd(length, letter).slice(0, length)
}

/** Sends the good request. Throws NotRun where it is not carried out. */
async function base(context: CaseContext, group: string, params: Params = {}): Promise<void> {
  const request = keyRequest(context, context.label().slice(0, LONGEST))
  const { view } = await context.send({ ...request, params, intent: { kind: 'base', group } })
  if (!view.accepted) throw refusedBy(view, 'no-resource', `${request.operation} is answered with`)
}

/** The request with 'service' where it says 'ingestion'. */
function ofService({ operation, query, body }: KeyRequest): KeyRequest {
  const swap = <T>(fields: Readonly<Record<string, T>>): Record<string, T | string> =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value === 'ingestion' ? 'service' : value]))
  return { operation, query: swap(query), body: swap(body) }
}

function choosesType({ query, body }: KeyRequest, type: string): boolean {
  return [...Object.values(query), ...Object.values(body)].includes(type)
}

/** Code points and UTF-16 units count it as one, bytes as two. */
const TWO_BYTES = 'é'

/** Sends a key with a name of the longest length, filled with one letter. */
async function longest(context: CaseContext, letter: string, group: string): Promise<void> {
  const about = { requirement: 'KEY-NAME-ACCEPTED', edge: `length ${LONGEST}, of ${letter}`, group }
  const request = keyRequest(context, nameOf(context, LONGEST, letter))
  await context.send({ ...request, intent: { kind: 'accept', ...about } })
}

/** Whether a short name with the letter is taken: which letters a name may have is not stated. */
async function takes(context: CaseContext, letter: string, group: string): Promise<boolean> {
  const name = `${context.label()}${letter}`
  const { view } = await context.send({ ...keyRequest(context, name), intent: { kind: 'base', group } })
  return view.accepted
}

/** Keys of the run that are in one list, at most. */
const MOST_KEYS = 30

/** The types of keys (section 'Key resource'). */
type KeyType = 'ingestion' | 'service'

/**
 * Makes a key, and tells its id and what stands for its secret. Throws NotRun where these cannot be had: whether a target
 * makes such keys is left to it, so nobody has to do anything about that.
 */
async function madeKey(context: CaseContext, wanted: KeyType): Promise<{ readonly id: unknown; readonly key: string }> {
  const create = requireOperation(context, 'create-enterprise-key')
  const label = context.label()
  const given = keyRequest(context, label, create.id)
  const request = wanted === 'service' ? ofService(given) : given
  const { view } = await context.send({ ...request, label, intent: { kind: 'setup' } })
  const says = choosesType(request, wanted) ? `the type \`${wanted}\`` : 'nothing that chooses a type'
  const asked = `${create.id} was sent ${says}`
  if (!view.accepted) throw new NotRun('not-provoked', `${asked}, and returned ${view.status}`)
  const look = async (): Promise<Readonly<Record<string, unknown>> | undefined> => {
    const { view: list } = await context.send({ operation: 'list-enterprise-keys', intent: { kind: 'setup' } })
    return listIn(list)?.find((one) => one.id === madeIn(view))
  }
  let own: Awaited<ReturnType<typeof look>>
  await settle(
    context,
    async () => (own ??= await look()),
    (found) => found !== undefined,
  )
  if (own?.type !== wanted || typeof own.key !== 'string') {
    const type = own?.type === undefined ? 'no type of it' : `the type ${shown(own.type)}`
    const shows = own?.type === wanted ? 'no `key` of it' : type
    throw new NotRun('not-provoked', `${asked}, and list-enterprise-keys shows ${own ? shows : 'no such key'}`)
  }
  return { id: own.id, key: own.key }
}

/** A key is made, or renamed, with names that are longer than the text allows. */
function tooLong(operation: string, title: string): Case {
  return {
    id: `${operation}/name-too-long`,
    title,
    async run(context) {
      const group = context.group()
      const { params } = operation.startsWith('update') ? await context.make('enterprise-key') : { params: {} }
      await requireLook(context.operation, (change) =>
        context.send({ ...keyRequest(context, nameOf(context, LONGEST)), params, ...change }),
      )
      for (const length of [LONGEST + 1, 2 * LONGEST, 300]) {
        await base(context, group, params)
        const request = keyRequest(context, nameOf(context, length))
        await context.send({ ...request, params, intent: { kind: 'provoke', probe: 'key-name-too-long', group } })
      }
      await base(context, group, params)
    },
  }
}

/** Sends lines with an ingestion key that was made, and with one that nobody has. */
async function tryIngestionKey(context: CaseContext): Promise<void> {
  const feed = openFeed(context)
  // Only where lines are taken with a known key, a refusal is that of the new one.
  await feed.send([{ app: feed.app() }])
  const { id, key } = await madeKey(context, 'ingestion')
  const about = { kind: 'observe', probe: 'made-key', group: context.group() } as const
  const send = (choice: Pick<CredentialChoice, 'variant' | 'value'>, more: object): Promise<Sent> =>
    feed.sendOnce([{ app: feed.app() }], { ...about, ...more }, undefined, [{ scheme: 'ingestion-key', ...choice }])
  await send({ variant: 'unknown' }, { data: { unknown: true } })
  await settle(
    context,
    (final) => send({ variant: 'right', value: key }, { final, data: { unknown: false, id } }),
    ({ view }) => view.accepted,
  )
}

/** Undefined: there can be no more keys. How many an enterprise may have is not said. */
function madeAnother(context: CaseContext): Promise<Made | undefined> {
  return unlessNotRun(() => context.make('enterprise-key'))
}

export const keyCases: readonly Case[] = [
  {
    id: 'list-enterprise-keys/all',
    title: 'a key that was created is in the list, with the time of its creation',
    async run(context) {
      const list = context.binding.resources.get('enterprise-key')?.list
      for (let count = 0; count < 2; count += 1) {
        await context.make('enterprise-key')
        await readBack(context, list, {})
      }
      // A list that is cut at so many shows the older ones, or the newer.
      for (let count = 2; count < Math.min(MOST_KEYS, context.runs); count += 1) {
        if (!(await madeAnother(context))) break
      }
      await readBack(context, list, {})
    },
  },
  {
    id: 'list-enterprise-keys/key-authenticates',
    title: 'the secret of a key that was made authenticates requests',
    async run(context) {
      await madeAnother(context)
      const { id, key: secret } = await madeKey(context, 'service')
      const about = { kind: 'observe', probe: 'made-key', group: context.group() } as const
      const organisation = context.schemes.has('access-token')
      const token: CredentialChoice[] = organisation ? [{ scheme: 'access-token', variant: 'right' }] : []
      const made: CredentialChoice = { scheme: 'enterprise-key', variant: 'right', value: secret }
      const send = (credentials: readonly CredentialChoice[], unknown = false): Promise<Sent> =>
        context.send({ credentials, intent: { ...about, data: { unknown, id } } })
      await send([{ scheme: 'enterprise-key', variant: 'unknown' }], true)
      // It may take a while until a new key is known everywhere.
      const isTaken = ({ view }: Sent): boolean => view.accepted
      if (isTaken(await settle(context, () => send([made]), isTaken))) return
      if (isTaken(await send([made, ...token]))) return
      const operation = 'list-usage-by-tag'
      const credentials: CredentialChoice[] = [{ scheme: 'service-key', variant: 'right', value: secret }]
      const intent = { ...about, final: true, data: { unknown: false } }
      await context.send({ operation, query: usageQuery(context, operation, 7, 1), credentials, intent })
    },
  },
  {
    id: 'list-enterprise-keys/ingestion-key-authenticates',
    title: 'lines are taken with an ingestion key that was made',
    run: tryIngestionKey,
  },
  {
    id: 'list-enterprise-keys/invalid-query',
    title: 'an invalid query is refused with 400 and the stated error',
    async run(context) {
      const { query } = context.answer<{ query?: Record<string, string> }>('GAP-KEYS-INVALID-QUERY')
      if (!query) throw new NotRun('gap-unanswered', 'GAP-KEYS-INVALID-QUERY', 'GAP-KEYS-INVALID-QUERY')
      const { control } = await openControl(context)
      await control.probe({ kind: 'provoke', probe: 'invalid-query' }, () => ({ query }))
      await control.end()
    },
  },
  tooLong('create-enterprise-key', 'an enterprise key with a name of 31 characters is refused'),
  tooLong('update-enterprise-key', 'a new name of 31 characters for an enterprise key is refused'),
  {
    id: 'create-key/name-lengths',
    title: 'a key of the organisation has a name of some length',
    async run(context) {
      if (!context.observes) return
      await base(context, context.group())
      for (const length of [LONGEST, LONGEST + 1, 300]) {
        const about = { requirement: 'GAP-ORGANISATION-KEY-NAME', edge: `a name of ${length} characters` }
        const request = keyRequest(context, nameOf(context, length))
        await context.send({ ...request, intent: { kind: 'observe', ...about } })
      }
    },
  },
  {
    id: 'create-key/service-key',
    title: 'a service key can no longer be created',
    async run(context) {
      const group = context.group()
      for (let count = 0; count < 2; count += 1) {
        await base(context, group)
        const request = ofService(keyRequest(context, nameOf(context, LONGEST)))
        if (!choosesType(request, 'service'))
          throw new NotRun('gap-unanswered', 'the binding does not say how the type of a new key is chosen')
        await context.send({ ...request, intent: { kind: 'provoke', probe: 'service-key', group } })
      }
      await base(context, group)
    },
  },
  {
    id: 'create-enterprise-key/longest-name',
    title: 'an enterprise key with a name of 30 characters is created',
    async run(context) {
      const plain = context.group()
      await base(context, plain)
      await longest(context, 'x', plain)
      await base(context, plain)
      const accented = context.group()
      if (!(await takes(context, TWO_BYTES, accented))) return
      await longest(context, TWO_BYTES, accented)
      await takes(context, TWO_BYTES, accented)
    },
  },
]
