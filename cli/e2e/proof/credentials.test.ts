import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Credentials } from '../../../schemas/types/config.ts'
import { configOf, test } from '../../testing/world.ts'
import { found, readReport } from '../testing/expectations.ts'
import { always, forward } from '../testing/listeners.ts'

type Family = 'v1' | 'v2' | 'v3' | 'enterprise'

/** Which header is refused, by which families of operations, and with which status. */
interface Refusal {
  readonly header: 'authorization' | 'servicekey' | 'enterprise-servicekey'
  readonly families: readonly Family[]
  readonly status: 401 | 403
}

const ALL: readonly Family[] = ['v1', 'v2', 'v3', 'enterprise']
const refused = (header: Refusal['header'], status: Refusal['status'], ...families: Family[]): Refusal => ({
  header,
  families: families.length === 0 ? ALL : families,
  status,
})

const NOWHERE = (field: string): RegExp =>
  new RegExp(`^error: http:[^ ]+ credentials\\.${field} works nowhere: refused by `)
const MISSING = /^error: http:[^ ]+ no accessToken is configured: /
const FAILED = (id: string): RegExp => new RegExp(`^${id} failed$`)

/** what is refused, the credentials that differ, the exit code, what fails, and the first line of the verdict */
type Row = readonly [
  what: string,
  refusal: Refusal | undefined,
  credentials: Partial<Credentials> | 'none',
  code: number,
  fails: readonly string[],
  said: RegExp,
]

const ROWS: readonly Row[] = [
  ['token everywhere', refused('authorization', 401), {}, 3, [], NOWHERE('accessToken')],
  ['token everywhere, 403', refused('authorization', 403), {}, 3, [], NOWHERE('accessToken')],
  ['wrong token, right service key', undefined, { accessToken: 'wrong' }, 3, [], NOWHERE('accessToken')],
  ['service key everywhere', refused('servicekey', 401), {}, 3, [], NOWHERE('serviceKey')],
  ['enterprise key everywhere', refused('enterprise-servicekey', 401), {}, 3, [], NOWHERE('enterpriseServiceKey')],
  ['no credentials', undefined, 'none', 3, [], MISSING],
  ['token by v1', refused('authorization', 401, 'v1'), {}, 1, ['AUTH-V1-TOKEN'], FAILED('AUTH-V1-TOKEN')],
  ['token by v1, 403', refused('authorization', 403, 'v1'), {}, 1, ['AUTH-V1-TOKEN'], FAILED('AUTH-V1-TOKEN')],
  ['token by v2', refused('authorization', 401, 'v2'), {}, 1, ['AUTH-V2-TOKEN'], FAILED('AUTH-V2-TOKEN')],
  ['token by v3', refused('authorization', 401, 'v3'), {}, 1, ['AUTH-V3-TOKEN'], FAILED('AUTH-V3-TOKEN')],
  ['key by v1', refused('servicekey', 401, 'v1'), {}, 1, ['AUTH-V1-SERVICE-KEY'], FAILED('AUTH-V1-SERVICE-KEY')],
  ['key by v2', refused('servicekey', 403, 'v2'), {}, 1, ['AUTH-V2-SERVICE-KEY'], FAILED('AUTH-V2-SERVICE-KEY')],
]

function familyOf(url: string): Family | undefined {
  return url.includes('/enterprise/') ? 'enterprise' : ALL.find((family) => url.startsWith(`/${family}/`))
}

test.for(ROWS)('refused: %s', { timeout: 240_000 }, async ([, refusal, changed, code, fails, said], { world }) => {
  const served = await world.serve()
  const onward = forward(served.url)
  const asked: string[] = []
  const url = await world.http((request, response) => {
    asked.push(request.method ?? '')
    const family = familyOf(request.url ?? '')
    const header = refusal && request.headers[refusal.header]
    const own = refusal?.header !== 'authorization' || String(header).startsWith('Token ')
    const stops = refusal && header !== undefined && own && family !== undefined && refusal.families.includes(family)
    const listener = stops ? always(refusal.status, '{"error":"no","code":"NotAuthorized"}') : onward
    listener(request, response)
  })
  const credentials = changed === 'none' ? {} : { ...served.credentials, ...changed }
  world.write('assay.config.json', configOf(served, { baseUrl: url, credentials }))
  const ended = await world.assay(['certify', '--profile', 'quick', '--seed', '3', '--allow-partial'])
  const folder = join(world.folder, 'assay-report')
  if (code === 3) {
    expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code, stdout: '' })
    expect(ended.stderr).toMatch(said)
    expect(new Set(asked)).toEqual(new Set(['GET']))
    expect(existsSync(folder)).toBe(false)
    return
  }
  const report = readReport(folder)
  expect({ code: ended.code, reason: report.reason, fails: found(report, 'fail', 'warn', 'error') }).toEqual({
    code,
    reason: expect.stringMatching(said),
    fails,
  })
  expect(report.problems).toEqual([])
})
