import { setTimeout as sleep } from 'node:timers/promises'
import { madeIn } from '../../../rules/core/reads.ts'
import { isRecord } from '../../../rules/core/request-rules.ts'
import { wordsIn } from '../../../rules/known/exclusions.ts'
import { usageReport } from '../../../rules/known/usage.ts'
import { type Case, type CaseContext, NotRun, requireOperation } from '../../case.ts'
import { exportUntil, marksIn, recent, V2 } from '../../request/exports.ts'
import { requireConsent } from '../../request/good-request.ts'
import { type Feed, openFeed } from '../../request/lines.ts'
import { settle, untilSettled } from '../../request/read-back.ts'
import { presentReports } from '../../request/usage.ts'

export const exclusionCases: readonly Case[] = [
  {
    id: 'create-exclusion/drops',
    title: 'an exclusion rule drops the new lines that match it, and no others, until it is deleted',
    async run(context) {
      requireConsent(context, 'exclusion')
      const feed = openFeed(context)
      const [app, other] = [context.label(), feed.app()]
      const wanted = { ...recent(), hosts: [feed.host] }
      await feed.send([{ app }, { app }, { app: other }])
      await exportUntil(context, V2, wanted, 3)
      const params = await activate(context, app)
      const sent = await untilDropped(context, feed, app, other, 3)
      await context.send({ operation: 'delete-exclusion', params, intent: { kind: 'base' } })
      await untilStored(context, feed, app, sent)
    },
  },
  {
    id: 'create-exclusion/usage',
    title: 'lines that an exclusion rule drops do not count as usage',
    async run(context) {
      requireConsent(context, 'exclusion')
      const operation = requireOperation(context, 'list-usage-v2-by-app').id
      const feed = openFeed(context)
      const [app, other] = [context.label(), feed.app()]
      await feed.send([{ app }, { app: other }])
      await exportUntil(context, V2, { ...recent(), hosts: [feed.host] }, 2)
      await activate(context, app)
      await untilDropped(context, feed, app, other, 2)
      const group = context.group()
      const present = presentReports(context, operation, 3)
      const intent = { kind: 'read', probe: 'dropped', group } as const
      await settle(
        context,
        () => present.ask(intent),
        ({ view }) => usageReport(view, context.oracle)?.rows.some(({ name }) => name === app) ?? false,
      )
      if (context.settleTimeout > 0) {
        // What was stored before may come late into a report.
        await untilSettled(context)
        await present.ask(intent)
      }
      await feed.send([{ app }, { app }], { kind: 'setup', probe: 'dropped', group })
      // A name that no earlier line has: what came in last has surely been seen.
      const last = feed.app()
      await feed.send([{ app: last }])
      await exportUntil(context, V2, { ...recent(), apps: [last] }, 1)
      await present.ask(intent)
    },
  },
]

/** Makes a rule that matches one application, and lets it act. Returns the ids that its path needs. */
async function activate(context: CaseContext, app: string): Promise<Readonly<Record<string, string>>> {
  const create = requireOperation(context, 'create-exclusion')
  const body = context.fill(create.body, { label: app })
  const { view } = await context.send({ operation: create.id, body, label: app, intent: { kind: 'setup' } })
  const id = view.accepted ? madeIn(view) : undefined
  if (id === undefined) throw new NotRun('no-resource', `create-exclusion is answered with status ${view.status}`)
  const bodies: unknown[] = [body]
  const params = { [context.binding.resources.get('exclusion')?.id ?? 'exclusion_id']: id, id }
  const update = context.binding.operations.get('update-exclusion')
  if (update?.offered === true && update.body !== undefined) {
    const body = context.fill(update.body, { label: app, ...params })
    bodies.push(body)
    const sent = { operation: update.id, params, body, label: app }
    const changed = await context.send({ ...sent, intent: { kind: 'setup' } })
    if (!changed.view.accepted)
      throw new NotRun('no-resource', `update-exclusion is answered with status ${changed.view.status}`)
  }
  const idle = idleReason(bodies, app, context.binding.resources.get('exclusion')?.label)
  if (idle === undefined) return params
  const place = create.places?.body ?? 'the binding'
  throw new NotRun('answer-does-not-fit', `a rule made with the sample body would drop nothing: ${idle} (${place})`)
}

const FIRST_WAIT_MS = 100

/** Sends lines of both applications until those that match are dropped, or the rule has had its settle time. */
async function untilDropped(
  context: CaseContext,
  feed: Feed,
  app: string,
  other: string,
  stored: number,
): Promise<number> {
  const wanted = { ...recent(), hosts: [feed.host] }
  const deadline = performance.now() + context.settleTimeout
  let least = stored
  for (let wait = FIRST_WAIT_MS; ; wait *= 2) {
    const last = performance.now() >= deadline
    await feed.send([{ app }, { app: other }, { app }])
    least += 1
    const count = marksIn(await exportUntil(context, V2, wanted, least)).size
    const dropped = count <= least
    least = Math.max(least, count)
    if (last || dropped) return least
    await sleep(Math.min(wait, Math.max(0, deadline - performance.now())))
  }
}

/** Sends matching lines until they come out again, or the deletion has had its settle time. */
async function untilStored(context: CaseContext, feed: Feed, app: string, stored: number): Promise<void> {
  const wanted = { ...recent(), hosts: [feed.host] }
  const deadline = performance.now() + context.settleTimeout
  for (let wait = FIRST_WAIT_MS; ; wait *= 2) {
    const last = performance.now() >= deadline
    await feed.send([{ app }])
    const count = marksIn(await exportUntil(context, V2, wanted, stored + 1)).size
    if (last || count > stored) return
    await sleep(Math.min(wait, Math.max(0, deadline - performance.now())))
  }
}

/** Fields by which a rule is switched on, and those by which it is switched off. */
const ON = /^(is_?)?(active|activated|enabled?|applied|on|running)$/i
const OFF = /^(is_?)?(in_?active|disabled?|off|paused?|suspended)$/i

/**
 * Why a rule with these bodies cannot drop the lines of an application: they leave it switched off, or select by
 * something else. Undefined: it has to drop them. `title`: the field that only names the rule.
 */
function idleReason(bodies: readonly unknown[], app: string, title: string | undefined): string | undefined {
  const rule: Record<string, unknown> = Object.assign({}, ...bodies.filter(isRecord))
  const selecting = Object.entries(rule).filter(([name]) => name !== title)
  if (!wordsIn(Object.fromEntries(selecting)).includes(app)) return 'it does not select by {{label}}'
  const off = selecting.find(
    ([name, value]) => (ON.test(name) && value === false) || (OFF.test(name) && value === true),
  )
  if (off) return `${off[0]} is ${off[1]}`
  const isOn = selecting.some(
    ([name, value]) => (ON.test(name) && value === true) || (OFF.test(name) && value === false),
  )
  // Under another name, any false may be the switch.
  const doubtful = isOn ? undefined : selecting.find(([, value]) => value === false)
  return doubtful && `${doubtful[0]} is false`
}
