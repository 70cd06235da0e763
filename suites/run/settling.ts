import { setTimeout as sleep } from 'node:timers/promises'
import type { Session } from '../../fixtures/http/session.ts'
import { createOracle } from '../../rules/oracle.ts'
import type { Binding } from '../../schemas/binding.ts'
import { fillTemplate } from '../../schemas/template.ts'
import type { Credentials, Sink } from '../../schemas/types/config.ts'
import { Interrupted, type LineContext, NotRun } from '../case.ts'
import { secretsOf } from '../request/credentials.ts'
import { EXPORTS, exportOnce, marksIn, recent } from '../request/exports.ts'
import { openFeed } from '../request/lines.ts'
import { createOutage } from '../request/outage.ts'
import { createPace } from '../request/pace.ts'
import { createSender } from '../request/sender.ts'

/** Milliseconds within which a line has to come out. */
const LONGEST_MS = 10_000
const POLL_MS = 100
/** What may take longer than the one line took. */
const MARGIN = 2

/** What measuring needs of the run. */
export interface SettlingOptions {
  readonly session: Session
  readonly binding: Binding
  readonly basePath: string
  readonly credentials: Credentials
  readonly sink: Sink
  /** begins the names of what is sent */
  readonly runPrefix: string
  stopped(): boolean
}

/**
 * Sends one line and asks for it until it comes out. Returns the milliseconds after which reads count: 0 where it is there at
 * once. Undefined: lines cannot be sent or exported, or it did not come out in time.
 */
export async function measureSettling(options: SettlingOptions): Promise<number | undefined> {
  const { binding, credentials, runPrefix, basePath } = options
  const now = (): number => performance.now()
  const judge = createOracle({ binding, basePath, settleMs: 0 }).createJudge()
  const sender = createSender({
    ...options,
    judge,
    enterprise: 'alone',
    caseId: 'settling',
    pace: createPace(undefined, now, sleep),
    outage: createOutage(now, true),
    readOnly: false,
  })
  const operation = 'ingest-lines'
  let labels = 0
  const context: LineContext = {
    operation,
    binding,
    schemes: new Set(secretsOf(credentials).values()),
    fill: fillTemplate,
    label: () => {
      labels += 1
      return `${runPrefix}-settle-${labels}`
    },
    reserveLines: () => {},
    send: (call) => sender.send({ operation, ...call }),
  }
  try {
    const feed = openFeed(context)
    await feed.send([{ app: feed.app() }])
    const sent = now()
    for (let first = true; now() - sent < LONGEST_MS; first = false) {
      if (await comesOut(context, feed.host)) return first ? 0 : Math.ceil((MARGIN * (now() - sent)) / 100) * 100
      await sleep(POLL_MS)
    }
  } catch (thrown) {
    if (!(thrown instanceof NotRun || thrown instanceof Interrupted)) throw thrown
  }
  return undefined
}

async function comesOut(context: LineContext, host: string): Promise<boolean> {
  const id = EXPORTS.find((one) => context.binding.operations.get(one)?.offered === true)
  if (id === undefined) throw new NotRun('answer-does-not-fit', 'nothing exports lines')
  return marksIn(await exportOnce(context, id, { ...recent(), hosts: [host] }, { kind: 'preflight' })).size > 0
}
