import { join } from 'node:path'
import { expect } from 'vitest'
import { Capture } from '../../../fixtures/recording/capture.ts'
import type { RawBody, RawExchange } from '../../../fixtures/recording/raw.ts'
import { openRecording } from '../../../fixtures/recording/read.ts'
import { RecordingWriter } from '../../../fixtures/recording/write.ts'
import { readBody } from '../../../fixtures/segments/bodies.ts'
import { rawBody } from '../../../fixtures/testing/recording.ts'
import { referenceBinding } from '../../../rules/testing.ts'
import type { CredentialScheme, Exchange, HarHeader } from '../../../schemas/types/exchange.ts'
import type { ReplayReport } from '../../../schemas/types/replay.ts'
import type { Report } from '../../../schemas/types/report.ts'
import { test, type World } from '../../testing/world.ts'

const BASE = 'http://target.example.com'
const SCHEMES: readonly CredentialScheme[] = ['access-token', 'iam', 'service-key', 'enterprise-key', 'ingestion-key']
const secretOf = (scheme: string): string => `k3y-0f-${scheme}-8c1d7f`
const CONFIGURED = new Map(SCHEMES.map((scheme) => [secretOf(scheme), scheme]))
const PLACEHOLDER = /<([a-z-]+):configured>/g

/** As a proxy would have seen it, with credentials of our own for those that were taken out. */
function rawOf(exchange: Exchange, folder: string): RawExchange {
  const { request, response } = exchange
  const plain = (text: string): string => text.replace(PLACEHOLDER, (_, scheme: string) => secretOf(scheme))
  const flat = (headers: readonly HarHeader[]): string[] => headers.flatMap(({ name, value }) => [name, plain(value)])
  const body = (one: { text?: string; encoding?: 'base64'; _body?: string } | undefined): RawBody => {
    const text = one?._body === undefined ? (one?.text ?? '') : (readBody(folder, one._body) ?? '')
    return rawBody(one?.encoding === undefined ? plain(text) : Buffer.from(text, 'base64'))
  }
  return {
    id: exchange._id,
    startedAt: exchange._start,
    endedAt: exchange._end,
    method: request.method,
    url: plain(request.url).slice(new URL(request.url).origin.length),
    httpVersion: '1.1',
    requestHeaders: flat(request.headers),
    requestBody: body(request.postData),
    status: response.status,
    statusText: response.statusText,
    responseHeaders: flat(response.headers),
    responseTrailers: [],
    responseBody: body(response.content),
    outcome: exchange._outcome,
  }
}

/** Records a run twice, with its texts and without. Returns how many exchanges it had. */
async function recordTwice(world: World, from: string): Promise<number> {
  const options = { binding: referenceBinding(), baseUrl: BASE, credentials: CONFIGURED, key: Buffer.from('k') }
  const masking: Capture = new Capture(options)
  const keeping: Capture = new Capture({ ...options, keep: 'all' })
  const plain = new RecordingWriter(join(world.folder, 'plain'), { base: BASE })
  const masked = new RecordingWriter(join(world.folder, 'masked'), { base: BASE })
  let count = 0
  for await (const exchange of (await openRecording(from)).exchanges()) {
    const raw = rawOf(exchange, from)
    masked.append(masking.capture(raw))
    plain.append(keeping.capture(raw))
    count += 1
  }
  await Promise.all([plain.close(), masked.close()])
  return count
}

/** What `check` says of each requirement, and of how much it is in doubt. */
async function checked(world: World, recording: string): Promise<object> {
  const ended = await world.assay(['check', recording, '--binding', 'reference', '--out', `of-${recording}`, '--json'])
  const { counts, requirements } = JSON.parse(ended.stdout) as Report
  // Findings and observations show values, which are others.
  const said = requirements.map(({ findings, evidence, ...rest }) => ({
    ...rest,
    findings: findings.length,
    evidence: { ...evidence, observations: evidence.observations.length },
  }))
  return { code: ended.code, counts, said }
}

/** One request after the other, so that what overlapped ends in the same order each time. */
async function replayed(world: World, recording: string): Promise<object> {
  const out = ['--concurrency', '1', '--out', `replay-${recording}`, '--json']
  const ended = await world.assay(['replay', recording, '--embedded', ...out])
  const { counts, differences } = JSON.parse(ended.stdout) as ReplayReport
  const all = differences.map(({ operation, pointer, kind, count }) => `${count} ${kind}: ${operation} ${pointer}`)
  // The address of the owner is the target's own: in a recording it has a pseudonym, which no other target shows.
  // A filter of a tap is private, and another one selects other events. An odd id with blanks is no word of an error.
  const OF_PRIVATE = /list-members \/\*$|delete-(?:member|screen) \/error$|start-tap \/data/
  return { sent: counts.sent, differences: all.filter((one) => !OF_PRIVATE.test(one)) }
}

test('check and replay say the same of a run whose texts were taken out', { timeout: 240_000 }, async ({ world }) => {
  const args = ['certify', '--embedded', '--profile', 'quick', '--seed', '5', '--record', 'run']
  expect((await world.assay(args)).code).toBe(0)
  expect(await recordTwice(world, join(world.folder, 'run'))).toBeGreaterThan(1_000)
  expect(await checked(world, 'masked')).toEqual(await checked(world, 'plain'))
  expect(await replayed(world, 'masked')).toEqual(await replayed(world, 'plain'))
})
