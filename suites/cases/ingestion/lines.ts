import fc from 'fast-check'
import { STATUSES, statusesIn } from '../../../rules/known/batches.ts'
import { isMarked, receivedLines } from '../../../rules/known/lines.ts'
import { offered } from '../../../schemas/binding.ts'
import { wallTime } from '../../../schemas/times.ts'
import { type Case, type CaseContext, NotRun, requireOperation, type Sent } from '../../case.ts'
import { draw, subSeed } from '../../generate/drawing.ts'
import { exportOnce, exportUntil, recent, V1, V2 } from '../../request/exports.ts'
import { type Feed, type NewLine, openFeed } from '../../request/lines.ts'
import { settle } from '../../request/read-back.ts'

/** Texts that a service may be tempted to change. None is longer than a few thousand characters. */
const TEXTS: readonly (readonly [string, string])[] = [
  ['plain words', 'order 17 was shipped'],
  ['quotes', `she said "no" and it's 'fine'`],
  ['JSON', '{"level":"warn","text":"a \\"quoted\\" word\\nand a second line","n":1.0}'],
  ['line feeds', 'first\nsecond\r\nthird'],
  ['tabs', 'a\tb\t\tc'],
  ['blanks', 'two  blanks   three'],
  ['blanks around', '  indented, and a blank at the end '],
  ['markup', '<b>bold</b> &amp; <!-- -->'],
  ['percent', '100% of %7B %s %d'],
  ['backslashes', 'C:\\temp\\new \\u0041'],
  ['accents', 'Grüße, naïve façade, Ærø'],
  ['other scripts', '日志 журнал سجل יומן लॉग'],
  ['emoji', '🚀 👩‍👩‍👧 flags 🇮🇹'],
  ['combining', 'e\u0301 is not \u00e9'],
  ['separators', 'a\u2028b\u2029c'],
  ['long', 'x'.repeat(4_000)],
]

/** Throws NotRun where nothing tells what became of the lines: of a 207, that is in its answer alone. */
export function requireTold(sent: readonly Sent[]): void {
  const [first] = sent
  if (first === undefined || sent.some(({ view }) => view.status !== 207 || statusesIn(view) !== undefined)) return
  const pointer = first.view.operation?.answer.status ?? STATUSES
  throw new NotRun(
    'answer-does-not-fit',
    `a 207 has no list of the status of each line at ${pointer} (answer.status of ingest-lines says where it is)`,
  )
}

/** Reads the lines of a feed through every export that the target has. */
async function readAll(context: CaseContext, feed: Feed, count: number): Promise<void> {
  for (const id of exportsOf(context)) await exportUntil(context, id, { ...recent(), hosts: [feed.host] }, count)
}

function exportsOf({ binding }: CaseContext): readonly string[] {
  return [V1, V2].filter((id) => offered(binding, id))
}

function textArbitrary(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }),
    fc.json({ maxDepth: 2 }),
    fc.string({ minLength: 1, maxLength: 500 }),
  )
}

export const lineCases: readonly Case[] = [
  {
    id: 'ingest-lines/comes-out',
    title: 'lines that were sent come out of the exports, with their text and their fields',
    async run(context) {
      const feed = openFeed(context)
      const app = feed.app()
      const sent = await feed.send([{ app }, { app, level: 'error' }, { app: feed.app(), level: 'warn' }])
      await feed.send(TEXTS.map(([, text]) => ({ app, text })))
      await readAll(context, feed, 3 + TEXTS.length)
      const drawn = draw(textArbitrary(), subSeed(context.seed, 'texts'), context.runs)
      if (drawn.length > 0) {
        await feed.send(drawn.map((text): NewLine => ({ app, text })))
        await readAll(context, feed, 3 + TEXTS.length + drawn.length)
      }
      requireTold(sent)
    },
  },
  {
    id: 'ingest-lines/other-form',
    title: 'the body form of older clients is answered in some way',
    async run(context) {
      if (!context.observes) return
      const feed = openFeed(context)
      const intent = { kind: 'observe', requirement: 'GAP-PATHS-INGESTION' } as const
      const send = (edge: string, form: (lines: readonly unknown[]) => unknown): Promise<Sent> =>
        feed.sendOnce([{ app: feed.app() }], { ...intent, edge }, form)
      await send('body {e: "ls", ls: […]}', (ls) => ({ e: 'ls', ls }))
      await send('body {lines: […]}', (lines) => ({ lines }))
      await feed.sendOnce([], { ...intent, edge: 'no lines' })
    },
  },
  {
    id: 'ingest-lines/access-token',
    title: 'an access token beside lines is answered in some way',
    async run(context) {
      if (!context.observes) return
      const feed = openFeed(context)
      const intent = { kind: 'observe', requirement: 'AUTH-INGESTION-TOKEN', edge: 'an access token alone' } as const
      const token = [{ scheme: 'access-token', variant: 'right' }] as const
      await feed.sendOnce([{ app: feed.app() }], intent, undefined, token)
    },
  },
  {
    id: 'ingest-lines/said-twice',
    title: 'lines that say the same at different times all come out',
    async run(context) {
      if (requireOperation(context, 'ingest-lines').fields.time === undefined) {
        throw new NotRun('gap-unanswered', 'the binding has no field for the time of a line that is sent')
      }
      const feed = openFeed(context)
      const app = feed.app()
      const now = wallTime()
      const said = (number: number, minutes: number): NewLine => ({ app, number, time: now - minutes * 60_000 })
      const alike = context.observes ? [said(3, 30), said(3, 30)] : []
      // The first is sent twice in one request, the second in two.
      const requests = [[said(1, 50), said(1, 20), said(2, 40), ...alike], [said(2, 10)]]
      const group = context.group()
      for (const lines of requests) await feed.send(lines, { kind: 'base', probe: 'lines that say the same', group })
      const intent = { kind: 'read', probe: 'lines that say the same', group } as const
      for (const id of exportsOf(context))
        await settle(
          context,
          (final) => exportOnce(context, id, { ...recent(), hosts: [feed.host] }, { ...intent, final }),
          ({ view }) => (receivedLines(view) ?? []).filter(isMarked).length >= requests.flat().length,
        )
    },
  },
]
