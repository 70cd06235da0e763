import { join } from 'node:path'
import { readSegments } from '../../../fixtures/segments/read.ts'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { otherId } from '../../../suites/request/unknown-id.ts'

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** A request as it has to be the same in every run with one seed. */
export interface SentRequest {
  readonly requirement: string | undefined
  readonly text: string
}

/**
 * What a run sent, case by case, in the order in which it was sent. The run's prefix, the target's address, times, and the
 * ids and tokens that the target gave are replaced: those differ from run to run.
 */
export async function sentIn(folder: string): Promise<Map<string, SentRequest[]>> {
  const exchanges: Exchange[] = []
  for await (const exchange of readSegments<Exchange>(join(folder, 'evidence'), 'exchanges')) exchanges.push(exchange)
  exchanges.sort((a, b) => a._start - b._start || (a._id < b._id ? -1 : 1))
  const given = givenIds(exchanges)
  const cases = new Map<string, SentRequest[]>()
  const names = new Map<string, Map<string, string>>()
  for (const exchange of exchanges) {
    const id = exchange._case ?? ''
    const known = names.get(id) ?? new Map<string, string>()
    names.set(id, known)
    const name = (uuid: string): string => {
      if (!given.has(uuid)) return uuid
      const found = known.get(uuid) ?? `<id ${known.size}>`
      known.set(uuid, found)
      return found
    }
    const { request, _intent, _credentials } = exchange
    // How many moments of a day a run asks for depends on the minute in which it does.
    if (_intent?.probe === 'same-day') continue
    const { method, url, headers, postData } = request
    const whole = JSON.stringify([method, url, headers, postData?.text, _credentials, _intent])
    const text = whole
      .replaceAll(/assay-[0-9a-f]{6}(?=-)/g, '<prefix>')
      .replaceAll(/127\.0\.0\.1:\d+/g, '<target>')
      .replaceAll(/pagination_id=eyJ[\w%.-]+/g, 'pagination_id=<token>')
      .replaceAll(UUID, name)
      .replaceAll(/pagination_id=(?!null)[^"&]+/g, 'pagination_id=<token>')
      .replaceAll(/(?<!\d)1[789]\d{8}(?:\d{3})?(?!\d)/g, '<time>')
      // Midnight may come between two runs.
      .replaceAll(/\d{4}-\d\d-\d\dT[\d%A.:]+Z/g, '<time>')
    const sent = cases.get(id) ?? []
    sent.push({ requirement: _intent?.requirement, text })
    cases.set(id, sent)
  }
  return cases
}

/** Ids that an answer held before any request did. Answers to cleanup are not kept: what it asks for was given by them. */
function givenIds(exchanges: readonly Exchange[]): Set<string> {
  const first = new Map<string, 'sent' | 'given'>()
  const events = exchanges.flatMap(({ _start, _end, _intent, request, response }) => [
    {
      at: _start,
      who: _intent?.kind === 'cleanup' ? ('given' as const) : ('sent' as const),
      text: `${request.url} ${request.postData?.text ?? ''}`,
    },
    { at: _end, who: 'given' as const, text: response.content.text ?? '' },
  ])
  events.sort((a, b) => a.at - b.at)
  for (const { who, text } of events) {
    for (const uuid of text.match(UUID) ?? []) if (!first.has(uuid)) first.set(uuid, who)
  }
  const given = [...first].filter(([, who]) => who === 'given').map(([uuid]) => uuid)
  // A request for something that does not exist looks like one for something that does.
  return new Set([...given, ...given.map(otherId)])
}
