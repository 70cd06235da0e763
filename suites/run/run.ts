import type { Judge } from '../../rules/oracle.ts'
import { ledger } from '../../schemas/ledger.ts'
import type { MeasuredCase } from '../case.ts'
import type { RunContext } from './run-context.ts'
import { costOf } from './select.ts'
import { type Step, stepsOf, takeSteps } from './steps.ts'
import { openWorker, type Worker, type WorkerEnd } from './worker.ts'

/** How far a run is. */
export interface RunProgress extends CaseProgress {
  readonly cases: number
  readonly casesInAll: number
  readonly requests: number
  /** requirements that were found broken */
  readonly findings: number
}

interface CaseProgress {
  /** requirements whose cases have all ended, and all that the run brings about */
  readonly requirements: { readonly done: number; readonly all: number }
  /** the part of the work that is done, between 0 and 1, by the costs that were measured */
  readonly share: number
  /** the case that began last, of those under way */
  readonly trying: string | undefined
}

/** How the sending of a run ended. */
export interface RunOutcome extends WorkerEnd {
  /** errors of the run itself, not of the target */
  readonly problems: readonly string[]
}

/** A run under way. */
export interface Running {
  readonly done: Promise<RunOutcome>
  /** Lets what is under way come to its end, with cleanup, and starts nothing more. */
  stop(): void
}

/**
 * Runs the chosen cases, in this very thread. What they find is in the evidence folder, not in the outcome.
 * `judge`: of all exchanges, as they are written.
 */
export function startRun(
  context: RunContext,
  onProgress: (progress: RunProgress) => void,
  judge: Pick<Judge, 'judge'>,
): Running {
  const { cases } = context
  const count = createCount(cases, context.only)
  let worker: Worker | undefined
  let stopped = false
  const tell = (): void => {
    const { requests = 0, broken = new Set() } = worker?.progress ?? {}
    onProgress({ casesInAll: cases.length, requests, findings: broken.size, ...count.now() })
  }
  const take = async ({ ends, work }: Step): Promise<void> => {
    if (ends) count.begin(ends.id)
    const ran = await work()
    if (!ends) return
    if (context.bail && ran?.broken.some(({ requirement }) => isStated(requirement))) worker?.stop()
    count.end(ends)
    tell()
  }
  const send = async (onError: (thrown: unknown) => void): Promise<WorkerEnd> => {
    const open = await openWorker(context, { judge, onTell: tell })
    worker = open
    if (stopped) open.stop()
    const steps = stepsOf(cases, () => open)
    await takeSteps(steps, context.concurrency, take).catch(onError)
    return await open.close()
  }
  return {
    done: guarded(send),
    stop() {
      stopped = true
      worker?.stop()
    },
  }
}

function isStated(requirement: string): boolean {
  return ledger().get(requirement)?.level === 'stated'
}

const FAULTS = ['uncaughtException', 'unhandledRejection'] as const
const NOTHING_SENT: WorkerEnd = { faults: [], left: undefined, slowed: undefined }

/** An error that nobody catches meanwhile is one of the run and is reported with it. It must not end the process. */
async function guarded(work: (onError: (thrown: unknown) => void) => Promise<WorkerEnd>): Promise<RunOutcome> {
  const problems: string[] = []
  const tell = (thrown: unknown): void => void problems.push(`unhandled error: ${messageOf(thrown)}`)
  const before = FAULTS.map((event) => [event, process.rawListeners(event)] as const)
  for (const event of FAULTS) process.removeAllListeners(event).on(event, tell)
  try {
    return { ...(await work(tell)), problems }
  } catch (thrown) {
    return { ...NOTHING_SENT, problems: [...problems, messageOf(thrown)] }
  } finally {
    for (const [event, listeners] of before) {
      process.off(event, tell)
      for (const listener of listeners) process.on(event, listener as () => void)
    }
  }
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

interface Count {
  begin(id: string): void
  end(one: MeasuredCase): void
  now(): CaseProgress & Pick<RunProgress, 'cases'>
}

/** Counts how far the cases of a run are. */
function createCount(cases: readonly MeasuredCase[], only: RunContext['only']): Count {
  const whole = costOf(cases)
  const wanted = only === undefined ? undefined : new Set(only)
  const requirementsOf = ({ requirements }: MeasuredCase): readonly string[] =>
    requirements.filter((id) => !id.startsWith('GAP-') && (wanted?.has(id) ?? true))
  /** requirement -> cases that have not ended */
  const open = new Map<string, number>()
  for (const one of cases) for (const id of requirementsOf(one)) open.set(id, (open.get(id) ?? 0) + 1)
  const all = open.size
  const running = new Set<string>()
  const ended: MeasuredCase[] = []
  return {
    begin: (id) => void running.add(id),
    end(one) {
      running.delete(one.id)
      ended.push(one)
      for (const requirement of requirementsOf(one)) {
        const left = (open.get(requirement) ?? 0) - 1
        if (left > 0) open.set(requirement, left)
        else open.delete(requirement)
      }
    },
    now: () => ({
      cases: ended.length,
      requirements: { done: all - open.size, all },
      share: whole === 0 ? 0 : costOf(ended) / whole,
      trying: [...running].at(-1),
    }),
  }
}
