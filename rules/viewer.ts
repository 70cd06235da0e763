import type { Binding } from '../schemas/binding.ts'
import { createMatcher } from '../schemas/matcher.ts'
import { specifiedOperations } from '../schemas/operations.ts'
import type { Exchange, HarContent } from '../schemas/types/exchange.ts'
import type { Validator, Violation } from '../schemas/validator.ts'
import { type FieldBinding, fieldBindings, requestViolations } from './request-rules.ts'
import type { Body, ExchangeView } from './view.ts'

/** What the oracle knows about the target. */
export interface Viewer {
  view(exchange: Exchange): ExchangeView
}

const LATER = new Set([408, 429, 502, 503, 504])

/** `basePath`: the path of the target's base URL, without a slash at its end. */
export function createViewer(binding: Binding, validator: Validator, basePath: string): Viewer {
  const specified = new Map(specifiedOperations().map((operation) => [operation.id, operation]))
  const match = createMatcher([...binding.operations.values()].filter((operation) => operation.path !== ''))
  const bound: FieldBinding = fieldBindings(binding)

  return {
    view(exchange) {
      const { method, url } = exchange.request
      const found = match(method, pathOf(url, basePath))
      const operation = found?.operation
      const status = exchange.response.status
      const complete = exchange._outcome === 'complete'
      const spec = operation ? specified.get(operation.id) : undefined
      let request: Body | undefined
      let response: Body | undefined
      let violations: readonly Violation[] | undefined
      const self: ExchangeView = {
        exchange,
        id: exchange._id,
        operation,
        specified: spec,
        params: found?.params ?? {},
        intent: exchange._intent,
        credentials: exchange._credentials ?? [],
        status,
        accepted: complete && status >= 200 && status < 300,
        conclusive: complete && !LATER.has(status),
        responseHeaders: exchange.response.headers,
        get request() {
          request ??= parseBody(exchange.request.postData)
          return request
        },
        get response() {
          response ??= parseBody(exchange.response.content)
          return response
        },
        get violations() {
          violations ??= spec ? requestViolations(spec, self, bound, validator) : []
          return violations
        },
      }
      return self
    },
  }
}

function parseBody(body: Pick<HarContent, 'text' | 'encoding' | '_cut'> | undefined): Body {
  const text = body?.text
  if (text === undefined || text === '') return body?._cut === true ? { kind: 'cut' } : { kind: 'none' }
  if (body?.encoding === 'base64') return body._cut === true ? { kind: 'cut' } : { kind: 'other', text }
  try {
    return { kind: 'json', value: JSON.parse(text) }
  } catch {
    return body?._cut === true ? { kind: 'cut' } : { kind: 'other', text }
  }
}

function pathOf(url: string, basePath: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const path = (start < 0 ? '/' : url.slice(start)).split('?')[0] ?? '/'
  return basePath !== '' && path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path
}
