import { features, GENERAL } from '../../schemas/features.ts'
import type { TargetConfig } from '../../schemas/types/config.ts'
import type { Problem } from '../errors.ts'
import { didYouMean, listed } from './nearest.ts'
import { ownProblems, placeIn } from './record-problems.ts'

// A field that goes with every request would also go with those that are sent without credentials on purpose.
const CREDENTIAL_HEADERS = ['authorization', 'servicekey', 'enterprise-servicekey', 'apikey']

/**
 * Everything that is wrong with a configuration whose environment variables are filled in. First its form; if that is
 * right, what the schema cannot express. `source` names the file. Values are never repeated: they may be secrets.
 */
export function configProblems(value: unknown, source: string): Problem[] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    return [{ where: source, what: 'holds no configuration', hint: 'it must be an object with at least baseUrl' }]
  }
  const form = ownProblems('config', value, source)
  if (form.length > 0) return form
  const config = value as TargetConfig
  return [
    ...urlProblems(config.baseUrl, placeIn(source, '/baseUrl')),
    ...(config.proxy === undefined ? [] : proxyProblems(config.proxy, placeIn(source, '/proxy'))),
    ...featureProblems(config.features ?? [], source),
    ...headerProblems(config.headers ?? {}, source),
    ...secretProblems(config, source),
    ...tlsProblems(config, source),
  ]
}

function urlProblems(text: string, where: string): Problem[] {
  const url = parsed(text)
  const instead = (lacks: RegExp): string =>
    lacks.test(text) ? `write http://${text}` : 'write http://host:port or https://host'
  // The parser takes one slash for two.
  if (!url || /^https?:(?!\/\/)/i.test(text)) {
    return [{ where, what: 'is not a URL', hint: instead(/^[\w.-]+(:\d+)?(\/|$)/) }]
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    const what = `must begin with http:// or https://, not ${url.protocol}`
    return [{ where, what, hint: instead(/^[\w.-]+:\d+(\/|$)/) }]
  }
  const problems: Problem[] = []
  if (url.username !== '' || url.password !== '') {
    problems.push({ where, what: 'must not carry a user name or a password', hint: 'use the field credentials' })
  }
  if (url.search !== '' || url.hash !== '') {
    problems.push({ where, what: 'must not carry a query or a fragment', hint: 'paths of operations are added to it' })
  }
  return problems
}

function proxyProblems(text: string, where: string): Problem[] {
  const url = parsed(text)
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return []
  return [{ where, what: 'is not the URL of an HTTP proxy', hint: 'write http://host:port' }]
}

function parsed(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined
}

function featureProblems(claimed: readonly string[], source: string): Problem[] {
  const known = features().flatMap(({ id }) => (id === GENERAL ? [] : [id]))
  return claimed.flatMap((feature, index) => {
    if (known.includes(feature)) return []
    const where = placeIn(source, `/features/${index}`)
    const hint = didYouMean(feature, known, `known are ${listed(known, 'and')}`)
    return [{ where, what: `there is no feature ${JSON.stringify(feature)}`, hint }]
  })
}

function headerProblems(headers: Readonly<Record<string, string>>, source: string): Problem[] {
  return Object.entries(headers).flatMap(([name, value]): Problem[] => {
    const where = placeIn(source, `/headers/${name}`)
    if (!/^[!#$%&'*+.^`|~\w-]+$/.test(name)) return [{ where, what: 'is not a valid header name', hint: '' }]
    if (CREDENTIAL_HEADERS.includes(name.toLowerCase())) {
      const hint = 'use credentials instead: some requests must go without them'
      return [{ where, what: 'must not be sent with every request', hint }]
    }
    if (OF_THE_CONNECTION.test(name)) {
      return [{ where, what: 'belongs to the connection, of which assay takes care', hint: 'leave it out' }]
    }
    return unsendable(value) ? [unsendableProblem(where)] : []
  })
}

const OF_THE_CONNECTION =
  /^(?:connection|content-length|expect|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i

function secretProblems({ credentials = {} }: TargetConfig, source: string): Problem[] {
  const { iam, ...plain } = credentials
  const all = [
    ...Object.entries(plain),
    ...Object.entries(iam ?? {}).map(([name, value]): [string, string] => [`iam/${name}`, value]),
  ]
  return all.flatMap(([name, value]) => {
    const where = placeIn(source, `/credentials/${name}`)
    if (typeof value !== 'string') return []
    return unsendable(value) ? [unsendableProblem(where)] : mistakenProblems(value, where)
  })
}

/** What is no secret, though a header could carry it. */
function mistakenProblems(value: string, where: string): Problem[] {
  const variable = /^\$\{?(\w+)\}?$/.exec(value)?.[1]
  if (variable !== undefined) {
    const what = 'is the name of a variable, and not its value'
    return [{ where, what, hint: `write \${env:${variable}}` }]
  }
  const scheme = /^(?:token|bearer|basic|apikey)[ :]/i.exec(value)?.[0]
  if (scheme === undefined) return []
  const hint = 'leave that word out: assay writes it before the secret'
  return [{ where, what: `begins with ${JSON.stringify(scheme.trim())}, the scheme of a header`, hint }]
}

/** A header value is visible ASCII or Latin-1 with blanks inside: a line break from a file is the usual surprise. */
function unsendable(value: string): boolean {
  return !/^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value) || value !== value.trim()
}

function unsendableProblem(where: string): Problem {
  const hint = 'remove line breaks and blanks at its end'
  return { where, what: 'holds characters that a header cannot hold', hint }
}

function tlsProblems({ tls }: TargetConfig, source: string): Problem[] {
  if (tls === undefined || (tls.cert === undefined) === (tls.key === undefined)) return []
  const missing = tls.cert === undefined ? 'cert' : 'key'
  const hint = 'a client certificate needs both tls.cert and tls.key'
  return [{ where: placeIn(source, `/tls/${missing}`), what: 'is missing', hint }]
}
