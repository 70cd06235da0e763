import type { ExchangeOutcome } from '../../schemas/types/exchange.ts'
import type { OwnAnswer } from './answers.ts'

const NO_CONNECTION = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPROTO',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
])

/** What this machine has no more of: no fault of the target, which never heard of the request. */
const LOCAL = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL'])

/** The code of an error of this machine itself; undefined: it may be the target's. */
export function localFault(error: unknown): string | undefined {
  const code = codeOf(error)
  return LOCAL.has(code) ? code : undefined
}

/** What became of an exchange whose target gave no answer. */
export function outcomeOf(error: unknown): ExchangeOutcome {
  const code = codeOf(error)
  if (LOCAL.has(code)) return 'interrupted'
  if (NO_CONNECTION.has(code) || code.includes('CERT') || /^(ERR_TLS|ERR_SSL|UNABLE_TO_)/.test(code)) return 'refused'
  if (code.startsWith('HPE_') || code.startsWith('ERR_INVALID') || code.startsWith('ERR_HTTP')) return 'protocol-error'
  if (code === 'ETIMEDOUT') return 'timeout'
  return 'reset'
}

/** What the client is told in the target's place. */
export function answerTo(outcome: ExchangeOutcome, error: unknown): OwnAnswer {
  if (outcome === 'timeout') {
    return { status: 504, code: 'GatewayTimeout', error: 'assay: the target did not answer in time' }
  }
  const local = localFault(error)
  if (local !== undefined) {
    const error = `assay: this proxy can open no more connections (${local}); the target was not asked`
    return { status: 503, code: 'ServiceUnavailable', error }
  }
  return {
    status: 502,
    code: 'BadGateway',
    error: `assay: ${SAID[outcome] ?? 'the target failed'} (${describe(error)})`,
  }
}

const SAID: Partial<Readonly<Record<ExchangeOutcome, string>>> = {
  refused: 'the target cannot be reached',
  reset: 'the target closed the connection without an answer',
  truncated: 'the target ended in mid-answer',
  'protocol-error': 'what the target answered is not HTTP',
}

/** An error in one line. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return error === undefined ? 'no more is known' : String(error)
  const code = codeOf(error)
  const message = error.message.replaceAll(/\s+/g, ' ')
  return code === '' || message.includes(code) ? message : `${code}: ${message}`
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | undefined)?.code ?? '')
}

/** Whether a connection was closed by the other side: one that was used before may just have been too old. */
export function isReset(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'ECONNRESET' || code === 'EPIPE'
}

/** Whether what was read is not HTTP. */
export function isNonsense(error: unknown): boolean {
  return codeOf(error).startsWith('HPE_')
}
