import { type Answer, type Delivery, isPending } from '../../core/route.ts'
import type { Changes } from '../../faults/core/fault.ts'
import { type CodedVariants, everywhere } from '../core/variant.ts'

/** Writes JSON answers in another way; `headers` take the place of the usual ones. */
function written(
  write: (
    json: unknown,
    answer: Answer,
  ) => { readonly pieces: readonly string[]; readonly headers?: Readonly<Record<string, string>> },
): () => Changes {
  return () => ({
    answer: (answer) => {
      if (answer.json === undefined) return answer
      const { json, ...rest } = answer
      const { pieces, headers = { 'content-type': 'application/json' } } = write(json, answer)
      return { ...rest, headers: { ...answer.headers, ...headers }, text: pieces }
    },
  })
}

/** Sends JSON in other portions. At most `most` pieces, so that long lists do not take for ever. */
function delivered(delivery: Delivery, most: number): () => Changes {
  return () => ({
    answer: (answer) => {
      if (answer.json === undefined) return answer
      const { json, ...rest } = answer
      const text = JSON.stringify(json)
      const length = Math.max(1, Math.ceil(text.length / most))
      const pieces = Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
        text.slice(index * length, (index + 1) * length),
      )
      return {
        ...rest,
        headers: { ...answer.headers, 'content-type': 'application/json' },
        text: withoutHalves(pieces),
        delivery,
      }
    },
  })
}

/** A character must not be cut in two: each half would be sent as a replacement. */
function withoutHalves(pieces: readonly string[]): string[] {
  const whole: string[] = []
  let rest = ''
  for (const piece of pieces) {
    const cut = /[\ud800-\udbff]$/.test(piece) ? -1 : piece.length
    whole.push(rest + piece.slice(0, cut))
    rest = cut === -1 ? piece.slice(-1) : ''
  }
  return [...whole, rest].filter(Boolean)
}

function typed(contentType: string | undefined): () => Changes {
  return written((json) => ({
    pieces: [JSON.stringify(json)],
    headers: contentType === undefined ? {} : { 'content-type': contentType },
  }))
}

function json(change: (json: unknown, operation: string | undefined, answer: Answer) => unknown): () => Changes {
  return () => ({
    answer: (answer, _, operation) =>
      answer.json === undefined ? answer : { ...answer, json: change(answer.json, operation, answer) },
  })
}

/** Changes how a read says that there is nothing to read. */
function nothing(answerOf: (path: string) => Answer): () => Changes {
  return () => ({
    answer: (answer, { method, path }) => (method === 'GET' && answer.status === 404 ? answerOf(path) : answer),
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

/** Characters that can be written as escapes, and are. */
function withEscapes(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[/@\u0080-\uffff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/** Whole numbers with a fraction of zero. */
function withFractions(value: unknown): string {
  return JSON.stringify(value).replaceAll(/("created":|"generation_id":)(\d+)/g, '$1$2.0')
}

/** Further fields in each object, but for the error of an exclusion rule, which has two. */
const moreFields = json((one, operation, { status }) =>
  operation === 'delete-exclusion' && status >= 400
    ? one
    : everywhere(one, (object) => ({ _links: { self: '/somewhere' }, ...object, 'x-more': [null, 1.5, 'é'] })),
)

/** Answers that say the same in other words, in another order, or more slowly. */
const answerVariants: CodedVariants = {
  'pretty-json': written((one) => ({ pieces: [JSON.stringify(one, null, 2), '\n'] })),
  'chunked-json': written((one) => ({ pieces: JSON.stringify(one).match(/.{1,16}/gsu) ?? [] })),
  'escaped-json': written((one) => ({ pieces: [withEscapes(one)] })),
  'key-order': json((one) => everywhere(one, (object) => Object.fromEntries(Object.entries(object).reverse()))),
  'more-fields': moreFields,
  'until-close': delivered({ untilClose: true }, 1),
  trickling: delivered({ everyMs: 2 }, 8),
  'trickling-until-close': delivered({ everyMs: 5, untilClose: true }, 3),
  'numbers-with-fraction': written((one) => ({ pieces: [withFractions(one)] })),
  'media-type-case': typed('Application/JSON'),
  'media-type-parameters': typed('application/json ;charset="UTF-8"; profile=x'),
  'media-type-suffix': typed('application/vnd.example+json'),
  'media-type-plain': typed('text/plain; charset=utf-8'),
  'media-type-missing': typed(undefined),
  slow: () => ({
    reply: (reply, _, env) => (isPending(reply) ? reply : { resumeAt: env.now() + 15, resume: () => reply }),
  }),
  'gone-null': nothing((path) => ({ status: 200, json: path.startsWith('/v3/') ? { data: null } : null })),
  'gone-no-content': nothing(() => ({ status: 204 })),
}

/** A path with anything unusual in it is refused before anybody looks for what it names. */
const oddPaths = refusals(
  (_answer, operation = '', path) =>
    (operation === 'delete-member' || operation === 'delete-screen') &&
    (/%(?!40|2B)|\.v1/.test(path) || path.length > 250),
  () => page({ status: 400 }),
)

const NOBODY: Answer = {
  status: 401,
  headers: { 'www-authenticate': 'Token', 'content-type': 'text/plain' },
  text: ['who are you?'],
}

const isDenied = ({ status }: Answer): boolean => status === 401

/** The text of an error is long. */
const longErrors = refusals(
  ({ json: told }) => typeof (told as { error?: unknown } | undefined)?.error === 'string',
  (answer) => ({ ...answer, json: { ...(answer.json as object), error: 'at some place\n'.repeat(400) } }),
)

/** Refusals by other numbers and in other shapes, where the specification does not give any. */
const errorVariants: CodedVariants = {
  'errors-odd-paths-html': oddPaths,
  'errors-v3-empty': refusals(
    (_answer, _operation, path) => path.startsWith('/v3/'),
    ({ status }) => ({ status }),
  ),
  'errors-credentials-text': refusals(isDenied, () => NOBODY),
  'errors-credentials-as-unknown': refusals(isDenied, () => {
    return { status: 404, json: { error: 'there is nothing here', code: 'NotFound', status: 'error' } }
  }),
  'errors-long-text': longErrors,
}

/** Other answers: good ones and refusals. */
export const otherAnswers: CodedVariants = { ...answerVariants, ...errorVariants }
