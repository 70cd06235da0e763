import { refusalBody } from '../core/changes.ts'
import type { Fault } from '../core/fault.ts'

/** Faults in the form of errors. */
export const errorFaults: readonly Fault[] = [
  {
    name: 'error-no-code',
    about: 'the error of an unknown member has no code',
    kills: ['ERROR-BODY-CODE-PRESENT'],
    changes: refusalBody('delete-member', ({ code: _, ...json }) => json),
  },
  {
    name: 'error-no-text',
    about: 'the error of an unknown screen has no text',
    kills: ['ERROR-BODY-ERROR-PRESENT'],
    changes: refusalBody('delete-screen', ({ error: _, ...json }) => json),
  },
  {
    name: 'error-message',
    about: 'the text of an error stands in a field message',
    kills: ['ERROR-BODY-ERROR-PRESENT'],
    changes: refusalBody('delete-screen', ({ error, ...json }) => ({ message: error, ...json })),
  },
  {
    name: 'error-nested',
    about: 'the text of an error stands in an object',
    kills: ['ERROR-BODY-ERROR-TYPE'],
    changes: refusalBody('delete-member', ({ error, ...json }) => ({ ...json, error: { message: error } })),
  },
  {
    name: 'error-code-number',
    about: 'the code of an error is a number',
    kills: ['ERROR-BODY-CODE-TYPE'],
    changes: refusalBody('delete-screen', (json) => ({ ...json, code: 404 })),
  },
  {
    name: 'error-status-number',
    about: 'the status in an error is a number',
    kills: ['ERROR-BODY-STATUS-TYPE'],
    changes: refusalBody('delete-screen', (json) => ({ ...json, status: 404 })),
  },
  {
    name: 'error-status-capital',
    about: 'the status in an error is written with a capital',
    kills: ['ERROR-BODY-STATUS-VALUE'],
    changes: refusalBody('delete-member', (json) => ({ ...json, status: 'Error' })),
  },
  {
    name: 'error-list',
    about: 'an error is an array',
    kills: ['ERROR-BODY-OBJECT'],
    changes: refusalBody('delete-screen', (json) => [json]),
  },
  {
    name: 'error-text',
    about: 'an error is a bare text',
    kills: ['ERROR-BODY-OBJECT'],
    changes: refusalBody('delete-member', ({ error }) => error),
  },
  {
    name: 'error-empty',
    about: 'an error has no body',
    kills: ['ERROR-BODY-OBJECT'],
    changes: {
      answer: (answer, _, operation) =>
        operation === 'delete-screen' && answer.status === 404 ? { status: 404 } : answer,
    },
  },
  {
    name: 'preset-error-without-code',
    about: 'the error of a bad preset alert has no code',
    kills: ['ERROR-BODY-SHAPE'],
    changes: refusalBody('create-preset-alert', ({ code: _, ...json }) => json),
  },
  {
    name: 'preset-error-list',
    about: 'the error of a bad preset alert says in a list what is wrong',
    kills: ['ERROR-BODY-SHAPE'],
    changes: refusalBody('update-preset-alert', ({ error, code }) => ({ code, error: [error] })),
  },
]
