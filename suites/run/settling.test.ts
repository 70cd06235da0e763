import { describe, expect, test } from 'vitest'
import type { Outgoing, Session } from '../../fixtures/http/session.ts'
import { exchange, referenceBinding } from '../../rules/testing.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import { measureSettling, type SettlingOptions } from './settling.ts'

/** A target that shows a line so many milliseconds after it came. */
function target(lateMs: number): Session & { readonly sent: Outgoing[] } {
  const sent: Outgoing[] = []
  let lines: readonly unknown[] = []
  let due = 0
  const send = async (request: Outgoing): Promise<Exchange> => {
    sent.push(request)
    if (request.operation === 'ingest-lines') {
      const { lines: came } = JSON.parse(String(request.body)) as { lines: { line: string; timestamp: number }[] }
      lines = came.map(({ line, timestamp }, index) => ({ _id: `${index}`, _line: line, _ts: timestamp }))
      due = performance.now() + lateMs
      return exchange(`POST ${request.path}`, { got: { status: 'ok' } })
    }
    const got = { lines: performance.now() < due ? [] : lines, pagination_id: null }
    return exchange(`GET ${request.path}`, { got })
  }
  return { sent, send, close: async () => undefined }
}

const options = (session: Session, more: Partial<SettlingOptions> = {}): SettlingOptions => ({
  session,
  binding: referenceBinding(),
  basePath: '',
  credentials: { accessToken: 'token', ingestionKey: 'key' },
  sink: {},
  runPrefix: 'assay-1a2b3c',
  stopped: () => false,
  ...more,
})

describe('one line', () => {
  test('that comes out at once says that nothing is waited for', async () => {
    const session = target(0)
    expect(await measureSettling(options(session))).toBe(0)
    expect(session.sent.map(({ operation }) => operation)).toEqual(['ingest-lines', 'export-v2'])
  })

  test('that comes out later says how long, twice over', async () => {
    const ms = await measureSettling(options(target(250)))
    expect(ms).toBeGreaterThanOrEqual(500)
    expect(ms).toBeLessThan(3_000)
  })

  test('is not sent where no key is there for it, and nothing is said', async () => {
    const session = target(0)
    expect(await measureSettling(options(session, { credentials: { accessToken: 'token' } }))).toBeUndefined()
    expect(session.sent).toEqual([])
  })

  test('is no more asked for once the run is stopped', async () => {
    const session = target(60_000)
    expect(await measureSettling(options(session, { stopped: () => session.sent.length > 2 }))).toBeUndefined()
  })
})
