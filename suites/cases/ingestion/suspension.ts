import { takesLines } from '../../../rules/core/reads.ts'
import { jsonOf } from '../../../rules/core/view.ts'
import type { TargetOperation } from '../../../schemas/binding.ts'
import { at } from '../../../schemas/pointer.ts'
import { placeholders } from '../../../schemas/template.ts'
import type { CaseIntent, ProbeName } from '../../../schemas/types/intents.ts'
import {
  type Call,
  type Case,
  type CaseContext,
  NotRun,
  requireConsent,
  requireOperation,
  type Sent,
  unlessNotRun,
} from '../../case.ts'
import { exportUntil, marksIn, recent, V2 } from '../../request/exports.ts'
import { openFeed } from '../../request/lines.ts'
import { isUndecided, mayLookLater, settle, untilLater } from '../../request/read-back.ts'
import { sendWithWrong } from '../general/credentials.ts'

const SECOND = 'confirm-suspension'
const BASE: CaseIntent = { kind: 'base' }
const OPEN = { kind: 'observe', requirement: 'GAP-SUSPENSION-CONSECUTIVE' } as const

/** Takes back what the two calls do, and the first alone. */
const RESUME: Call = { operation: 'resume-ingestion', params: { suspension: 'suspension' } }

/** Confirms with tokens that are not the one of the first call, and looks each time whether ingestion goes on. */
async function tryTokens(context: CaseContext): Promise<void> {
  const attempt = async (token: unknown, probe: ProbeName, group: string): Promise<void> => {
    // Calls before may have failed, or come only now.
    if ((await readStatus(context, { kind: 'read', group })) !== true) return
    await confirm(context, token, { ...OPEN, probe, group })
    // A suspension may take as long as the settle time to show.
    await settle(
      context,
      (final) => readStatus(context, { kind: 'read', group, final }),
      (running) => running === false,
    )
    await resume(context)
    await untilRunning(context, true)
  }
  await suspendOnce(context)
  await attempt('00000000-0000-4000-8000-000000000000', 'a token that was never given', context.group())
  const using = context.group()
  const { token } = await suspendTwice(context, { ...BASE, group: using })
  await resume(context)
  await untilRunning(context, true)
  if (token === undefined) return
  await attempt(token, 'a token that was used', using)
  const earlier = await suspendOnce(context)
  await resume(context)
  const following = context.group()
  const later = await suspendOnce(context, { ...BASE, group: following })
  // A target may hand out one token for all: then none is older than another.
  if (earlier.token !== undefined && earlier.token !== later.token)
    await attempt(earlier.token, 'a token of an earlier suspension', following)
  else await resume(context)
}

/** Throws NotRun unless the target may be suspended: it is ours, or its configuration agrees, and ingestion runs now. */
async function prepare(context: CaseContext): Promise<void> {
  const operations = ['get-ingestion-status', 'suspend-ingestion', SECOND, 'resume-ingestion']
  for (const id of operations) requireOperation(context, id)
  requireConsent(context, 'suspend')
  // A call of before may count as the first of the two.
  await context.send({ ...RESUME, intent: BASE })
  if ((await readStatus(context, BASE)) !== true)
    throw new NotRun('inconclusive', 'ingestion does not run, or its status cannot be read')
}

/** What came of the first of the two calls. */
interface First {
  readonly accepted: boolean
  /** what the second has to say, of whatever type the target gave it; undefined: nothing */
  readonly token: unknown
}

/**
 * The first of the two calls. Whatever becomes of it, the journal and the cleanup know that it has to be taken back. Throws
 * NotRun where its answer lacks the token that the second has to send.
 */
export async function suspendOnce(context: CaseContext, intent: CaseIntent = BASE): Promise<First> {
  await context.owe('suspension', 'suspension')
  const { view } = await context.send({ operation: 'suspend-ingestion', intent })
  const { accepted } = view
  const pointer = requireOperation(context, 'suspend-ingestion').answer.token
  const token = accepted && pointer !== undefined ? (at(jsonOf(view.response), pointer) ?? undefined) : undefined
  if (accepted && (token === undefined || token === '') && takesToken(requireOperation(context, SECOND))) {
    // What one call does shows whatever it answers.
    await untilRunning(context, true)
    throw new NotRun(
      'answer-does-not-fit',
      pointer === undefined
        ? 'the binding does not say where in the response of suspend-ingestion the token stands (answer.token)'
        : `${pointer === '' ? 'the whole response' : pointer} of suspend-ingestion holds no token`,
    )
  }
  return { accepted, token }
}

/** `intent`: of the second call. */
async function suspendTwice(context: CaseContext, intent: CaseIntent = BASE): Promise<First> {
  const first = await suspendOnce(context)
  await confirm(context, first.token, intent)
  return first
}

function confirm(context: CaseContext, token: unknown, intent: CaseIntent): Promise<Sent> {
  return context.send({ ...confirmation(context, token), intent })
}

/** The second of the two calls. */
export function confirmation(context: CaseContext, token: unknown): Call {
  const operation = requireOperation(context, SECOND)
  const values = { token: token ?? '' }
  const body = operation.body === undefined ? {} : { body: context.fill(operation.body, values) }
  return { operation: operation.id, values, ...body }
}

