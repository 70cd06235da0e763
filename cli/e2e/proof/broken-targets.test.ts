import type { IncomingMessage, RequestListener } from 'node:http'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { overlayOf } from '../../../reference/faults/core/fault.ts'
import { absentFaults } from '../../../reference/faults/derived/responses.ts'
import { startReference } from '../../../reference/server.ts'
import { specifiedOperations } from '../../../schemas/operations.ts'
import type { TargetConfig } from '../../../schemas/types/config.ts'
import type { Report } from '../../../schemas/types/report.ts'
import { configOf, test, type World } from '../../testing/world.ts'
import { filesIn, found, readReport } from '../testing/expectations.ts'
import { breaksOff, forward, hangsUp, silent } from '../testing/listeners.ts'

const ERROR = { error: 'it does not work', code: 'Broken', status: 'error' }
const CONSENT = { modifyTarget: true, exclusions: true, suspend: true, archiving: true, allowOwnerDeletion: true }

type Answer = readonly [status: number, type?: string, text?: string]

const ANSWERS: Readonly<Record<string, Answer>> = {
  ...Object.fromEntries(
    [400, 401, 404, 405, 429, 500, 501].map((status): [string, Answer] => [
      String(status),
      [status, 'application/json', JSON.stringify(ERROR)],
    ]),
  ),
  HTML: [200, 'text/html', '<html><body>Welcome</body></html>'],
  'an empty 200': [200],
}

const answering =
  ([status, type, text]: Answer): RequestListener =>
  (incoming, outgoing) => {
    incoming.resume()
    incoming.on('end', () => {
      outgoing.writeHead(status, { ...(type === undefined ? {} : { 'content-type': type }), 'retry-after': '0' })
      outgoing.end(text)
    })
  }

