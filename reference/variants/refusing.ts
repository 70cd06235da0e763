import { empty, isPending, type Reply } from '../core/message.ts'
import { invalid, Refusal } from '../core/refusal.ts'
import { bodyOf, type Call, type Handler, param } from '../core/route.ts'
import type { Changes } from '../faults/core/fault.ts'
import type { Variant } from './variant.ts'

/** Most reads of v1, and the only ones of v2 but for exports. */
const NO_RIGHT = new Set([
  ...['app', 'host'].flatMap((by) => [`list-usage-by-${by}`, `list-usage-v2-by-${by}`]),
  ...['get-usage-v2', 'list-usage-v2-by-tag', 'list-boards', 'list-views', 'list-keys'],
])
const USAGE = ['app', 'host', 'tag'].flatMap((by) => [`list-usage-by-${by}`, `list-usage-v2-by-${by}`])

/** Refuses calls of some operations with 409 before they are carried out. */
function conflict(operations: readonly string[], stands: (call: Call) => boolean): Changes {
  const wrap =
    (inner: Handler): Handler =>
    (call) => {
      if (stands(call)) throw new Refusal('Conflict', 'it is so already')
      return inner(call)
    }
  return { handlers: Object.fromEntries(operations.map((operation) => [operation, wrap])) }
}

/** Refuses reports of periods that end more than so many milliseconds from now. */
function noReportBeyond(ahead: number): () => Changes {
  const wrap =
    (inner: Handler): Handler =>
    (call) => {
      if (Number(call.query.get('to')) * 1000 > call.env.now() + ahead)
        throw invalid('query parameter to', 'must not lie in the future')
      return inner(call)
    }
  return () => ({ handlers: Object.fromEntries(USAGE.map((operation) => [operation, wrap])) })
}

/** Answers reports without rows in another way. */
function withoutRows(change: (answer: Exclude<Reply, { resume: unknown }>) => Reply): () => Changes {
  const wrap =
    (inner: Handler): Handler =>
    (call) => {
      const reply = inner(call)
      if (isPending(reply)) return reply
      const { json } = reply
      const rows = Array.isArray(json) ? json : (json as { results?: unknown[] } | undefined)?.results
      return rows?.length === 0 ? change(reply) : reply
    }
  return () => ({ handlers: Object.fromEntries(USAGE.map((operation) => [operation, wrap])) })
}

/** What is refused as it is so already, cannot be yet or is not there, where other targets take it. */
export const refusingVariants: readonly Variant[] = [
  {
    name: 'resume-refused',
    about: 'resuming is refused while nothing is suspended',
    changes: () => conflict(['resume-ingestion'], ({ state }) => !state.suspension.suspended),
  },
  {
    name: 'usage-ahead-refused',
    about: 'usage of a period that ends more than a day ahead is refused',
    changes: noReportBeyond(86_400_000),
  },
  {
    name: 'usage-future-refused',
    about: 'usage of a period that ends after now is refused',
    changes: noReportBeyond(0),
  },
  {
    name: 'usage-nothing-no-content',
    about: 'a usage report without rows is answered with 204, but for the one by tag, whose 200 is stated',
    changes: () => {
      const { handlers = {} } = withoutRows(() => empty(204))()
      return { handlers: Object.fromEntries(Object.entries(handlers).filter(([id]) => id !== 'list-usage-by-tag')) }
    },
  },
  {
    name: 'usage-nothing-empty',
    about: 'a usage report without rows has no body',
    changes: withoutRows(() => empty()),
  },
  {
    name: 'signing-key-once',
    about: 'a gateway route takes one signing key',
    changes: () =>
      conflict(['add-signing-key'], (call) => {
        const route = call.state.gatewayRoutes.get(param(call, 'gateway_route_id'))
        return route !== undefined && route.signingKeys.length > 0
      }),
  },
  {
    name: 'switch-once',
    about: 'enabling what is enabled is refused, and disabling what is disabled',
    changes: () =>
      conflict(['update-processing-status'], (call) => {
        const pipeline = call.state.pipelines.get(param(call, 'pipeline_id'))
        return pipeline !== undefined && pipeline.processing === bodyOf(call).processing_status
      }),
  },
  {
    name: 'rights-missing',
    about: 'the credentials of the run have no right to some reads, which are refused with 403',
    changes: () => ({
      answer: (answer, _request, operation) =>
        operation !== undefined && NO_RIGHT.has(operation)
          ? { status: 403, json: { error: 'not allowed', code: 'Forbidden', status: 'error' } }
          : answer,
    }),
  },
  {
    name: 'archiving-none-refused',
    about: 'reading archiving that is not configured is refused with 400',
    changes: () => ({
      answer: (answer, _request, operation) =>
        operation === 'get-archiving' && answer.status === 404
          ? { status: 400, json: { error: 'archiving is not configured', code: 'BadRequest', status: 'error' } }
          : answer,
    }),
  },
]
