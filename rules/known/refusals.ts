import type { Judgement } from '../core/judgement.ts'
import { isRecord } from '../core/request-rules.ts'
import { type ExchangeView, jsonOf } from '../core/view.ts'

/** A request that a run sent for it to be refused, and that was refused. */
export interface Refused {
  readonly exchange: string
  /** the requirement that it was refused by */
  readonly requirement: string
  /** milliseconds since the epoch when it was answered */
  readonly at: number
  readonly sent: Readonly<Record<string, unknown>>
  /** what was wrong with it, in words */
  readonly why: string
}

/**
 * The refusal that an exchange is, or undefined: of wrong credentials, or of a value that breaks a constraint. With which
 * status credentials are refused is not stated: it may be one that sends the client elsewhere.
 */
export function refusedIn(view: ExchangeView): Refused | undefined {
  const { intent, status } = view
  if (!intent || view.accepted || !view.conclusive || status >= 500) return undefined
  const wrong = intent.kind === 'auth' && intent.data?.right !== true && status >= 300
  const bad = intent.kind === 'refuse' && view.violations.length > 0 && status >= 400
  if (intent.requirement === undefined || !(wrong || bad)) return undefined
  const body = jsonOf(view.request)
  return {
    exchange: view.id,
    requirement: intent.requirement,
    at: view.exchange._end,
    sent: isRecord(body) ? body : {},
    why: `${intent.pointer ?? ''} ${intent.edge ?? ''}`.trim(),
  }
}

/** Whether a read follows refused requests alone: what it shows that was not there before is another rule's matter. */
export function followsRefusals({ intent }: ExchangeView): boolean {
  return intent?.kind === 'read' && intent.probe === 'left-alone'
}

/** The judgement about a refusal that is being followed. */
export function naming({ requirement, why }: Refused): Pick<Judgement, 'requirement' | 'edge'> {
  return { requirement, edge: `not carried out: ${why}` }
}

/** How many refused requests about one thing are kept: the newest. */
const MOST = 60

export function withRefused(all: readonly Refused[], one: Refused): readonly Refused[] {
  return [...all.slice(-MOST + 1), one]
}
