import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSegment } from '../fixtures/segments/write.ts'
import { exchange } from '../rules/testing.ts'
import type { Exchange } from '../schemas/types/exchange.ts'

export const ID = '11111111-1111-4111-8111-111111111111'

/** A view that is made, read, renamed and read again. */
export function viewStory(): Exchange[] {
  const start = Date.UTC(2026, 0, 10)
  const got = (name: string): object => ({ viewid: ID, name, query: 'x' })
  return [
    exchange('POST /v1/config/view', { start, sent: { name: 'one', query: 'x' }, got: got('one') }),
    exchange(`GET /v1/config/view/${ID}`, { start: start + 100, got: got('one') }),
    exchange(`PUT /v1/config/view/${ID}`, { start: start + 200, sent: { name: 'two', query: 'x' }, got: got('two') }),
    exchange(`GET /v1/config/view/${ID}`, { start: start + 300, got: got('two') }),
  ]
}

/** The same exchange with another server. */
export function sentTo(origin: string, one: Exchange): Exchange {
  const { pathname, search } = new URL(one.request.url)
  return { ...one, request: { ...one.request, url: origin + pathname + search } }
}

/** Writes exchanges down as a recording, which `remove` takes away. */
export function recordingOf(exchanges: readonly Exchange[]): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'assay-library-'))
  const segment = openSegment(path, 'exchanges', '1')
  for (const one of exchanges) segment.append(one)
  segment.close()
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
