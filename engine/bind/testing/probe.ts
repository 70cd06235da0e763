import { type Answer, createLedger, type Request } from '../client.ts'
import { begun, type Search } from '../search.ts'

export type Reply = readonly [status: number, json: unknown]
export const NOTHING: Reply = [404, { error: 'there is no such path' }]

export function answerOf([status, json]: Reply): Answer {
  return { status, json, text: JSON.stringify(json), location: undefined, ok: status < 300 }
}

/** A search of a target that is a function, and the kinds of lines that its journal gets. */
export function probeOf(
  serve: (request: Request) => Reply,
  agreed: Partial<Search['agreed']>,
  nothing: Reply = NOTHING,
): { probe: Search; written: string[] } {
  const written: string[] = []
  const journal = { write: async (line: object) => void written.push(String(Reflect.get(line, 'type'))) }
  return {
    written,
    probe: {
      client: {
        send: async (request) => answerOf(serve(request)),
        count: () => 0,
        statuses: new Map(),
        failure: () => undefined,
      },
      ledger: createLedger(journal as unknown as Parameters<typeof createLedger>[0], 'assay-abcdef'),
      sink: {},
      agreed: { modify: false, exclusions: false, suspend: false, archiving: false, ...agreed },
      documented: { routes: new Map(), answers: new Map(), open: new Map() },
      ...begun(),
      waitMs: 0,
      nothing: new Map([['v1', answerOf(nothing)]]),
    },
  }
}