/** Whether a request has to say what the answer to another told. */
function takesToken({ body, query }: TargetOperation): boolean {
  return placeholders([body, query]).has('token')
}

/** Resumes ingestion, and waits until the status says so. Resuming may want a second call right after the first. */
async function resume(context: CaseContext, intent: CaseIntent = BASE): Promise<void> {
  await context.send({ ...RESUME, intent })
  if ((await untilRunning(context, true)) !== false) return
  await context.owe('suspension', 'suspension')
  for (let count = 0; count < 2; count += 1) await context.send({ ...RESUME, intent })
  await untilRunning(context, true)
}

/** Reads the status until it is the expected one, or the settle time is over. Returns what it said last. */
async function untilRunning(context: CaseContext, expected: boolean): Promise<unknown> {
  return settle(
    context,
    (final) => askStatus(context, { kind: 'base', final }),
    (sent) => takesLines(sent.view) === expected && !isUndecided(sent),
  ).then(({ view }) => takesLines(view))
}

function askStatus(context: CaseContext, intent: CaseIntent): Promise<Sent> {
  return context.send({ operation: 'get-ingestion-status', intent })
}

async function readStatus(context: CaseContext, intent: CaseIntent): Promise<unknown> {
  return takesLines((await askStatus(context, intent)).view)
}

async function lookLater(context: CaseContext, expected: boolean): Promise<void> {
  if (!mayLookLater(context)) return
  await untilLater(context)
  await untilRunning(context, expected)
}

export const suspensionCases: readonly Case[] = [
  {
    id: 'suspend-ingestion/one-call-later',
    title: 'one call does not suspend ingestion after a while either',
    begins: 'early',
    async run(context) {
      if (!mayLookLater(context)) return
      await prepare(context)
      await suspendOnce(context)
      await lookLater(context, true)
      await resume(context)
    },
  },
  {
    id: 'suspend-ingestion/guarded',
    title: 'two consecutive calls suspend ingestion and one does not, and it can be resumed',
    alone: true,
    async run(context) {
      await prepare(context)
      // Lines show more than the status does, where they can be sent and exported.
      const feed = await unlessNotRun(() => requireOperation(context, V2) && openFeed(context))
      const wanted = { ...recent(), ...(feed ? { hosts: [feed.host] } : {}) }
      // Lines that come out now have to come out again afterwards: whatever was done before may drop the second one.
      const sendOne = async (count: number): Promise<void> => {
        await feed?.send([{ app: feed.app() }])
        if (feed) await exportUntil(context, V2, wanted, count, { kind: 'read' })
      }
      await sendOne(1)
      await suspendOnce(context)
      await untilRunning(context, true)
      await resume(context)
      await sendOne(2)

      await suspendTwice(context)
      await untilRunning(context, false)
      if (feed) {
        await feed.sendOnce([{ app: feed.app() }, { app: feed.app() }], { kind: 'read' })
        // Searched for while ingestion is suspended: their later fate is not stated.
        await exportUntil(context, V2, wanted, 3, { kind: 'read' })
      }
      await lookLater(context, false)
      await resume(context)
      // Now it is known that nothing counts from before, and what a status says of a suspension.
      await suspendOnce(context)
      await untilRunning(context, true)
      await resume(context)
      if (!feed) return
      let count = 2
      await settle(
        context,
        async () => {
          await feed.send([{ app: feed.app() }])
          // Each line is waited for: it may come out late.
          const sent = await exportUntil(context, V2, wanted, count + 1, { kind: 'read' })
          count = Math.max(count, marksIn(sent).size)
          return sent
        },
        ({ judgements }) => judgements.some(({ outcome }) => outcome === 'held'),
      )
    },
  },
  {
    id: 'confirm-suspension/tokens',
    title: 'a token that is wrong, was used or belongs to an earlier suspension does not suspend ingestion',
    alone: true,
    async run(context) {
      const hasTokens = takesToken(requireOperation(context, SECOND))
      if (!hasTokens && !context.observes) return
      await prepare(context)
      if (hasTokens) await tryTokens(context)
      if (context.observes) {
        const late = await suspendOnce(context)
        await readStatus(context, { kind: 'read' })
        if (late.accepted) await confirm(context, late.token, { ...OPEN, edge: 'after another request in between' })
      }
      await resume(context)
    },
  },
  {
    id: 'suspend-ingestion/credentials',
    title: 'ingestion is suspended and resumed with right credentials only',
    alone: true,
    async run(context) {
      await prepare(context)
      const [suspending, confirming, resuming] = [context.group(), context.group(), context.group()]
      const base = (group: string) => ({ kind: 'base' as const, group })
      const { token } = await suspendOnce(context, base(suspending))
      await context.send({ ...confirmation(context, token), intent: base(confirming) })
      await sendWithWrong(context, resuming, () => RESUME)
      await context.owe('suspension', 'suspension')
      await resume(context, base(resuming))
      await context.owe('suspension', 'suspension')
      await sendWithWrong(context, suspending, () => ({ operation: 'suspend-ingestion' }))
      await resume(context, base(resuming))
      const other = await suspendOnce(context, base(suspending))
      await sendWithWrong(context, confirming, () => confirmation(context, other.token))
      await resume(context, base(resuming))
    },
  },
]