/** The reference behind a front that deals with some requests by itself. */
async function startBehind(
  world: World,
  broken: RequestListener,
  isBroken: (of: IncomingMessage) => boolean,
  more: Partial<TargetConfig> = {},
): Promise<void> {
  const reference = await startReference()
  world.onClose(reference.close)
  const onward = forward(reference.url)
  const url = await world.http((incoming, outgoing) => (isBroken(incoming) ? broken : onward)(incoming, outgoing))
  world.write('assay.config.json', configOf({ ...reference, url }, { consent: CONSENT, ...more }))
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined

/** The exit code, however gently it is asked for, and what the run says first. */
async function certified(
  world: World,
  ...more: string[]
): Promise<{ code: number | null; first: string; report: Report | undefined }> {
  const ended = await world.assay(['certify', '--profile', 'quick', '--seed', '7', '--allow-partial', ...more])
  if (ended.code === 3) return { code: 3, first: ended.stderr.trim(), report: undefined }
  const report = readReport(join(world.folder, 'assay-report'))
  return { code: ended.code, first: `${report.verdict}: ${report.reason}`, report }
}

/** Findings about a value in a request: not one may be among those of a target that takes or refuses everything. */
function aboutFields({ requirements }: Report): string[] {
  return requirements
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    .filter(({ findings }) => findings.some(({ pointer }) => pointer !== ''))
    .map(({ id }) => id)
}

describe('a target that answers everything with', () => {
  test.for(Object.entries(ANSWERS))('%s is not tested', async ([name, answer], { world }) => {
    await startBehind(world, answering(answer), () => true)
    const { code, first } = await certified(world)
    expect({ code, first }).toEqual({
      code: 3,
      // Who refuses everything refuses the credentials.
      first: expect.stringMatching(
        name === '401' ? /credentials\.accessToken, .* work nowhere/ : /the target answers (\d{3}|200 text\/html) to/,
      ),
    })
  })
})

describe('a target that answers every request with a body with', () => {
  const ends: Readonly<Record<string, readonly [code: number, first: RegExp]>> = {
    400: [5, /^invalid: none of \d+ good requests with a body succeeded/],
    401: [5, /^invalid: none of \d+ good requests with a body succeeded/],
    404: [1, /^non-conformant: PRESET-CREATE-STATUS failed$/],
    405: [1, /^non-conformant: PRESET-CREATE-STATUS failed$/],
    429: [5, /^invalid: none of \d+ good requests with a body succeeded/],
    500: [1, /^non-conformant: PRESET-CREATE-STATUS failed$/],
    501: [1, /^non-conformant: PRESET-CREATE-STATUS failed$/],
    HTML: [1, /^non-conformant: .*-CREATE/],
    'an empty 200': [1, /^non-conformant: .*-CREATE/],
  }
  test.for(Object.entries(ANSWERS))('%s is blamed for that, and for no field', async ([name, answer], { world }) => {
    await startBehind(world, answering(answer), hasBody)
    const { code, first, report } = await certified(world)
    const [expected, line] = ends[name] ?? []
    expect({ code, first }).toEqual({ code: expected, first: expect.stringMatching(line ?? '') })
    expect(report && aboutFields(report)).toEqual([])
    expect(report?.neverSucceeded?.length).toBeGreaterThan(10)
  })
})

// What hangs is waited for once, by all cases at the same time.
describe('a target that answers reads well, and every write', { timeout: 120_000 }, () => {
  const features: TargetConfig['features'] = ['preset-alerts', 'usage-by-tag']
  test.for<[name: string, listener: RequestListener, got: string]>([
    ['not at all', silent, 'timeout'],
    ['half', breaksOff, 'truncated'],
    ['with a closed connection', hangsUp, 'reset'],
  ])('%s: invalid, without a finding, and says what was answered', async ([, listener, got], { world }) => {
    const patience = listener === silent ? { timeout: 3_000, concurrency: 128 } : {}
    await startBehind(world, listener, ({ method }) => method !== 'GET', { features, ...patience })
    const { code, first, report } = await certified(world)
    // Where no good request with a body is taken, hardly anything was looked at.
    const invalid = expect.stringMatching(/^invalid: none of \d+ good requests with a body succeeded/)
    expect({ code, first }).toEqual({ code: 5, first: invalid })
    expect(report).toMatchObject({ leftovers: [], problems: [] })
    expect(report && found(report, 'fail', 'warn', 'error')).toEqual([])
    // The request and what it got follow.
    const why = `no-resource: create-preset-alert is answered with ${got}`
    expect(report?.requirements.some(({ reason }) => reason.startsWith(why))).toBe(true)
    expect(filesIn(world.folder).filter((path) => path.includes('journal'))).toEqual([])
  })
})

describe('a target without one operation', () => {
  test.for(specifiedOperations())(
    '$id fails by its stated response, and by nothing else',
    async (operation, { world }) => {
      const { id, feature, response } = operation
      const mutant = absentFaults.find(({ name }) => name === `${id}-missing`)
      if (!mutant) throw new Error(`there is no mutant without ${id}`)
      const reference = await startReference({ overlays: [overlayOf(mutant)] })
      world.onClose(reference.close)
      world.write(
        'assay.config.json',
        configOf(reference, {
          consent: CONSENT,
          features: [feature, feature === 'member-removal' ? 'screen-removal' : 'member-removal'],
        }),
      )
      const { code, first, report } = await certified(world)
      expect({ code, first }).toEqual({ code: 1, first: `non-conformant: ${response.statusRequirement} failed` })
      expect(report && found(report, 'fail', 'warn', 'error')).toEqual([response.statusRequirement])
      expect(report?.neverSucceeded).toContain(id)
    },
  )
})

describe('a target that a binding shows little of', () => {
  const declined = (...ids: readonly string[]): object => ({
    formatVersion: 1,
    name: 'little',
    extends: 'reference',
    operations: Object.fromEntries(ids.map((id) => [id, { offered: false }])),
  })
  test.for<[what: string, path: RegExp, status: '404' | '405' | '501', failed: string, shows: readonly string[]]>([
    ['405 for its keys', /^GET .*\/enterprise\/keys/, '405', 'ENT-KEYS-LIST-STATUS', ['create-enterprise-key']],
    ['404 for its keys', /^GET .*\/enterprise\/keys/, '404', 'ENT-KEYS-LIST-STATUS', ['create-enterprise-key']],
    [
      '404 for placing a group',
      /^POST .*\/pipeline\/[^/]+\/transform-group/,
      '404',
      'PLACEMENT-STATUS',
      ['get-pipeline', 'list-pipelines', 'get-group', 'list-groups'],
    ],
  ])('and that has %s fails by its stated response', async ([, path, status, failed, shows], { world }) => {
    const isBroken = ({ method, url }: IncomingMessage): boolean => path.test(`${method} ${url}`)
    world.write('little.json', declined(...shows))
    const features: TargetConfig['features'] = ['enterprise-keys', 'pipelines']
    const answer = ANSWERS[status] ?? [500]
    await startBehind(world, answering(answer), isBroken, { binding: './little.json', features })
    const { code, first } = await certified(world)
    expect({ code, first }).toEqual({ code: 1, first: `non-conformant: ${failed} failed` })
  })
})

describe('a target that works for three hundred requests, and then answers everything with', () => {
  test.for(['400', '404', '500'])('%s is gone before the end', async (status, { world }) => {
    let count = 0
    const isBroken = (): boolean => {
      count += 1
      return count > 300
    }
    await startBehind(world, answering(ANSWERS[status] ?? [500]), isBroken)
    const { code, first } = await certified(world)
    const words = status === '500' ? 'were answered with 500' : `were refused \\(${status}\\)`
    const stopped = new RegExp(
      `^invalid: the target stopped working at .*, after \\d+ responses: \\d+ more requests ${words}`,
    )
    expect({ code, first }).toEqual({ code: 5, first: expect.stringMatching(stopped) })
  })
})
