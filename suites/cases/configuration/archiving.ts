import fc from 'fast-check'
import { isNotFound, madeIn } from '../../../rules/core/reads.ts'
import { offered } from '../../../schemas/binding.ts'
import type { CaseIntent } from '../../../schemas/types/intents.ts'
import {
  type Call,
  type Case,
  type CaseContext,
  NotRun,
  type Params,
  requireConsent,
  requireOperation,
} from '../../case.ts'
import { draw, subSeed } from '../../generate/drawing.ts'
import { readBack, readGone } from '../../request/read-back.ts'
import { sendWithWrong } from '../general/credentials.ts'

const READ = 'get-archiving'
const CREATE = 'create-archiving'
const UPDATE = 'update-archiving'
const REMOVE = 'delete-archiving'

/** Names of buckets are drawn under the reserved ones: nothing there belongs to anybody. */
const BUCKET = 'assay-example'
const endings = fc.string({
  minLength: 1,
  maxLength: 8,
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'),
})

/** Throws NotRun unless archiving may be configured: the account is ours, or its owner agrees, and there is none yet. */
async function prepare(context: CaseContext): Promise<void> {
  requireConsent(context, 'archiving')
  for (const operation of [READ, CREATE, REMOVE]) requireOperation(context, operation)
  await requireFree(context)
}

/** An existing configuration is never touched: only where a read says that there is none may one be made. */
async function requireFree(context: CaseContext): Promise<void> {
  // Where each one has an id, a new one stands beside those that are there.
  if (context.binding.operations.get(READ)?.path.includes(`{${placeholder(context)}}`)) return
  const { view } = await context.send({ operation: READ, intent: { kind: 'setup' } })
  if (isNotFound(view)) return
  if (!view.accepted) {
    const what = `status ${view.status}, which does not say that archiving is missing`
    throw new NotRun('inconclusive', `cannot read whether archiving is configured: ${what}`)
  }
  const { response } = view
  const empty = response.kind === 'none' || (response.kind === 'json' && isEmpty(response.value))
  if (!empty) throw new NotRun('no-resource', 'archiving is already configured, and the run leaves it as it is')
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0)
}

async function live(context: CaseContext, ending: string): Promise<void> {
  const bucket = `${BUCKET}-${ending}`
  const params = await configure(context, bucket)
  await readBack(context, READ, params)
  if (offered(context.binding, UPDATE)) {
    await context.send({ ...writing(context, UPDATE, bucket), params, intent: { kind: 'base' } })
    await readBack(context, READ, params)
  }
  await remove(context, params)
}

async function remove(context: CaseContext, params: Params): Promise<void> {
  await context.send({ operation: REMOVE, params, intent: { kind: 'base' } })
  await readGone(context, READ, params)
}

/** Configures archiving. Returns what it is known by. */
async function configure(context: CaseContext, bucket: string, group?: string): Promise<Params> {
  const intent: CaseIntent = { kind: 'base', ...(group !== undefined && { group }) }
  const { view } = await context.send({ ...writing(context, CREATE, bucket), intent })
  if (!view.accepted) throw new NotRun('no-resource', 'archiving cannot be configured with the sample body')
  return { [placeholder(context)]: madeIn(view) ?? bucket }
}

/** The sample body with a bucket of its own, where it has one. */
function writing(context: CaseContext, operation: string, bucket: string): Call {
  const sample = context.fill(context.binding.operations.get(operation)?.body, { label: BUCKET })
  const text = JSON.stringify(sample)?.replaceAll(`"${BUCKET}"`, () => JSON.stringify(bucket))
  return { operation, body: text === undefined ? undefined : JSON.parse(text), label: bucket }
}

function placeholder(context: CaseContext): string {
  return context.binding.resources.get('archiving')?.id ?? 'archiving_id'
}

export const archivingCases: readonly Case[] = [
  {
    id: 'create-archiving/credentials',
    title: 'archiving is read and configured with right credentials only',
    // There is one configuration, which another case makes and removes.
    alone: true,
    async run(context) {
      await prepare(context)
      const [creating, reading] = [context.group(), context.group()]
      const params = await configure(context, BUCKET, creating)
      await context.send({ operation: READ, params, intent: { kind: 'base', group: reading } })
      await sendWithWrong(context, reading, () => ({ operation: READ, params }))
      await remove(context, params)
      await sendWithWrong(context, creating, () => writing(context, CREATE, BUCKET))
    },
  },
  // One account has one configuration: all that is done with it is done here, one after the other.
  {
    id: 'create-archiving/life',
    title: 'archiving is configured, changed and removed, and read as it was written',
    async run(context) {
      await prepare(context)
      const rounds = draw(endings, subSeed(context.seed, 'buckets'), Math.max(2, Math.ceil(context.runs / 20)))
      for (const ending of rounds) await live(context, ending)
    },
  },
]
