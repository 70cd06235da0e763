import { bodyOf } from '../../core/route.ts'
import { askedBody, notApplied } from '../core/changes.ts'
import type { Fault } from '../core/fault.ts'

/** Faults in what patches of state variables change and leave. */
export const stateFaults: readonly Fault[] = [
  {
    name: 'state-falsy-ignored',
    about: 'state variables that are set to 0, false or nothing keep their values',
    kills: ['STATEVAR-APPLIES'],
    changes: askedBody('update-state-variables', (sent) => ({
      ...sent,
      state: Object.fromEntries(Object.entries((sent.state ?? {}) as object).filter(([, value]) => Boolean(value))),
    })),
  },
  {
    name: 'state-not-applied',
    about: 'a patch of state variables changes nothing',
    kills: ['STATEVAR-APPLIES'],
    changes: notApplied('update-state-variables'),
  },
  {
    name: 'state-replaced',
    about: 'a patch of state variables drops those that it does not name',
    kills: ['STATEVAR-PARTIAL'],
    changes: {
      handlers: {
        'update-state-variables': (inner) => (call) => {
          const pipeline = call.state.pipelines.get(String(bodyOf(call).pipeline_id))
          if (pipeline) pipeline.stateVariables.state = {}
          return inner(call)
        },
      },
    },
  },
  {
    name: 'state-first-only',
    about: 'a patch of state variables takes the first one only',
    kills: ['STATEVAR-APPLIES'],
    changes: askedBody('update-state-variables', (sent) => ({
      ...sent,
      state: Object.fromEntries(Object.entries((sent.state ?? {}) as object).slice(0, 1)),
    })),
  },
  {
    name: 'state-new-only',
    about: 'a patch sets new state variables and leaves those that are there',
    kills: ['STATEVAR-APPLIES'],
    changes: {
      handlers: {
        'update-state-variables': (inner) => (call) => {
          const before = call.state.pipelines.get(String(bodyOf(call).pipeline_id))?.stateVariables.state
          return inner({ ...call, body: { ...bodyOf(call), state: { ...(bodyOf(call).state as object), ...before } } })
        },
      },
    },
  },
  {
    name: 'state-known-only',
    about: 'a patch does not make new state variables once there are some',
    kills: ['STATEVAR-APPLIES'],
    changes: {
      handlers: {
        'update-state-variables': (inner) => (call) => {
          const { pipeline_id: id, state = {} } = bodyOf(call)
          const before = call.state.pipelines.get(String(id))?.stateVariables.state ?? {}
          const known = Object.entries(state as object).filter(([name]) => name in before)
          const kept = Object.keys(before).length === 0 ? state : Object.fromEntries(known)
          return inner({ ...call, body: { ...bodyOf(call), state: kept } })
        },
      },
    },
  },
  {
    name: 'state-text',
    about: 'state variables are stored as text',
    kills: ['STATEVAR-APPLIES'],
    changes: askedBody('update-state-variables', (sent) => ({
      ...sent,
      state: Object.fromEntries(
        Object.entries((sent.state ?? {}) as object).map(([name, value]) => [name, String(value)]),
      ),
    })),
  },
]
