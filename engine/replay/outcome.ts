import { type Difference, DifferenceBook, type Ignored } from '../../fixtures/replay/compare/differences.ts'
import type { Compared } from '../../fixtures/replay/compare/exchange.ts'
import { operationName } from '../../fixtures/replay/plan/dependencies.ts'
import type { Replayed } from '../../fixtures/replay/sender.ts'
import { bounded } from '../../reports/text.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import type { DifferenceGroup, ExampleAnswer, ReplayReport } from '../../schemas/types/replay.ts'
import { pathOf } from '../../schemas/url.ts'

/** Adds up what came of each exchange, in memory that does not grow with their number. */
export interface Outcome {
  add(replayed: Replayed): void
  readonly counts: () => ReplayReport['counts']
  /** ids of new reads that differ for the weather alone; to be asked when all is done */
  doubted(): ReadonlySet<string>
  /** to be asked when all is done */
  pieces(): Pick<ReplayReport, 'counts' | 'differences' | 'moreDifferences' | 'notSent' | 'notCarried' | 'stale'>
}

const MOST_LISTED = 500
/** Differences that wait for the end; of more it is decided at once. */
const MOST_PENDING = 20_000
/** Examples that are shown whole, and characters of their bodies. */
const MOST_SHOWN = 60
const LONGEST_BODY = 8192

/**
 * `counted`: whether an exchange is judged, or only sent because others need it. `clean`: takes secrets out of a recorded
 * exchange; left out: no example is shown whole.
 */
export function createOutcome(
  ignore: readonly Ignored[],
  counted: (id: string) => boolean,
  clean?: (exchange: Exchange) => Exchange,
): Outcome {
  const book = new DifferenceBook(ignore)
  const unsent = new Map<string, ReplayReport['notSent'][number]>()
  const lost = new Map<string, ReplayReport['notCarried'][number]>()
  const counts = {
    ...{ sent: 0, notSent: 0, compared: 0, different: 0, inconclusive: 0, notKept: 0 },
    ...{ raced: 0, weather: 0, unsent: 0, early: 0 },
  }
  /** decide whether the weather explains differences, once it is known how often failures pass */
  const pending: (() => void)[] = []
  const doubted = new Set<string>()
  /** kinds of differences that have an example */
  const shown = new Set<string>()

  function add({ step, exchange, compared, doubts, unsent: why, lost: missing }: Replayed): void {
    const recorded = step.exchange
    noteLost(lost, missing, recorded._id)
    if (why !== undefined) {
      const { reason, aside } = why
      counts.notSent += 1
      const known = unsent.get(reason)
      if (known) known.count += 1
      else
        unsent.set(reason, {
          reason,
          count: 1,
          ...(aside === true ? { aside } : {}),
          // A HAR file of others may hold anything in its paths.
          example: `${recorded._id} ${recorded.request.method} ${clean ? pathOf(clean(recorded).request.url, '') : ''}`,
        })
      return
    }
    counts.sent += 1
    if (!exchange || !compared || !counted(recorded._id)) return
    const { differences, skipped } = compared
    const operation = operationName(recorded.request.method, step.dependencies)
    // A group needs one example, and most differences are of a group that is there. One in doubt waits, and is in none yet.
    const kind = [operation, ...differences.map(({ pointer, kind }) => `${pointer} ${kind}`)].join('\n')
    const hasDoubt = doubts.length > 0
    const hasRoom = shown.has(kind) ? !hasDoubt : shown.size < MOST_SHOWN
    const isShown = differences.length > 0 && hasRoom && book.isNew(operation, differences)
    if (isShown) shown.add(kind)
    const example = {
      recorded: recorded._id,
      replayed: exchange._id,
      request: `${exchange.request.method} ${exchange.request.url}`,
      ...(isShown && clean ? answersOf(clean(recorded), exchange) : {}),
    }
    const reads = !step.dependencies.writes
    const decide = (): void => {
      const doubt = doubts.find((one) => one.isPassing())
      if (!doubt) count(operation, differences, skipped, example)
      else {
        counts[doubt.why] += 1
        if (reads && doubt.why === 'weather') doubted.add(example.replayed)
      }
    }
    if (hasDoubt && differences.length > 0 && pending.length < MOST_PENDING) pending.push(decide)
    else decide()
  }

  function count(
    operation: string,
    differences: readonly Difference[],
    skipped: Compared['skipped'],
    example: DifferenceGroup['example'],
  ): void {
    if (skipped === 'inconclusive') counts.inconclusive += 1
    else if (skipped === 'not kept') counts.notKept += 1
    else counts.compared += 1
    if (book.add(operation, differences, example)) counts.different += 1
  }

  function decideAll(): void {
    for (const decide of pending.splice(0)) decide()
  }

  return {
    add,
    doubted() {
      decideAll()
      return doubted
    },
    counts: () => ({ ...counts, ignored: book.ignored }),
    pieces() {
      decideAll()
      return {
        counts: { ...counts, ignored: book.ignored },
        differences: book.groups(),
        moreDifferences: book.more(),
        notSent: [...unsent.values()],
        notCarried: [...lost.values()],
        stale: book.stale(),
      }
    },
  }
}

/** What was sent, and both answers. */
function answersOf(recorded: Exchange, replayed: Exchange): Partial<DifferenceGroup['example']> {
  const sent = replayed.request.postData?.text ?? ''
  return {
    ...(sent === '' ? {} : { sent: bounded(sent, LONGEST_BODY) }),
    recordedAnswer: answerOf(recorded),
    replayedAnswer: answerOf(replayed),
  }
}

function answerOf({ response, _outcome }: Exchange): ExampleAnswer {
  return { status: response.status, outcome: _outcome, body: bounded(response.content.text ?? '', LONGEST_BODY) }
}

/** Takes note of values that the recording used and the target never told. `usedIn`: id of the recorded exchange. */
function noteLost(
  lost: Map<string, ReplayReport['notCarried'][number]>,
  missing: Replayed['lost'],
  usedIn: string,
): void {
  for (const { value, origin } of missing) {
    const { operation, pointer, exchange: seenIn } = origin
    const key = `${operation} ${pointer}`
    const known = lost.get(key)
    if (known) known.count += 1
    else if (lost.size < MOST_LISTED) lost.set(key, { operation, pointer, count: 1, value, seenIn, usedIn })
  }
}
