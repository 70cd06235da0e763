import { type Answer, type Delivery, isPending } from '../../core/message.ts'
import type { Changes } from '../../faults/core/fault.ts'
import { everywhere } from '../core/changes.ts'
import type { Variant } from '../core/variant.ts'

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
  {
    name: 'pretty-json',
    about: 'JSON is printed over several lines',
    changes: written((one) => ({ pieces: [JSON.stringify(one, null, 2), '\n'] })),
  },
  {
    name: 'chunked-json',
    about: 'JSON is sent in many chunks of unknown length',
    changes: written((one) => ({ pieces: JSON.stringify(one).match(/.{1,16}/gsu) ?? [] })),
  },
  {
    name: 'escaped-json',
    about: 'characters of JSON are written as escapes wherever they can be',
    changes: written((one) => ({
      pieces: [
        JSON.stringify(one).replaceAll(
          /[/@\u0080-\uffff]/g,
          (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
        ),
      ],
    })),
  },
  {
    name: 'key-order',
    about: 'fields of JSON objects come in the opposite order',
    changes: json((one) => everywhere(one, (object) => Object.fromEntries(Object.entries(object).reverse()))),
  },
  {
    name: 'more-fields',
    about: 'JSON objects have further fields',
    changes: json((one, operation, { status }) =>
      operation === 'delete-exclusion' && status >= 400
        ? one
        : everywhere(one, (object) => ({ _links: { self: '/somewhere' }, ...object, 'x-more': [null, 1.5, 'é'] })),
    ),
  },
  {
    name: 'until-close',
    about: 'answers have no length and end with their connection, as in HTTP/1.0',
    changes: delivered({ untilClose: true }, 1),
  },
  {
    name: 'trickling',
    about: 'answers come in a few bytes at a time',
    changes: delivered({ everyMs: 2 }, 8),
  },
  {
    name: 'trickling-until-close',
    about: 'answers come in slowly and end with their connection',
    changes: delivered({ everyMs: 5, untilClose: true }, 3),
  },
  {
    name: 'numbers-with-fraction',
    about: 'whole numbers are written with a fraction of zero',
    changes: written((one) => ({
      pieces: [JSON.stringify(one).replaceAll(/("created":|"generation_id":)(\d+)/g, '$1$2.0')],
    })),
  },
  { name: 'media-type-case', about: 'the media type is written with capitals', changes: typed('Application/JSON') },
  {
    name: 'media-type-parameters',
    about: 'the media type has quoted parameters',
    changes: typed('application/json ;charset="UTF-8"; profile=x'),
  },
  {
    name: 'media-type-suffix',
    about: 'the media type is one of those that end in +json',
    changes: typed('application/vnd.example+json'),
  },
  {
    name: 'media-type-plain',
    about: 'answers are declared as plain text',
    changes: typed('text/plain; charset=utf-8'),
  },
  { name: 'media-type-missing', about: 'answers do not name their media type', changes: typed(undefined) },
  {
    name: 'slow',
    about: 'each answer takes some time',
    changes: () => ({
      reply: (reply, _, env) => (isPending(reply) ? reply : { resumeAt: env.now() + 15, resume: () => reply }),
    }),
  },
  {
    name: 'gone-null',
    about: 'reading what is not there is answered with success, and null',
    changes: nothing((path) => ({ status: 200, json: path.startsWith('/v3/') ? { data: null } : null })),
  },
  {
    name: 'gone-no-content',
    about: 'reading what is not there is answered with success, and nothing',
    changes: nothing(() => ({ status: 204 })),
  },
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
  {
    name: 'errors-odd-paths-html',
    about: 'a path with anything unusual in it is refused with a page, before anybody looks for what it names',
    changes: refusals(
      (_answer, operation = '', path) =>
        (operation === 'delete-member' || operation === 'delete-screen') &&
        (/%(?!40|2B)|\.v1/.test(path) || path.length > 250),
      () => page({ status: 400 }),
    ),
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
