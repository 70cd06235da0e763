import { readBody } from '../../fixtures/segments/bodies.ts'
import { readSegments } from '../../fixtures/segments/read.ts'
import type { Credentials } from '../../schemas/types/config.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'

/** One request of a run, as any load generator can send it. */
export interface MixRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** what the recorded run was answered, where that is short */
  readonly answer?: string
}

const SHORT = 2_000

/** The requests of a recorded run, in their order, with the credentials of a target where its own were hidden. */
export async function mixOf(recording: string, credentials: Credentials): Promise<MixRequest[]> {
  const shown = new Map([
    ['<access-token:configured>', credentials.accessToken],
    ['<service-key:configured>', credentials.serviceKey],
    ['<enterprise-key:configured>', credentials.enterpriseServiceKey],
    ['<ingestion-key:configured>', credentials.ingestionKey],
  ])
  const secretsIn = (value: string): string => value.replace(/<[a-z-]+:configured>/, (name) => shown.get(name) ?? name)
  const requests: MixRequest[] = []
  for await (const { request, response } of readSegments<Exchange>(recording, 'exchanges')) {
    // A head that is too long ends its connection, which autocannon does not survive.
    if (response.status === 431) continue
    const { pathname, search } = new URL(request.url)
    const body = readBody(recording, request.postData?._body) ?? request.postData?.text
    requests.push({
      method: request.method as MixRequest['method'],
      path: `${pathname}${search}`,
      headers: Object.fromEntries(request.headers.map(({ name, value }) => [name, secretsIn(value)])),
      ...(body === undefined ? {} : { body }),
      ...((response.content.text ?? '').length > SHORT ? {} : { answer: response.content.text ?? '' }),
    })
  }
  return requests
}

/** What a load generator reached with a mix. */
export interface Fired {
  readonly perSecond: number
  /** microseconds of CPU a request */
  readonly cpu: number
  /** share of answers with a status of 200 to 299 */
  readonly accepted: number
}

/** Sends every request of the mix once, over so many connections that each have their share of it. */
export async function fire(url: string, mix: readonly MixRequest[], connections: number): Promise<Fired> {
  const { default: autocannon } = await import('autocannon')
  const share = Math.floor(mix.length / connections)
  const amount = share * connections
  let given = 0
  const before = process.cpuUsage()
  const result = await autocannon({
    url,
    connections,
    amount,
    timeout: 60,
    // It sees only so often that it is done, and counts the time until then.
    sampleInt: 50,
    setupClient(client) {
      const first = given * share
      given += 1
      client.setRequests(mix.slice(first, first + share).map(({ answer: _answer, ...request }) => request))
    },
  })
  if (result.errors > 0) throw new Error(`${result.errors} requests of the load generator failed`)
  const { user, system } = process.cpuUsage(before)
  return { perSecond: amount / result.duration, cpu: (user + system) / amount, accepted: result['2xx'] / amount }
}
