import type { JsonSchema } from '../../../schemas/load.ts'
import { at, withValue } from '../../../schemas/pointer.ts'
import { operationRow } from '../../../schemas/service.ts'
import type { Authorize } from '../../core/auth.ts'
import { Refusal, type RefusalCode } from '../../core/refusal.ts'
import { type Answer, type Call, type Handler, isPending, type PlainRequest, type Reply } from '../../core/route.ts'
import { idIn } from '../../core/things.ts'
import { type State, type Thing, things } from '../../model/state.ts'
import type { Changes } from './fault.ts'

type AnswerChange = (answer: Answer, request: PlainRequest) => Answer

/** Changes the good answers of operations, with blanks between. */
export function success(operations: string, change: AnswerChange): Changes {
  const all = operations.split(' ')
  return {
    answer: (answer, request, id = '') => (all.includes(id) && answer.status < 300 ? change(answer, request) : answer),
  }
}

/** Changes the JSON body of an operation's good answers. */
export function body(operation: string, change: (json: Readonly<Record<string, unknown>>) => unknown): Changes {
  return success(operation, (answer) => ({ ...answer, json: change(answer.json as Record<string, unknown>) }))
}

/** Changes the refusals of an operation, but for those of missing credentials. */
export function refusal(operation: string, change: AnswerChange): Changes {
  return {
    answer: (answer, request, id) =>
      id === operation && answer.status >= 400 && answer.status !== 401 ? change(answer, request) : answer,
  }
}

/** Changes what operations are asked before they are carried out. */
export function asked(operations: string, change: (call: Call) => Call): Changes {
  return handler(operations, (inner) => (call) => inner(change(call)))
}

/** Looks at calls before they are carried out; `check` throws the refusal. */
export function demands(operations: string, check: (call: Call) => void): Changes {
  return asked(operations, (call) => {
    check(call)
    return call
  })
}

/** Changes the body that an operation is asked with, after it was found valid. */
export function askedBody(
  operation: string,
  change: (body: Readonly<Record<string, unknown>>, call: Call) => unknown,
): Changes {
  return asked(operation, (call) => ({ ...call, body: change(call.body as Record<string, unknown>, call) }))
}

/** The type of the things that an operation is about. */
export function typeOf(operation: string): string {
  const resource = operationRow(operation)?.resource ?? ''
  return { 'signing-key': 'gateway-route', 'processing-status': 'pipeline' }[resource] ?? resource
}

/** The thing that a call names. Undefined where there is none of this id. */
export function named(call: Call, type: string): Thing | undefined {
  const { pipeline_id: pipeline } = (call.body ?? {}) as Json
  const id = type === 'state-variables' ? String(pipeline) : idIn(call)
  return things(call.state, type).get(type === 'member' ? id.toLowerCase() : id)
}

/** Carries an operation out and then undoes or spoils what it did, where it was not refused. */
export function afterwards(operation: string, spoil: (call: Call) => void): Changes {
  return handler(operation, (inner) => (call) => {
    const reply = inner(call)
    if (!isPending(reply) && reply.status < 300) spoil(call)
    return reply
  })
}

/** What an operation made or changed is another thing afterwards than it should be. `before`: how it was. */
export function stored(operation: string, change: (body: Json, before: Json, sent: Json) => Json): Changes {
  const type = typeOf(operation)
  return handler(operation, (inner) => (call) => {
    const { body: before = {} } = named(call, type) ?? {}
    const reply = inner(call)
    const thing = named(call, type) ?? [...things(call.state, type).values()].at(-1)
    if (thing && !isPending(reply) && reply.status < 300) thing.body = change(thing.body, before, call.body as Json)
    return reply
  })
}

/** Changes the good reply of an operation, knowing the call. */
export function replied(operation: string, change: (answer: Answer, call: Call, inner: Handler) => Reply): Changes {
  return handler(operation, (inner) => (call) => {
    const reply = inner(call)
    return isPending(reply) || reply.status >= 300 ? reply : change(reply, call, inner)
  })
}

/** Answers as if the operation had been carried out, and leaves the state alone. */
export function notApplied(operation: string): Changes {
  return asked(operation, (call) => ({ ...call, state: structuredClone(call.state) }))
}

