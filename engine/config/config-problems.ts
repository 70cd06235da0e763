import { features, GENERAL } from '../../schemas/features.ts'
import type { TargetConfig } from '../../schemas/types/config.ts'
import type { Problem } from '../errors.ts'
import { didYouMean, listed } from './nearest.ts'
import { type Fault, ownProblems, problemsOf } from './record-problems.ts'

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
  return form.length > 0 ? form : problemsOf(source, configFaults(value as TargetConfig))
}

function* configFaults({
  baseUrl,
  proxy,
  headers = {},
  credentials = {},
  tls,
  ...rest
}: TargetConfig): Iterable<Fault> {
  yield* urlFaults(baseUrl)
  if (proxy !== undefined && !/^https?:$/.test(parsed(proxy)?.protocol ?? ''))
    yield ['/proxy', 'is not the URL of an HTTP proxy', 'write http://host:port']
  const known = features().flatMap(({ id }) => (id === GENERAL ? [] : [id]))
  for (const [index, feature] of (rest.features ?? []).entries()) {
    const hint = didYouMean(feature, known, `known are ${listed(known, 'and')}`)
    if (!known.includes(feature)) yield [`/features/${index}`, `there is no feature ${JSON.stringify(feature)}`, hint]
  }
  for (const [name, header] of Object.entries(headers)) yield* headerFaults(`/headers/${name}`, name, header)
  const { iam = {}, ...plain } = credentials
  const ofIam = Object.entries(iam).map(([name, secret]) => [`iam/${name}`, secret] as const)
  for (const [name, secret] of [...Object.entries(plain), ...ofIam])
    if (typeof secret === 'string') yield* secretFaults(`/credentials/${name}`, secret)
  if ((tls?.cert === undefined) !== (tls?.key === undefined)) {
    const hint = 'a client certificate needs both tls.cert and tls.key'
    yield [`/tls/${tls?.cert === undefined ? 'cert' : 'key'}`, 'is missing', hint]
  }
}

function* urlFaults(text: string): Iterable<Fault> {
  const url = parsed(text)
  const instead = (lacks: RegExp): string =>
    lacks.test(text) ? `write http://${text}` : 'write http://host:port or https://host'
  // The parser takes one slash for two.
  if (!url || /^https?:(?!\/\/)/i.test(text))
    return yield ['/baseUrl', 'is not a URL', instead(/^[\w.-]+(:\d+)?(\/|$)/)]
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    const what = `must begin with http:// or https://, not ${url.protocol}`
    return yield ['/baseUrl', what, instead(/^[\w.-]+:\d+(\/|$)/)]
  }
  if (url.username !== '' || url.password !== '')
    yield ['/baseUrl', 'must not carry a user name or a password', 'use the field credentials']
  if (url.search !== '' || url.hash !== '')
    yield ['/baseUrl', 'must not carry a query or a fragment', 'paths of operations are added to it']
}

function parsed(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined
}

function* headerFaults(place: string, name: string, value: string): Iterable<Fault> {
  if (!/^[!#$%&'*+.^`|~\w-]+$/.test(name)) yield [place, 'is not a valid header name', '']
  else if (CREDENTIAL_HEADERS.includes(name.toLowerCase()))
    yield [place, 'must not be sent with every request', 'use credentials instead: some requests must go without them']
  else if (OF_THE_CONNECTION.test(name))
    yield [place, 'belongs to the connection, of which assay takes care', 'leave it out']
  else if (unsendable(value)) yield [place, ...UNSENDABLE]
}

const OF_THE_CONNECTION =
  /^(?:connection|content-length|expect|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i

/** Also of a word that is no secret, though a header could carry it. */
function* secretFaults(place: string, value: string): Iterable<Fault> {
  const variable = /^\$\{?(\w+)\}?$/.exec(value)?.[1]
  const scheme = /^(?:token|bearer|basic|apikey)[ :]/i.exec(value)?.[0].trim()
  if (unsendable(value)) yield [place, ...UNSENDABLE]
  else if (variable !== undefined)
    yield [place, 'is the name of a variable, and not its value', `write \${env:${variable}}`]
  else if (scheme !== undefined) {
    const hint = 'leave that word out: assay writes it before the secret'
    yield [place, `begins with ${JSON.stringify(scheme)}, the scheme of a header`, hint]
  }
}

/** A header value is visible ASCII or Latin-1 with blanks inside: a line break from a file is the usual surprise. */
function unsendable(value: string): boolean {
  return !/^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value) || value !== value.trim()
}

const UNSENDABLE = ['holds characters that a header cannot hold', 'remove line breaks and blanks at its end'] as const
