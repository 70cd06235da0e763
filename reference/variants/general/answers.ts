import { type Answer, type Delivery, isPending } from '../../core/route.ts'
import type { Changes } from '../../faults/core/fault.ts'
import { everywhere, type Variant, variant } from '../core/variant.ts'

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

/** Answers that say the same in other words, in another order, or more slowly. */
export const answerVariants: readonly Variant[] = [
  variant(
    'pretty-json',
    'JSON is printed over several lines',
    written((one) => ({ pieces: [JSON.stringify(one, null, 2), '\n'] })),
  ),
  variant(
    'chunked-json',
    'JSON is sent in many chunks of unknown length',
    written((one) => ({ pieces: JSON.stringify(one).match(/.{1,16}/gsu) ?? [] })),
  ),
  variant(
    'escaped-json',
    'characters of JSON are written as escapes wherever they can be',
    written((one) => ({
      pieces: [
        JSON.stringify(one).replaceAll(
          /[/@\u0080-\uffff]/g,
          (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
        ),
      ],
    })),
  ),
  variant(
    'key-order',
    'fields of JSON objects come in the opposite order',
    json((one) => everywhere(one, (object) => Object.fromEntries(Object.entries(object).reverse()))),
  ),
  variant(
    'more-fields',
    'JSON objects have further fields',
    json((one, operation, { status }) =>
      operation === 'delete-exclusion' && status >= 400
        ? one
        : everywhere(one, (object) => ({ _links: { self: '/somewhere' }, ...object, 'x-more': [null, 1.5, 'é'] })),
    ),
  ),
  variant(
    'until-close',
    'answers have no length and end with their connection, as in HTTP/1.0',
    delivered({ untilClose: true }, 1),
  ),
  variant('trickling', 'answers come in a few bytes at a time', delivered({ everyMs: 2 }, 8)),
  variant(
    'trickling-until-close',
    'answers come in slowly and end with their connection',
    delivered({ everyMs: 5, untilClose: true }, 3),
  ),
  variant(
    'numbers-with-fraction',
    'whole numbers are written with a fraction of zero',
    written((one) => ({
      pieces: [JSON.stringify(one).replaceAll(/("created":|"generation_id":)(\d+)/g, '$1$2.0')],
    })),
  ),
  variant('media-type-case', 'the media type is written with capitals', typed('Application/JSON')),
  variant(
    'media-type-parameters',
    'the media type has quoted parameters',
    typed('application/json ;charset="UTF-8"; profile=x'),
  ),
  variant(
    'media-type-suffix',
    'the media type is one of those that end in +json',
    typed('application/vnd.example+json'),
  ),
  variant('media-type-plain', 'answers are declared as plain text', typed('text/plain; charset=utf-8')),
  variant('media-type-missing', 'answers do not name their media type', typed(undefined)),
  variant('slow', 'each answer takes some time', () => ({
    reply: (reply, _, env) => (isPending(reply) ? reply : { resumeAt: env.now() + 15, resume: () => reply }),
  })),
  variant(
    'gone-null',
    'reading what is not there is answered with success, and null',
    nothing((path) => ({ status: 200, json: path.startsWith('/v3/') ? { data: null } : null })),
  ),
  variant(
    'gone-no-content',
    'reading what is not there is answered with success, and nothing',
    nothing(() => ({ status: 204 })),
  ),
]

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
  variant(
    'errors-odd-paths-html',
    'a path with anything unusual in it is refused with a page, before anybody looks for what it names',
    refusals(
      (_answer, operation = '', path) =>
        (operation === 'delete-member' || operation === 'delete-screen') &&
        (/%(?!40|2B)|\.v1/.test(path) || path.length > 250),
      () => page({ status: 400 }),
    ),
  ),
  variant(
    'errors-v3-empty',
    'pipeline operations are refused without a body',
    refusals(
      (_answer, _operation, path) => path.startsWith('/v3/'),
      ({ status }) => ({ status }),
    ),
  ),
  variant(
    'errors-credentials-text',
    'missing credentials are told in plain text',
    refusals(
      ({ status }) => status === 401,
      () => ({
        status: 401,
        headers: { 'www-authenticate': 'Token', 'content-type': 'text/plain' },
        text: ['who are you?'],
      }),
    ),
  ),
  variant(
    'errors-credentials-as-unknown',
    'without right credentials nothing is said to be there',
    refusals(
      ({ status }) => status === 401,
      () => ({ status: 404, json: { error: 'there is nothing here', code: 'NotFound', status: 'error' } }),
    ),
  ),
  variant(
    'errors-long-text',
    'the text of an error is long and has a trace in it',
    refusals(
      ({ json }) => typeof (json as { error?: unknown } | undefined)?.error === 'string',
      (answer) => ({ ...answer, json: { ...(answer.json as object), error: 'at some place\n'.repeat(400) } }),
    ),
  ),
]
