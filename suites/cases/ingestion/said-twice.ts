import { isMarked, receivedLines } from '../../../rules/known/lines.ts'
import { probes } from '../../../schemas/intents.ts'
import { type Case, type CaseContext, NotRun } from '../../kit/case.ts'
import { type ExportId, exportOnce, type NewLine, openFeed, recent, requireOperation, settle } from '../../kit/lines.ts'

const EXPORTS: readonly ExportId[] = ['export-v1', 'export-v2']

export const saidTwiceCases: readonly Case[] = [
  {
    id: 'ingest-lines/said-twice',
    title: 'lines that say the same at different times all come out',
    operation: 'ingest-lines',
    features: ['ingestion'],
    requirements: ['LINES-COME-OUT', 'GAP-LINES-ALIKE'],
    cost: 8,
    async run(context) {
      if (requireOperation(context, 'ingest-lines', 'GAP-PATHS-INGESTION').fields.time === undefined) {
        throw new NotRun('gap-unanswered', 'the binding has no field for the time of a line that is sent')
      }
      const feed = openFeed(context)
      const app = feed.app()
      const now = Date.now()
      const said = (number: number, minutes: number): NewLine => ({ app, number, time: now - minutes * 60_000 })
      const alike = context.observes ? [said(3, 30), said(3, 30)] : []
      // The first is said twice in one request, the second in two.
      const requests = [[said(1, 50), said(1, 20), said(2, 40), ...alike], [said(2, 10)]]
      const group = context.group()
      for (const lines of requests) await feed.send(lines, { kind: 'base', probe: probes.saidTwice, group })
      for (const id of EXPORTS) await readSaid(context, id, feed.host, group, requests.flat().length)
    },
  },
]

async function readSaid(context: CaseContext, id: ExportId, host: string, group: string, count: number): Promise<void> {
  if (context.binding.operations.get(id)?.offered !== true) return
  const intent = { kind: 'read', probe: probes.saidTwice, group } as const
  await settle(
    context,
    (final) => exportOnce(context, id, { ...recent(), hosts: [host] }, { ...intent, final }),
    ({ view }) => (receivedLines(view) ?? []).filter(isMarked).length >= count,
  )
}
