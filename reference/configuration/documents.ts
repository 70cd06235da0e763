import { ok } from '../core/message.ts'
import { notFound } from '../core/refusal.ts'
import { bodyOf, type Call, type Handler, param } from '../core/route.ts'
import type { Document } from '../model/configuration.ts'
import type { State } from '../model/state.ts'

/** A kind of resource whose body is kept as it was sent. */
export interface DocumentKind {
  readonly word: string
  /** the path placeholder and the field of the record that carry the id */
  readonly placeholder: string
  readonly idField: string
  readonly of: (state: State) => Map<string, Document>
  /** throws a Refusal where the body, though well-formed, cannot be stored; `self`: the document that it replaces */
  readonly check?: (body: Readonly<Record<string, unknown>>, call: Call, self: Document | undefined) => void
}

export interface DocumentHandlers {
  readonly create: Handler
  readonly get: Handler
  readonly list: Handler
  readonly update: Handler
  readonly remove: Handler
}

/** The usual five operations on one kind of document. */
export function documentHandlers(kind: DocumentKind): DocumentHandlers {
  const record = (document: Document): Record<string, unknown> => ({ ...document.body, [kind.idField]: document.id })
  const documentOf = (call: Call): Document => {
    const document = kind.of(call.state).get(param(call, kind.placeholder))
    if (!document) throw notFound(`there is no ${kind.word} ${param(call, kind.placeholder)}`)
    return document
  }
  return {
    create: (call) => {
      const body = bodyOf(call)
      kind.check?.(body, call, undefined)
      const document: Document = { id: call.env.newId(), body }
      kind.of(call.state).set(document.id, document)
      return ok(record(document))
    },
    get: (call) => ok(record(documentOf(call))),
    list: (call) => ok([...kind.of(call.state).values()].map(record)),
    update: (call) => {
      const document = documentOf(call)
      const body = bodyOf(call)
      kind.check?.(body, call, document)
      document.body = body
      return ok(record(document))
    },
    remove: (call) => {
      const document = documentOf(call)
      kind.of(call.state).delete(document.id)
      return ok({ message: `${kind.word} ${document.id} was deleted`, deleted: true })
    },
  }
}
