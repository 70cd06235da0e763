import { openSession, type Session } from '../fixtures/http/session.ts'
import { createRedactor, type Redactor } from '../fixtures/redact/run.ts'
import type { TargetConfig } from '../schemas/types/config.ts'
import { secretsOf } from '../suites/request/credentials.ts'

/** What differs from one session with a configured target to the next. */
export interface TargetSession {
  /** what the ids of its exchanges begin with */
  readonly idPrefix: string
  readonly connections: number
  /** names configured secrets in all that goes through it; left out: `redactorFor` */
  readonly redactor?: Redactor
  /** milliseconds; what the configuration says, or 30 seconds, where it is left out */
  readonly timeoutMs?: number
  readonly maxBodyBytes?: number
}

const TIMEOUT_MS = 30_000

/** A session with a target as its configuration describes it: address, headers, TLS, proxy. */
export function openTargetSession(target: TargetConfig, options: TargetSession): Session {
  return openSession({
    baseUrl: target.baseUrl,
    timeoutMs: options.timeoutMs ?? target.timeout ?? TIMEOUT_MS,
    connections: options.connections,
    maxBodyBytes: options.maxBodyBytes,
    headers: target.headers ?? {},
    tls: target.tls ?? {},
    proxy: target.proxy,
    redactor: options.redactor ?? redactorFor(target),
    idPrefix: options.idPrefix,
  })
}

/** Names the secrets of a configuration. */
export function redactorFor({ credentials = {}, headers }: TargetConfig): Redactor {
  return createRedactor(secretsOf(credentials), headers)
}
