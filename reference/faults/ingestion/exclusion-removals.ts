import { afterwards, notApplied, refusal, refusalBody, success } from '../core/changes.ts'
import type { Fault } from '../core/fault.ts'

/** Faults in the removal of exclusion rules. */
export const exclusionRemovalFaults: readonly Fault[] = [
  {
    name: 'exclusion-delete-body',
    about: 'the deletion of an exclusion rule is answered with a body',
    kills: ['EXCLUSION-DELETE-BODY'],
    changes: success('delete-exclusion', (answer) => ({ ...answer, status: 200, json: { deleted: true } })),
  },
  {
    name: 'exclusion-error-no-code',
    about: 'the error of an unknown exclusion rule has no code',
    kills: ['EXCLUSION-ERROR-CODE-PRESENT'],
    changes: refusalBody('delete-exclusion', ({ code: _, ...json }) => json),
  },
  {
    name: 'exclusion-error-null',
    about: 'the text of the error of an unknown exclusion rule is null',
    kills: ['EXCLUSION-ERROR-ERROR-TYPE'],
    changes: refusalBody('delete-exclusion', (json) => ({ ...json, error: null })),
  },
  {
    name: 'exclusion-error-code-number',
    about: 'the code of the error of an unknown exclusion rule is a number',
    kills: ['EXCLUSION-ERROR-CODE-TYPE'],
    changes: refusalBody('delete-exclusion', (json) => ({ ...json, code: 404 })),
  },
  {
    name: 'exclusion-error-message',
    about: 'the text of the error of an unknown exclusion rule stands in a field message',
    kills: ['EXCLUSION-ERROR-ERROR-PRESENT'],
    changes: refusalBody('delete-exclusion', ({ code, error }) => ({ code, message: error })),
  },
  {
    name: 'exclusion-error-status',
    about: 'the error of an unknown exclusion rule has a status too',
    kills: ['EXCLUSION-ERROR-ONLY'],
    changes: refusalBody('delete-exclusion', (json) => ({ ...json, status: 'error' })),
  },
  {
    name: 'exclusion-error-page',
    about: 'the error of an unknown exclusion rule is a page of HTML',
    kills: ['EXCLUSION-ERROR-OBJECT'],
    changes: refusal('delete-exclusion', ({ status }) => ({
      status,
      headers: { 'content-type': 'text/html' },
      text: ['<!doctype html><title>Not found</title>'],
    })),
  },
  {
    name: 'exclusion-deletion-not-applied',
    about: 'a deleted exclusion rule stays',
    kills: ['EXCLUSION-DELETE-REMOVES'],
    changes: notApplied('delete-exclusion'),
  },
  {
    name: 'exclusion-deletion-deactivates',
    about: 'a deleted exclusion rule is only made inactive',
    kills: ['EXCLUSION-DELETE-REMOVES'],
    changes: afterwards(
      'delete-exclusion',
      ({ state, params }) => state.exclusions.get(params.exclusion_id ?? ''),
      ({ state }, exclusion) => {
        if (exclusion) state.exclusions.set(exclusion.id, { ...exclusion, active: false })
      },
    ),
  },
]
