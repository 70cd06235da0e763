import { askedBody, notApplied } from './changes.ts'
import type { Mutant } from './mutant.ts'

/** Faults in how the processing of a pipeline is switched. */
export const processingMutants: readonly Mutant[] = [
  {
    name: 'processing-not-switched',
    about: 'the processing status of a pipeline stays as it is',
    kills: ['PROCESSING-STATUS-SWITCHES'],
    changes: notApplied('update-processing-status'),
  },
  {
    name: 'processing-not-enabled',
    about: 'a disabled pipeline cannot be enabled again',
    kills: ['PROCESSING-STATUS-SWITCHES'],
    changes: askedBody('update-processing-status', (sent, { state, params }) =>
      state.pipelines.get(params.pipeline_id ?? '')?.processing === 'disabled' ? {} : sent,
    ),
  },
  {
    name: 'processing-toggles',
    about: 'each update of the processing status switches over, whatever it says',
    kills: ['PROCESSING-STATUS-SWITCHES'],
    changes: askedBody('update-processing-status', (_, { state, params }) => ({
      processing_status:
        state.pipelines.get(params.pipeline_id ?? '')?.processing === 'disabled' ? 'enabled' : 'disabled',
    })),
  },
]
