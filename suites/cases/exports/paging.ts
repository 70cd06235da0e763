import { offered } from '../../../schemas/binding.ts'
import { wallTime } from '../../../schemas/times.ts'
import { type Case, type CaseContext, requireOperation } from '../../case.ts'
import {
  askToken,
  beginExport,
  exportPages,
  exportPagesUntil,
  furtherPages,
  nextPage,
  type Paged,
  recent,
  V1,
  V2,
  type Wanted,
} from '../../request/exports.ts'
import { type Feed, openFeed } from '../../request/lines.ts'
import { isUndecided, settle, untilSettled } from '../../request/read-back.ts'

/** Lines sent under each application: joined from the first on they make the sizes to try. */
const PARTS = [1, 9_998, 1, 1, 9_999, 1, 10_000] as const
/** How many parts belong to each size: 0, 1, 9,999, 10,000, 10,001, 20,000, 20,001 and 30,001 lines. */
const STANDARD = [0, 1, 2, 3, 4, 5, 6, 7] as const
const QUICK = [0, 1, 3, 4] as const

const READ = { kind: 'read', final: true } as const

export const pagingCases: readonly Case[] = [
  {
    id: 'export-v2/sizes',
    title: 'the pages of an export hold every line once, whatever the number of lines',
    async run(context) {
      const sizes = context.profile === 'quick' ? QUICK : STANDARD
      const feed = openFeed(context)
      const apps = PARTS.slice(0, Math.max(...sizes)).map(() => feed.app())
      await sendParts(feed, apps)
      const period = recent()
      const all = PARTS.slice(0, apps.length).reduce((sum, count) => sum + count, 0)
      const nobody = feed.app()
      const selects = requireOperation(context).parameters.apps !== undefined
      await exportPagesUntil(context, { ...period, hosts: [feed.host], ...(selects && { apps }) }, all)
      await untilSettled(context)
      // Without a filter there is one size: that of all lines.
      for (const parts of selects ? sizes : []) {
        if (parts === apps.length) continue
        const count = PARTS.slice(0, parts).reduce((sum, lines) => sum + lines, 0)
        const wanted: Wanted = { ...period, hosts: [feed.host], apps: parts === 0 ? [nobody] : apps.slice(0, parts) }
        const paged = await exportPages(context, wanted, count, READ)
        // The smallest export of two pages: its token is asked for again.
        const [token] = paged.tokens
        if (parts === 4 && token !== undefined)
          await askToken(context, paged, token, { ...READ, edge: 'after the last page' })
      }
      await exportCapped(context, feed)
    },
  },
  {
    id: 'export-v2/tokens',
    title: 'a token belongs to one export and one page and gives the same lines whenever it is used',
    async run(context) {
      const feed = openFeed(context)
      const [app, other] = [feed.app(), feed.app()]
      const { size, lines } = pageSize(context)
      const times = wallTime() - lines * 10
      const mixed = Array.from({ length: lines }, (_, index) =>
        [app, other].map((name) => ({ app: name, time: times + index * 10 })),
      ).flat()
      await feed.send(mixed)
      const period = recent()
      const selects = requireOperation(context).parameters.apps !== undefined
      const wanted = { ...period, hosts: [feed.host], ...(selects && { apps: [app] }), ...size }
      await exportPagesUntil(context, wanted, lines)
      await untilSettled(context)
      let mine = await beginExport(context, wanted, READ)
      const others = selects ? { apps: [other] } : { from: period.from + 1 }
      let theirs = await beginExport(context, { ...wanted, ...others }, READ)
      // Turn by turn: a token that is not tied to its export would now lead into the other one.
      mine = await nextPage(context, mine, READ)
      theirs = await nextPage(context, theirs, READ)
      const [first] = mine.tokens
      if (first === undefined) return
      await askToken(context, mine, first, { ...READ, edge: 'at once' })
      mine = await toTheEnd(context, mine)
      await askToken(context, mine, first, { ...READ, edge: 'after the other pages' })
      await Promise.all([1, 2, 3].map(() => askToken(context, mine, first, { ...READ, edge: 'in parallel' })))
      await feed.send([{ app, time: times + 5 }, { app }, { app: other }])
      // Only lines that come out could change a page.
      await untilSettled(context)
      await askToken(context, mine, first, { ...READ, edge: 'after new lines came in' })
      await toTheEnd(context, theirs)
      await askToken(context, mine, first, { ...READ, edge: 'after another export ended' })
      if (!context.observes) return
      const more = selects ? { apps: [app, other] } : { from: period.from + 2 }
      const changed = { ...mine, query: (await beginExport(context, { ...wanted, ...more }, READ)).query }
      await askToken(context, changed, first, {
        kind: 'observe',
        requirement: 'GAP-EXPORT-CHANGED-PARAMETERS',
        edge: 'another list of applications',
      })
      await askToken(context, mine, `${first}x`, {
        kind: 'observe',
        requirement: 'GAP-EXPORT-UNKNOWN-TOKEN',
        edge: 'a token with a further character',
      })
    },
  },
  {
    id: 'export-v2/arriving',
    title: 'lines that arrive during an export belong to it in some way',
    async run(context) {
      if (!context.observes) return
      const feed = openFeed(context)
      const app = feed.app()
      const { size, lines } = pageSize(context)
      const start = wallTime() - lines * 10
      await feed.send(Array.from({ length: lines }, (_, index) => ({ app, time: start + index * 10 })))
      const wanted = { ...recent(), hosts: [feed.host], ...size }
      await exportPagesUntil(context, wanted, lines)
      const paged = await beginExport(context, wanted, READ)
      await feed.send([{ app, time: start - 5 }, { app, time: start + 5 }, { app }])
      await toTheEnd(context, paged)
    },
  },
]

async function sendParts(feed: Feed, apps: readonly string[]): Promise<void> {
  const now = wallTime()
  const lines = apps.flatMap((app, part) =>
    Array.from({ length: PARTS[part] ?? 0 }, (_, index) => ({
      app,
      time: now - 1_800_000 + (index % 1_700_000),
      text: 'bulk',
    })),
  )
  await feed.send(lines)
}

/** More lines than any page holds, so that the cap of export v1 shows. */
async function exportCapped(context: CaseContext, feed: Feed): Promise<void> {
  const { parameters } = offered(context.binding, V1) ?? {}
  if (parameters?.hosts === undefined) return
  const { from, to } = recent()
  const query = {
    [parameters.from ?? 'from']: String(from),
    [parameters.to ?? 'to']: String(to),
    [parameters.hosts]: feed.host,
  }
  // Export v2 has shown them all; this one may come behind.
  await settle(
    context,
    (final) => context.send({ operation: V1, query, intent: { ...READ, final } }),
    (sent) => !isUndecided(sent),
  )
}

/** Pages of a few lines where the binding knows how to ask for them; else of the most that a page holds. */
function pageSize(context: CaseContext): { readonly size: { readonly size?: number }; readonly lines: number } {
  const known = context.binding.operations.get(V2)?.parameters.size !== undefined
  return known ? { size: { size: 40 }, lines: 130 } : { size: {}, lines: 10_050 }
}

function toTheEnd(context: CaseContext, paged: Paged): Promise<Paged> {
  return furtherPages(context, paged, 20, READ)
}
