import { madeIn, recordIn } from '../../../rules/core/reads.ts'
import { isRecord } from '../../../rules/core/request-rules.ts'
import type { ExchangeView } from '../../../rules/core/view.ts'
import { queryField, wordsIn } from '../../../rules/known/exclusions.ts'
import { usageReport } from '../../../rules/known/usage.ts'
import { offered } from '../../../schemas/binding.ts'
import { service } from '../../../schemas/service.ts'
import { type Case, type CaseContext, NotRun, type Params, requireConsent, requireOperation } from '../../case.ts'
import { exportOnce, exportUntil, marksIn, recent, V2 } from '../../request/exports.ts'
import { type Feed, openFeed } from '../../request/lines.ts'
import { settle, untilLater, untilSettled } from '../../request/read-back.ts'
import { presentReports } from '../../request/usage.ts'

/** What a rule selects by. The text of each line holds the name of its host. */
type By = 'apps' | 'hosts' | 'query'

export const exclusionCases: readonly Case[] = [
  ...(['apps', 'hosts', 'query'] as const).map((by) => ({
    id: by === 'apps' ? 'create-exclusion/drops' : `create-exclusion/drops-${by}`,
    begins: 'early' as const,
    title: `an exclusion rule with ${by} drops the new lines that match it, and no others, until it is deleted`,
    run: (context: CaseContext) => dropsBy(context, by),
  })),
  {
    id: 'create-exclusion/usage',
    title: 'lines that an exclusion rule drops do not count as usage',
    async run(context) {
      requireConsent(context, 'exclusions')
      const [feed, beside] = [openFeed(context), openFeed(context)]
      const [app, other] = [context.label(), beside.app()]
      const names = { app, host: feed.host, tag: feed.tag }
      requireOperation(context, 'list-usage-v2-by-app')
      const reports = service().operations.flatMap(({ id, report }) =>
        report?.version === 2 && offered(context.binding, id)
          ? [{ name: names[report.by], present: presentReports(context, id, 3) }]
          : [],
      )
      await feed.send([{ app }])
      await beside.send([{ app: other }])
      const lines = { feed, app, beside, other, stored: 2 }
      await exportUntil(context, V2, wantedOf(lines), 2)
      await activate(context, app)
      await untilDropped(context, lines)
      const group = context.group()
      const intent = { kind: 'read', probe: 'dropped', group } as const
      for (const { name, present } of reports) {
        await settle(
          context,
          () => present.ask(intent),
          ({ view }) => usageReport(view, context.oracle)?.rows.some((row) => row.name === name) ?? false,
        )
      }
      if (context.settleTimeout > 0) {
        // What was stored before may come late into a report.
        await untilSettled(context)
        for (const { present } of reports) await present.ask(intent)
      }
      await feed.send([{ app }, { app }], { kind: 'setup', probe: 'dropped', group })
      // A name that no earlier line has: what came in last has surely been seen.
      const last = beside.app()
      await beside.send([{ app: last }])
      await exportUntil(context, V2, { ...recent(), apps: [last] }, 1)
      await exportOnce(context, V2, { ...recent(), hosts: [feed.host] }, intent)
      for (const { present } of reports) await present.ask(intent)
    },
  },
]

/** Lines that a rule matches, and others beside them. */
interface Lines {
  readonly feed: Feed
  readonly app: string
  readonly beside: Feed
  readonly other: string
  /** of both, so many are stored */
  readonly stored: number
}

function wantedOf({ feed, beside }: Lines) {
  return { ...recent(), hosts: [...new Set([feed.host, beside.host])] }
}

async function dropsBy(context: CaseContext, by: By): Promise<void> {
  requireConsent(context, 'exclusions')
  const feed = openFeed(context)
  const [app, beside] = [context.label(), by === 'apps' ? feed : openFeed(context)]
  const lines = { feed, app, beside, other: beside.app(), stored: 3 }
  const selector = by === 'apps' ? undefined : selectorOf(context, by, feed.host)
  await feed.send([{ app }, { app }])
  await beside.send([{ app: lines.other }])
  await exportUntil(context, V2, wantedOf(lines), 3)
  const params = await activate(context, app, selector)
  const dropped = await untilDropped(context, lines)
  await untilLater(context)
  const stored = await sendBoth(context, { ...lines, stored: dropped })
  // That a line is not there says something only once it would have come out.
  if (context.settleTimeout > 0) {
    await untilSettled(context)
    await exportOnce(context, V2, wantedOf(lines), { kind: 'read' })
  }
  await context.send({ operation: 'delete-exclusion', params, intent: { kind: 'base' } })
  await untilStored(context, { ...lines, stored })
}

/** The fields by which a rule selects lines of a host, or lines with its name in their text, in place of an application. */
function selectorOf(context: CaseContext, by: 'hosts' | 'query', host: string): Readonly<Record<string, unknown>> {
  const { body, fields, places } = requireOperation(context, 'create-exclusion')
  const sample = isRecord(body) ? body : {}
  const { label } = context.binding.resources.get('exclusion') ?? {}
  // In which language a query is written, only a binding that names its field says: there a word is one.
  const name = fields[by] ?? (by === 'hosts' ? by : '')
  if (!(name in sample)) {
    const where = places?.body ?? 'the binding'
    throw new NotRun('not-provoked', `the sample body of create-exclusion has no ${by} (${where})`)
  }
  const named = Object.entries(sample).filter(([field, value]) => field !== label && wordsIn(value).includes('label'))
  const emptied = named.map(([field, value]) => [field, Array.isArray(value) ? [] : ''] as const)
  return { ...Object.fromEntries(emptied), [name]: Array.isArray(sample[name]) ? [host] : host }
}

