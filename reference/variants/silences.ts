import { isPending } from '../core/message.ts'
import { Refusal } from '../core/refusal.ts'
import type { Call, Handler } from '../core/route.ts'
import type { Changes } from '../faults/core/fault.ts'
import type { Variant } from './variant.ts'

function handler(operation: string, wrap: (inner: Handler) => Handler): Changes {
  return { handlers: { [operation]: wrap } }
}

/** Lines that are sent while ingestion is suspended wait, and are stored when it is resumed. */
function linesWait(): Changes {
  const waiting: Call[] = []
  let store: Handler | undefined
  return {
    handlers: {
      'ingest-lines': (inner) => (call) => {
        store = inner
        if (call.state.suspension.suspended) waiting.push(call)
        return inner(call)
      },
      'resume-ingestion': (inner) => (call) => {
        const reply = inner(call)
        for (const one of waiting.splice(0)) store?.(one)
        return reply
      },
    },
  }
}

/** Where the text says nothing, other answers than those of the reference. */
export const silenceVariants: readonly Variant[] = [
  {
    name: 'suspension-lines-wait',
    about: 'lines that are sent while ingestion is suspended come out once it is resumed',
    changes: linesWait,
  },
  {
    name: 'suspension-lines-refused',
    about: 'lines that are sent while ingestion is suspended are refused',
    changes: () =>
      handler('ingest-lines', (inner) => (call) => {
        if (call.state.suspension.suspended) throw new Refusal('Conflict', 'ingestion is suspended')
        return inner(call)
      }),
  },
  {
    name: 'export-v1-two-line-breaks',
    about: 'export v1 ends with two line breaks',
    changes: () =>
      handler('export-v1', (inner) => (call) => {
        const reply = inner(call)
        if (isPending(reply) || reply.text === undefined) return reply
        return { ...reply, text: [...reply.text, '\n'] }
      }),
  },
]
