import { asked } from './core/changes.ts'
import type { Fault } from './core/fault.ts'

/** Faults in what a tap listens to. */
export const tapFaults: readonly Fault[] = [
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
