import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Outgoing, Session } from '../../fixtures/http/session.ts'
import { lastingFolder } from '../../fixtures/testing/folder.ts'
import { exchange, type Given } from '../../rules/testing.ts'
import { shippedBinding } from '../../schemas/binding.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import type { RunContext } from './run-context.ts'
import { measureSettling, type SettlingOptions, settleTimeOf } from './settling.ts'

const ID = '11111111-2222-4333-8444-555555555555'
const files = [shippedBinding('reference'), shippedBinding('default')]
const folder = lastingFolder()
let runs = 0

/** A target that shows a line, or a view, after so many reads since it came, and since it went. */
function target(oldReads: number): Session & { readonly sent: Outgoing[] } {
  const sent: Outgoing[] = []
  let lines: readonly unknown[] = []
  let views: readonly unknown[] = []
  /** as it was before, until then */
  let before: readonly unknown[] = []
  let old = 0
  const change = (after: readonly unknown[]): void => {
    before = views
    views = after
    old = oldReads
  }
  const isOld = (): boolean => {
    old -= 1
    return old >= 0
  }
  const answers: Readonly<Record<string, (request: Outgoing) => Given>> = {
    'ingest-lines': ({ body }) => {
      const { lines: came } = JSON.parse(String(body)) as { lines: { line: string; timestamp: number }[] }
      lines = came.map(({ line, timestamp }, index) => ({ _id: `${index}`, _line: line, _ts: timestamp }))
      old = oldReads
      return { got: { status: 'ok' } }
    },
    'export-v2': () => ({ got: { lines: isOld() ? [] : lines, pagination_id: null } }),
    'create-view': ({ body }) => {
      const view = { ...(JSON.parse(String(body)) as object), viewid: ID }
      change([view])
      return { got: view }
    },
    'delete-view': () => {
      change([])
      return { got: { deleted: true } }
    },
    'list-views': () => ({ got: isOld() ? before : views }),
    'get-view': () => {
      const [view] = isOld() ? before : views
      return view ? { got: view } : { status: 404, got: {} }
    },
  }
  const send = async (request: Outgoing): Promise<Exchange> => {
    sent.push(request)
    const answer = answers[request.operation ?? '']?.(request) ?? { status: 404, got: {} }
    const { intent } = request
    return exchange(`${request.method} ${request.path}`, { ...(intent && { intent }), ...answer })
  }
  return { sent, send, close: async () => undefined }
}

/** Lines that a run may send. */
const WHOLE = { lines: 5, bytes: 1_000 }

function options(session: Session, run: Partial<RunContext> = {}, made: readonly string[] = []): SettlingOptions {
  runs += 1
  const parts = {
    baseUrl: 'http://target.example',
    binding: { name: 'reference', chain: ['reference', 'default'], files },
    credentials: { accessToken: 'token', ingestionKey: 'key' },
    enterprise: 'alone' as const,
    resources: {},
    consent: {},
    sink: {},
    runPrefix: 'assay-1a2b3c',
    maxIngest: WHOLE.lines,
    maxIngestBytes: WHOLE.bytes,
    journal: join(folder, `journal-${runs}.ndjson`),
    ...run,
  }
  return {
    session,
    run: parts as RunContext,
    about: { lines: made.length === 0, features: new Set(made) },
    stopped: () => false,
  }
}

const operationsOf = ({ sent }: { readonly sent: readonly Outgoing[] }): (string | undefined)[] =>
  sent.map(({ operation }) => operation)

describe('one line', () => {
  test('that comes out at once says that nothing is waited for', async () => {
    const session = target(0)
    const measured = await measureSettling(options(session))
    const bytes = Buffer.byteLength(String(session.sent[0]?.body))
    expect(measured).toEqual({ line: 0, budget: { lines: WHOLE.lines - 1, bytes: WHOLE.bytes - bytes } })
    expect(operationsOf(session)).toEqual(['ingest-lines', 'export-v2', 'export-v2', 'export-v2'])
  })

  test('that comes out later says how long', async () => {
    const { line = 0 } = await measureSettling(options(target(2)))
    expect(line).toBeGreaterThanOrEqual(100)
  })

  test.each<Partial<RunContext>>([{ credentials: { accessToken: 'token' } }, { maxIngestBytes: 100 }])(
    'is not sent where it may not be, and nothing is said: %o',
    async (run) => {
      const session = target(0)
      const { maxIngestBytes: bytes = WHOLE.bytes } = run
      expect(await measureSettling(options(session, run))).toEqual({ budget: { lines: WHOLE.lines, bytes } })
      expect(session.sent).toEqual([])
    },
  )

  test('is no more asked for once the run is stopped', async () => {
    const session = target(Infinity)
    const stopped = (): boolean => session.sent.length > 2
    expect(await measureSettling({ ...options(session), stopped })).toEqual(
      expect.not.objectContaining({ line: expect.anything() }),
    )
  })
})

describe('one thing', () => {
  test('that is there at once, and gone at once, says that nothing is waited for', async () => {
    const session = target(0)
    const asked = options(session, {}, ['views'])
    expect(await measureSettling(asked)).toEqual({ thing: 0, budget: WHOLE })
    const looks = Array.from({ length: 10 }, () => ['get-view', 'list-views']).flat()
    expect(operationsOf(session)).toEqual(['create-view', ...looks, 'delete-view', ...looks])
    const lines = readFileSync(asked.run.journal, 'utf8').trim().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual(['making', 'made', 'removed'])
  })

  test('of a feature that the run leaves alone is not made', async () => {
    const session = target(0)
    expect(await measureSettling(options(session, {}, ['members']))).toEqual({ budget: WHOLE })
    expect(session.sent).toEqual([])
  })

  test('that old reads do not show, or still show, says how old they are', async () => {
    const { thing = 0 } = await measureSettling(options(target(3), {}, ['views']))
    expect(thing).toBeGreaterThanOrEqual(100)
  })

  test('is removed though the run is stopped meanwhile', async () => {
    const session = target(Infinity)
    const asked = options(session, {}, ['views'])
    expect(await measureSettling({ ...asked, stopped: () => session.sent.length > 2 })).toEqual({ budget: WHOLE })
    expect(operationsOf(session).at(-1)).toBe('delete-view')
    expect(existsSync(asked.run.journal)).toBe(true)
  })
})

test.each([
  [{}, 0],
  [{ line: 0 }, 0],
  [{ line: 130, thing: 20 }, 300],
  [{ line: 0, thing: 1_510 }, 3_100],
])('after %j reads count after %i ms', (settling, ms) => {
  expect(settleTimeOf(settling)).toBe(ms)
})
