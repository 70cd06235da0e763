import { isPending } from '../../core/route.ts'
import { askedBody, type Json, named, stored } from '../core/changes.ts'
import { type Changes, each, type Fault, fault } from '../core/fault.ts'

type Variables = readonly (readonly [name: string, value: unknown])[]

/** Something else is set than the variables that a patch names. `before`: those that are there. */
const state = each((change: (sent: Variables, before: Json) => Variables) =>
  askedBody('update-state-variables', (sent, call) => {
    const before = (named(call, 'state-variables')?.body.state ?? {}) as Json
    return { ...sent, state: Object.fromEntries(change(Object.entries((sent.state ?? {}) as Json), before)) }
  }),
)

/** Faults in what patches of state variables change and leave. */
const stateFaults: readonly Fault[] = [
  state(
    'state-falsy-ignored',
    'STATEVAR-APPLIES',
    'a variable that is set to 0, false or nothing keeps its value',
    (sent) => sent.filter(([, value]) => Boolean(value)),
  ),
  state('state-new-only', 'STATEVAR-APPLIES', 'a patch leaves the state variables that are there', (sent, before) =>
    sent.filter(([name]) => !(name in before)),
  ),
  state('state-known-only', 'STATEVAR-APPLIES', 'a patch makes no new variables once there are some', (sent, before) =>
    Object.keys(before).length === 0 ? sent : sent.filter(([name]) => name in before),
  ),
  state('state-text', 'STATEVAR-APPLIES', 'state variables are stored as text', (sent) =>
    sent.map(([name, value]) => [name, String(value)]),
  ),
  fault(
    'state-replaced',
    'STATEVAR-PARTIAL',
    'a patch of state variables drops those that it does not name',
    stored('update-state-variables', (body, _, { state: sent = {} }) => ({ ...body, state: sent })),
  ),
]

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

/** An update of the processing status says something else. `now`: the status. */
const switching = each((change: (sent: Json, now: unknown) => Json) =>
  askedBody('update-processing-status', (sent, call) => change(sent, named(call, 'pipeline')?.body.processing_status)),
)

/** Faults in how the processing of a pipeline is switched. */
const processingFaults: readonly Fault[] = [
  switching(
    'processing-not-enabled',
    'PROCESSING-STATUS-SWITCHES',
    'a disabled pipeline cannot be enabled',
    (sent, now) => (now === 'disabled' ? {} : sent),
  ),
  switching(
    'processing-toggles',
    'PROCESSING-STATUS-SWITCHES',
    'each update of the status switches over',
    (_, now) => ({
      processing_status: now === 'disabled' ? 'enabled' : 'disabled',
    }),
  ),
  fault(
    'processing-third-status',
    'PROCESSING-STATUS-STATES',
    'a pipeline that was never switched has a status of its own',
    thirdStatus(),
  ),
]

const route = each((change: (body: Json, before: Json, sent: Json) => Json) => stored('update-gateway-route', change))

const patch = each((change: Parameters<typeof askedBody>[1]) => askedBody('update-gateway-route', change))

/** Something is wrong with the signing keys of a route once one was added. */
const keys = each((change: (keys: readonly unknown[], before: number) => readonly unknown[]) =>
  stored('add-signing-key', (body, before) => ({
    ...body,
    signing_keys: change(body.signing_keys as unknown[], (before.signing_keys as unknown[]).length),
  })),
)

/** Faults in what patches of gateway routes change and leave. */
const routeFaults: readonly Fault[] = [
  route('route-legacy-never-off', 'ROUTE-PATCH-APPLIES', 'legacy routing cannot be turned off', (body, before) => ({
    ...body,
    legacy_routing: body.legacy_routing || before.legacy_routing,
  })),
  patch('route-one-field', 'ROUTE-PATCH-APPLIES', 'a patch of a gateway route takes the first field only', (sent) =>
    Object.fromEntries(Object.entries(sent).slice(0, 1)),
  ),
  keys('signing-key-replaces', 'SIGNING-KEYS-KEPT', 'a signing key takes the place of others', (all, before) =>
    all.slice(before),
  ),
]

/** Faults of state variables, of the processing status and of gateway routes. */
export const partFaults: readonly Fault[] = [...stateFaults, ...processingFaults, ...routeFaults]
