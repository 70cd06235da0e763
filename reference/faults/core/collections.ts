import { randomUUID } from 'node:crypto'
import { notFound } from '../../core/refusal.ts'
import type { Document } from '../../model/configuration.ts'
import type { State } from '../../model/state.ts'
import { afterwards, asked, askedBody, type Json, notApplied, success } from './changes.ts'
import type { Changes, Fault } from './fault.ts'

/** The list leaves out its newest element, where there are others. */
function withoutNewest(operation: string, pointer: 'data' | '' = ''): Changes {
  const cut = (list: unknown): unknown => (Array.isArray(list) && list.length > 1 ? list.slice(0, -1) : list)
  return success(operation, (answer) => {
    const json = answer.json as Json
    return { ...answer, json: pointer === '' ? cut(json) : { ...json, data: cut(json.data) } }
  })
}

/** A request about any but the newest of the documents finds nothing. */
export function onlyNewest(
  operation: string,
  placeholder: string,
  of: (state: State) => Map<string, Document>,
): Changes {
  return asked(operation, (call) => {
    const newest = [...of(call.state).keys()].at(-1)
    if (newest !== call.params[placeholder]) throw notFound('only the newest is here')
    return call
  })
}

/** A removed thing is no longer listed, but found by its id. */
export function ghosts(read: string, remove: string): Changes {
  const gone = new Map<string, unknown>()
  return {
    handlers: {
      [remove]: (inner) => (call) => {
        const id = Object.values(call.params)[0] ?? ''
        const board = call.state.boards.get(id)
        if (board) gone.set(id, { ...board.body, id })
        return inner(call)
      },
      [read]: (inner) => (call) => {
        const kept = gone.get(Object.values(call.params)[0] ?? '')
        return kept === undefined ? inner(call) : { status: 200, json: kept }
      },
    },
  }
}

/** An updated thing has another id afterwards. */
export function moved(operation: string, placeholder: string, of: (state: State) => Map<string, Document>): Changes {
  return afterwards(
    operation,
    () => undefined,
    ({ state, params }) => {
      const id = params[placeholder] ?? ''
      const document = of(state).get(id)
      if (!document || !of(state).delete(id)) return
      of(state).set(randomUUID(), document)
    },
  )
}

/** A read that is right the first time only. */
export function fades(operation: string, change: (json: Json) => unknown): Changes {
  const seen = new Set<string>()
  return success(operation, (answer, request) => {
    const key = `${request.path}?${request.search} ${JSON.stringify((answer.json as Json).data)}`
    if (!seen.has(key)) {
      seen.add(key)
      return answer
    }
    return { ...answer, json: change(answer.json as Json) }
  })
}

type Ignored = (type: string, operation: string, requirement: string) => Fault

/** An operation that is answered with success and changes nothing. */
function ignored(name: string, about: (type: string) => string): Ignored {
  return (type, operation, requirement) => ({
    name: `${operation}-${name}`,
    about: about(type),
    kills: [requirement],
    changes: notApplied(operation),
  })
}

export const lost: Ignored = ignored(
  'lost',
  (type) => `a ${type} whose creation is answered with success is not stored`,
)
export const unchanged: Ignored = ignored(
  'unchanged',
  (type) => `an update of a ${type} is answered with success and changes nothing`,
)
export const stays: Ignored = ignored('stays', (type) => `a deleted ${type} stays`)

export function unlisted(type: string, operation: string, requirement: string, pointer: 'data' | '' = ''): Fault {
  return {
    name: `${operation}-without-newest`,
    about: `the newest ${type} is not listed`,
    kills: [requirement],
    changes: withoutNewest(operation, pointer),
  }
}

export function written(type: string, operation: string, requirement: string, field: string, value: unknown): Fault {
  return {
    name: `${operation}-${field}-spoilt`,
    about: `a new ${type} is stored with another ${field} than was sent`,
    kills: [requirement],
    changes: askedBody(operation, (sent) => ({ ...sent, [field]: value })),
  }
}