/**
 * Makes a rule that matches one application, or what `selector` says, and lets it act. Returns the ids that its path needs.
 */
async function activate(
  context: CaseContext,
  app: string,
  selector: Readonly<Record<string, unknown>> = {},
): Promise<Params> {
  const create = requireOperation(context, 'create-exclusion')
  const body = { ...(context.fill(create.body, { label: app }) as object), ...selector }
  const { view } = await context.send({ operation: create.id, body, label: app, intent: { kind: 'setup' } })
  const id = view.accepted ? madeIn(view) : undefined
  if (id === undefined) throw notTaken(create.id, view)
  const bodies: unknown[] = [body]
  let shown = recordIn(view)
  const params = { [context.binding.resources.get('exclusion')?.id ?? 'exclusion_id']: id, id }
  const update = offered(context.binding, 'update-exclusion')
  if (update?.body !== undefined) {
    const plain = Object.entries(context.fill(update.body, { label: app, ...params }) as object)
    const body = Object.fromEntries(plain.map(([name, value]) => [name, selector[name] ?? value]))
    bodies.push(body)
    const sent = { operation: update.id, params, body, label: app }
    const { view: changed } = await context.send({ ...sent, intent: { kind: 'setup' } })
    if (!changed.accepted) throw notTaken(update.id, changed)
    shown = recordIn(changed) ?? shown
  }
  const [named = app] = wordsIn(selector)
  const title = context.binding.resources.get('exclusion')?.label
  const query = named === app ? queryField(create) : undefined
  const idle = idleReason(bodies, named, { title, query }, shown)
  if (idle === undefined) return params
  const place = create.places?.body ?? 'the binding'
  throw new NotRun('answer-does-not-fit', `a rule made with the sample body would drop nothing: ${idle} (${place})`)
}

function notTaken(operation: string, { status }: ExchangeView): NotRun {
  return new NotRun('no-resource', `${operation} is answered with status ${status}`)
}

/** Sends lines of both applications until those that match are dropped. Returns how many are stored. */
async function untilDropped(context: CaseContext, lines: Lines): Promise<number> {
  let { stored } = lines
  const send = async (): Promise<boolean> => {
    const least = stored + 1
    stored = await sendBoth(context, { ...lines, stored })
    return stored === least
  }
  await settle(context, send, (dropped) => dropped)
  return stored
}

/** Sends lines that match and one that does not, and waits for that one. Returns how many are stored now. */
async function sendBoth(context: CaseContext, lines: Lines): Promise<number> {
  const { feed, app, beside, other, stored } = lines
  await feed.send([{ app }, ...(beside === feed ? [{ app: other }] : []), { app }])
  if (beside !== feed) await beside.send([{ app: other }])
  const least = stored + 1
  return Math.max(least, marksIn(await exportUntil(context, V2, wantedOf(lines), least)).size)
}

/** Sends matching lines until they come out again. */
async function untilStored(context: CaseContext, lines: Lines): Promise<void> {
  let { stored } = lines
  const send = async (): Promise<boolean> => {
    const before = stored
    await lines.feed.send([{ app: lines.app }])
    // Each line is waited for: it may come out late.
    stored = Math.max(before, marksIn(await exportUntil(context, V2, wantedOf(lines), before + 1)).size)
    return stored > before
  }
  await settle(context, send, (stored) => stored)
}

/** Fields by which a rule is switched on, and those by which it is switched off. */
const ON = /^(is_?)?(active|activated|enabled?|applied|on|running)$/i
const OFF = /^(is_?)?(in_?active|disabled?|off|paused?|suspended)$/i

/**
 * Why a rule with these bodies cannot drop the lines of an application: they leave it switched off, or select by
 * something else. Undefined: it has to drop them. `title`: the field that only names the rule. `query`: one whose language
 * only the target knows. `shown`: the rule as the target shows it, which ignores fields that it does not know.
 */
function idleReason(
  bodies: readonly unknown[],
  app: string,
  { title, query }: { readonly title: string | undefined; readonly query: string | undefined },
  shown: Readonly<Record<string, unknown>> | undefined,
): string | undefined {
  const rule: Record<string, unknown> = Object.assign({}, ...bodies.filter(isRecord))
  const selecting = Object.entries(rule).filter(([name]) => name !== title)
  const by = selecting.flatMap(([name, value]) => (wordsIn({ [name]: value }).includes(app) ? [name] : []))
  if (by.length === 0) return 'it does not select by {{label}}'
  if (by.every((name) => name === query)) return `it selects by ${query} alone, in whose language nobody knows`
  if (shown && !by.some((name) => shown[name] !== undefined)) return `the target shows no ${by.join(' or ')} of it`
  const says =
    (on: boolean) =>
    ([name, value]: [string, unknown]): boolean =>
      (ON.test(name) && value === on) || (OFF.test(name) && value === !on)
  const off = selecting.find(says(false))
  if (off) return `${off[0]} is ${off[1]}`
  const isOn = selecting.some(says(true))
  // Under another name, any false may be the switch.
  const doubtful = isOn ? undefined : selecting.find(([, value]) => value === false)
  return doubtful && `${doubtful[0]} is false`
}