/** Replaces one place of the rules for request bodies. `pointer`: JSON pointer into the schema named. */
export function rule(name: string, pointer: string, change: (schema: JsonSchema) => JsonSchema): Changes {
  return {
    schemas: (schemas) => {
      const schema = schemas.get(name)
      const place = at(schema, pointer)
      if (!schema || place === null || typeof place !== 'object') throw new Error(`${name} has nothing at ${pointer}`)
      return new Map(schemas).set(name, withValue(schema, pointer, change(place)) as JsonSchema)
    },
  }
}

/** Lets somebody in, or keeps somebody out; where `decide` says nothing, the proper rule holds. */
export function admission(decide: (...given: Parameters<Authorize>) => boolean | undefined): Changes {
  return {
    authorize:
      (inner) =>
      (...given) =>
        decide(...given) ?? inner(...given),
  }
}

/** An operation that takes whatever credentials it is sent with, or none. */
export function unguarded(operation: string): Changes {
  return { routes: { [operation]: (route) => ({ ...route, access: 'open' }) } }
}

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>

/** Rows of an answer. */
export type Rows = readonly Json[]

/** The same call with other query parameters; null and undefined take one away. */
export function withQuery(call: Call, values: Readonly<Record<string, string | null | undefined>>): Call {
  const query = new URLSearchParams(call.query)
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === null) query.delete(name)
    else query.set(name, value)
  }
  return { ...call, query }
}

/** Wraps operations, with blanks between. */
export function handler(operations: string, wrap: (inner: Handler) => Handler): Changes {
  return { handlers: Object.fromEntries(operations.split(' ').map((operation) => [operation, wrap])) }
}

/** Refuses the requests for which `bad` holds. */
export function refused(operations: string, bad: (call: Call) => boolean, code: RefusalCode = 'BadRequest'): Changes {
  return demands(operations, (call) => {
    if (bad(call)) throw new Refusal(code, 'this is not taken')
  })
}

export function tokenOf(call: Call): string | undefined {
  const token = call.query.get('pagination_id')
  return token === null || token === '' || token === 'null' ? undefined : token
}

export function rows(operation: string, change: (rows: Rows) => unknown): Changes {
  return operation.includes('v2')
    ? body(operation, (json) => ({ ...json, results: change(json.results as Rows) }))
    : body(operation, (json) => change(json as unknown as Rows))
}

/** Changes the lines of an export, in whatever form it gives them. */
export function lines(operation: 'export-v1' | 'export-v2', change: (lines: Rows) => Rows): Changes {
  if (operation === 'export-v2') return body(operation, (json) => ({ ...json, lines: change(json.lines as Rows) }))
  return success(operation, ({ text, ...answer }) => {
    if (text === undefined) return answer
    const all = [...text].join('').split('\n').filter(Boolean)
    const changed = change(all.map((line) => JSON.parse(line) as Json))
    return { ...answer, text: changed.map((line) => `${JSON.stringify(line)}\n`) }
  })
}

/** The lines that a request brings, whatever its form calls them. */
export function sentLines(content: Uint8Array): Rows {
  const parsed = JSON.parse(Buffer.from(content).toString('utf8')) as { readonly lines?: Rows; readonly ls?: Rows }
  return parsed.lines ?? parsed.ls ?? []
}

export function hoursAgo(call: Call, hours: number): string {
  return String(Math.floor(call.env.now() / 1000) - hours * 3_600)
}

/** Milliseconds until something that was right goes wrong. */
export const LATER_MS: number = 400

/** Tells whether something has been so with a thing for long enough. */
export function forLong(): (thing: object, isSo: boolean) => boolean {
  const since = new WeakMap<object, number>()
  return (thing, isSo) => {
    if (!isSo) since.delete(thing)
    else if (!since.has(thing)) since.set(thing, Date.now())
    return Date.now() - (since.get(thing) ?? Number.POSITIVE_INFINITY) > LATER_MS
  }
}

/** Does something before each request. */
export function everyTime(act: (state: State) => void): Changes {
  return {
    authorize: (inner) => (access, headers, state) => {
      act(state)
      return inner(access, headers, state)
    },
  }
}
