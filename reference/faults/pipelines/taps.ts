import { within } from '../../model/state.ts'
import { asked, askedBody, body, type Json, refusal } from '../core/changes.ts'
import { each, type Fault, fault } from '../core/fault.ts'

const tapped = each((change: Parameters<typeof askedBody>[1]) => askedBody('start-tap', change))

/** Takes another component for the first source of the pipeline. */
const elsewhere = each((is: RegExp) =>
  asked('start-tap', (call) => {
    const [source] = within(call.state, 'source', call.params.pipeline_id)
    const other = source && is.test(call.params.component_id ?? '')
    return other ? { ...call, params: { ...call.params, component_id: source.id } } : call
  }),
)

/** Faults in what a tap listens to and returns. */
export const tapFaults: readonly Fault[] = [
  fault(
    'tap-one-more',
    'TAP-LIMIT',
    'a tap returns one event more than was asked for',
    body('start-tap', ({ data, ...json }) => {
      const events = (data as Json).events as unknown[]
      return { ...json, data: { ...(data as Json), events: [...events, ...events.slice(0, 1)] } }
    }),
  ),
  tapped('tap-limit-two', 'TAP-LIMIT', 'a tap returns at least two events', (sent) => ({
    ...sent,
    limit: Math.max(2, Number(sent.limit)),
  })),
  fault(
    'tap-limit-server-error',
    'TAP-LIMIT-MAX',
    'a tap for more than 100 events breaks the server',
    refusal('start-tap', (answer) => {
      const { errors } = answer.json as { readonly errors?: readonly { instancePath: string; message: string }[] }
      const many = errors?.some(({ instancePath, message }) => instancePath === '/limit' && message.includes('<='))
      return many ? { ...answer, status: 500 } : answer
    }),
  ),
  elsewhere(
    'tap-component-unchecked',
    'TAP-COMPONENT-PATTERN',
    'a tap takes a component of no known form',
    /^(\.|[^.]+\.$)/,
  ),
  elsewhere('tap-any-component', 'TAP-COMPONENT-EVENTS', 'a tap listens to a source, whatever component is named', /^/),
]
