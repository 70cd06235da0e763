import { isPending } from '../../core/route.ts'
import { within } from '../../model/state.ts'
import { asked, askedBody, body, type Json, named, stored } from '../core/changes.ts'
import type { Changes } from '../core/fault.ts'
import type { Coded } from '../core/rows.ts'

type Variables = readonly (readonly [name: string, value: unknown])[]

/** Something else is set than the variables that a patch names. `before`: those that are there. */
function state(change: (sent: Variables, before: Json) => Variables): Changes {
  return askedBody('update-state-variables', (sent, call) => {
    const before = (named(call, 'state-variables')?.body.state ?? {}) as Json
    return { ...sent, state: Object.fromEntries(change(Object.entries((sent.state ?? {}) as Json), before)) }
  })
}

/** A pipeline that was never switched has a status of its own. */
function thirdStatus(): Changes {
  const switched = new WeakSet<object>()
  return {
    handlers: {
      'update-processing-status': (inner) => (call) => {
        const pipeline = named(call, 'pipeline')
        if (pipeline) switched.add(pipeline)
        return inner(call)
      },
      'get-pipeline': (inner) => (call) => {
        const reply = inner(call)
        const pipeline = named(call, 'pipeline')
        if (!pipeline || switched.has(pipeline) || isPending(reply)) return reply
        const { data, ...json } = reply.json as { data: object }
        return { ...reply, json: { ...json, data: { ...data, processing_status: 'new' } } }
      },
    },
  }
}

/** Each update of the status switches over. */
const toggles = askedBody('update-processing-status', (_, call) => {
  const isOff = named(call, 'pipeline')?.body.processing_status === 'disabled'
  return { processing_status: isOff ? 'enabled' : 'disabled' }
})

/** A signing key takes the place of those that were there before. */
const replacesKeys = stored('add-signing-key', (route, before) => {
  const count = (before.signing_keys as unknown[]).length
  return { ...route, signing_keys: (route.signing_keys as unknown[]).slice(count) }
})

/** A tap returns one event more than was asked for. */
const oneMore = body('start-tap', ({ data, ...json }) => {
  const events = (data as Json).events as unknown[]
  return { ...json, data: { ...(data as Json), events: [...events, ...events.slice(0, 1)] } }
})

/** A tap takes another component for the first source of the pipeline. */
function elsewhere(is: RegExp): Changes {
  return asked('start-tap', (call) => {
    const [source] = within(call.state, 'source', call.params.pipeline_id)
    const other = source && is.test(call.params.component_id ?? '')
    return other ? { ...call, params: { ...call.params, component_id: source.id } } : call
  })
}

/** Faults of state variables, of the processing status, of gateway routes and of taps. */
export const partFaults: Coded = {
  'state-falsy-ignored': state((sent) => sent.filter(([, value]) => Boolean(value))),
  'state-new-only': state((sent, before) => sent.filter(([name]) => !(name in before))),
  'state-known-only': state((sent, before) => {
    return Object.keys(before).length === 0 ? sent : sent.filter(([name]) => name in before)
  }),
  'state-text': state((sent) => sent.map(([name, value]) => [name, String(value)])),
  'state-replaced': stored('update-state-variables', (all, _, { state: sent = {} }) => ({ ...all, state: sent })),
  'processing-toggles': toggles,
  'processing-third-status': thirdStatus(),
  'signing-key-replaces': replacesKeys,
  'tap-one-more': oneMore,
  'tap-component-unchecked': elsewhere(/^(\.|[^.]+\.$)/),
  'tap-any-component': elsewhere(/^/),
}
