import type { Answer } from '../../core/message.ts'
import type { Changes } from '../../faults/core/fault.ts'
import type { Variant } from '../core/variant.ts'

/** Other numbers for refusals; enterprise keys have theirs from the table. */
function renumbered(numbers: Readonly<Record<number, number>>): () => Changes {
  return () => ({
    answer: (answer, _, operation) => {
      const status = numbers[answer.status]
      const stated = operation === 'list-enterprise-keys' && answer.status === 400
      return status === undefined || stated ? answer : { ...answer, status }
    },
  })
}

function refusals(
  applies: (answer: Answer, operation: string | undefined, path: string) => boolean,
  change: (answer: Answer) => Answer,
): () => Changes {
  return () => ({
    answer: (answer, { path }, operation) =>
      answer.status >= 400 && applies(answer, operation, path) ? change(answer) : answer,
  })
}

const page = ({ status }: Answer): Answer => ({
  status,
  headers: { 'content-type': 'text/html' },
  text: ['<!doctype html><title>Something is wrong</title>'],
})

/** Refusals by other numbers and in other shapes, where the specification does not give any. */
export const errorVariants: readonly Variant[] = [
  { name: 'errors-422', about: 'invalid values are answered with 422', changes: renumbered({ 400: 422 }) },
  { name: 'errors-403', about: 'missing credentials are answered with 403', changes: renumbered({ 401: 403 }) },
  { name: 'errors-401-as-400', about: 'missing credentials are answered with 400', changes: renumbered({ 401: 400 }) },
  { name: 'errors-410', about: 'what is gone is answered with 410', changes: renumbered({ 404: 410 }) },
  {
    name: 'errors-all-400',
    about: 'every refusal is answered with 400',
    changes: renumbered({ 401: 400, 404: 400, 409: 400, 405: 400, 415: 400 }),
  },
  {
    name: 'errors-all-404',
    about: 'conflicts and unknown things are answered with 404',
    changes: renumbered({ 409: 404 }),
  },
  {
    name: 'errors-odd-paths-html',
    about: 'a path with anything unusual in it is refused with a page, before anybody looks for what it names',
    changes: refusals(
      (_answer, operation = '', path) =>
        (operation === 'delete-member' || operation === 'delete-screen') &&
        (/%(?!40)|\.v1/.test(path) || path.length > 250),
      () => page({ status: 400 }),
    ),
  },
  {
    name: 'errors-v3-html',
    about: 'pipeline operations are refused with a page of HTML',
    changes: refusals((_answer, _operation, path) => path.startsWith('/v3/'), page),
  },
  {
    name: 'errors-v3-empty',
    about: 'pipeline operations are refused without a body',
    changes: refusals(
      (_answer, _operation, path) => path.startsWith('/v3/'),
      ({ status }) => ({ status }),
    ),
  },
  {
    name: 'errors-credentials-text',
    about: 'missing credentials are told in plain text',
    changes: refusals(
      ({ status }) => status === 401,
      () => ({
        status: 401,
        headers: { 'www-authenticate': 'Token', 'content-type': 'text/plain' },
        text: ['who are you?'],
      }),
    ),
  },
  {
    name: 'errors-long-text',
    about: 'the text of an error is long and has a trace in it',
    changes: refusals(
      ({ json }) => typeof (json as { error?: unknown } | undefined)?.error === 'string',
      (answer) => ({ ...answer, json: { ...(answer.json as object), error: 'at some place\n'.repeat(400) } }),
    ),
  },
]
