import { APIKEY, type Harness, type Seen } from './harness.ts'

/** Sends lines as a client of the ingestion does. */
export function ingest(harness: Harness, lines: readonly unknown[], query = 'hostname=h'): Seen {
  return harness.send('POST', `/logs/ingest?${query}`, { body: { lines }, headers: APIKEY })
}

/** A line as an export shows it. */
export interface ExportedLine {
  readonly _id: string
  readonly _ts: number
  readonly _line: string
  readonly [name: string]: unknown
}

export interface Page {
  readonly lines: readonly ExportedLine[]
  readonly pagination_id: string | null
}

/** One page of export v2; `query` has neither times nor token, and all times are meant. */
export function page(harness: Harness, query: string, token = ''): Page {
  return harness.done('GET', `/v2/export?from=1&to=0&${query}&pagination_id=${token}`).json as Page
}

/** The texts of all lines of a host, oldest first. */
export function textsOf(harness: Harness, host = 'h'): string[] {
  return page(harness, `hosts=${host}&prefer=head`).lines.map((line) => line._line)
}
