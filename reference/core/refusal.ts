import type { Violation } from '../../schemas/validator.ts'
import type { Answer, ErrorStyle } from './route.ts'

export type RefusalCode =
  | 'BadRequest'
  | 'NotAuthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'MethodNotAllowed'
  | 'Conflict'
  | 'PayloadTooLarge'
  | 'UnsupportedMediaType'
  | 'InternalServerError'

const STATUS: Readonly<Record<RefusalCode, number>> = {
  BadRequest: 400,
  NotAuthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  Conflict: 409,
  PayloadTooLarge: 413,
  UnsupportedMediaType: 415,
  InternalServerError: 500,
}

/** What is wrong, and where in the body or query. */
export interface Problem {
  readonly instancePath: string
  readonly message: string
}

/** Thrown when a request cannot be carried out. Nothing has been changed by then. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly problems: readonly Problem[]

  constructor(code: RefusalCode, message: string, problems: readonly Problem[] = []) {
    // A refusal is an ordinary answer: nobody reads its stack, which would cost a tenth of the request.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
    this.code = code
    this.problems = problems
  }
}

/** 400 for one value of the request. */
export function invalid(pointer: string, message: string): Refusal {
  return violated([{ pointer, message }])
}

/** 400 for everything that a schema has found. */
export function violated(violations: readonly Pick<Violation, 'pointer' | 'message'>[]): Refusal {
  const text = violations.map(({ pointer, message }) => `${pointer === '' ? 'the body' : pointer} ${message}`)
  const problems = violations.map(({ pointer, message }) => ({ instancePath: pointer, message }))
  return new Refusal('BadRequest', text.join('; '), problems)
}

export function notFound(message: string): Refusal {
  return new Refusal('NotFound', message)
}

/** The refusal as the family of the operation tells it. */
export function refusalAnswer(refusal: Refusal, style: ErrorStyle): Answer {
  const status = STATUS[refusal.code]
  const { code, message } = refusal
  // The scheme of a missing credential is the same for every family, and so is its error body.
  if (style === 'v3' && code !== 'NotAuthorized') {
    return { status, json: { message, code, status, errors: refusal.problems } }
  }
  if (style === 'bare') return { status, json: { code, error: message } }
  return { status, json: { error: message, code, status: 'error' } }
}
