import { invalid } from '../../core/refusal.ts'
import { asked, askedBody, body, type Json, success } from '../core/changes.ts'
import { each, type Fault } from '../core/fault.ts'

/** The events in the answer of a tap. */
function events(change: (events: readonly unknown[], data: Json) => readonly unknown[]): Fault['changes'] {
  return body('start-tap', (json) => {
    const data = json.data as Json
    return { ...json, data: { ...data, events: change(data.events as unknown[], data) } }
  })
}

const tapped = each((change: Parameters<typeof askedBody>[1]) => askedBody('start-tap', change))

/** Faults in what a tap listens to and returns. */
export const tapFaults: readonly Fault[] = [
  {
    name: 'tap-one-more',
    about: 'a tap returns one event more than was asked for',
    kills: ['TAP-LIMIT'],
    changes: events((list) => [...list, ...list.slice(0, 1)]),
  },
  tapped('tap-limit-ignored', 'TAP-LIMIT', 'a tap returns ten events whatever is asked for', (sent) => ({
    ...sent,
    limit: 10,
  })),
  tapped('tap-limit-two', 'TAP-LIMIT', 'a tap returns at least two events', (sent) => ({
    ...sent,
    limit: Math.max(2, Number(sent.limit)),
  })),
  tapped('tap-timeout-ignored', 'TAP-TIMEOUT', 'a tap waits for 14 seconds whatever is asked for', (sent) => ({
    ...sent,
    timeout: 14,
  })),
  tapped('tap-filter-ignored', 'TAP-FILTER', 'a tap does not look at its filter', ({ filter: _, ...sent }) => sent),
  tapped('tap-edge-ignored', 'TAP-EDGE', 'a tap does not look at its edge', ({ edge_id: _, ...sent }) => sent),
  tapped('tap-edge-needed', 'TAP-EDGE-OPTIONAL', 'a tap without an edge is refused', (sent) => {
    if (sent.edge_id === undefined) throw invalid('/edge_id', 'must be there')
    return sent
  }),
  {
    name: 'tap-component-unchecked',
    about: 'a tap takes a component that begins with a dot for the first source',
    kills: ['TAP-COMPONENT-PATTERN'],
    changes: {
      handlers: {
        'start-tap': (inner) => (call) => {
          const sources = call.state.pipelines.get(call.params.pipeline_id ?? '')?.sources.keys()
          const [first] = sources ?? []
          const strange = !/^([^.]+)(?:\.(.+))?$/s.test(call.params.component_id ?? '')
          return inner(
            strange && first !== undefined ? { ...call, params: { ...call.params, component_id: first } } : call,
          )
        },
      },
    },
  },
  {
    name: 'tap-empty-answer',
    about: 'a tap is answered with 204',
    kills: ['TAP-STATUS'],
    changes: success('start-tap', () => ({ status: 204 })),
  },
  {
    name: 'tap-any-component',
    about: 'a tap listens to a source of its pipeline, whatever component it is of',
    kills: ['TAP-COMPONENT-EVENTS'],
    changes: asked('start-tap', (call) => {
      const [source] = [...(call.state.pipelines.get(call.params.pipeline_id ?? '')?.sources.keys() ?? [])]
      return source === undefined ? call : { ...call, params: { ...call.params, component_id: source } }
    }),
  },
]
