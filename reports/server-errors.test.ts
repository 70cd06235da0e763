import { describe, expect, test } from 'vitest'
import { createOracle } from '../rules/oracle.ts'
import { exchange, type Given, referenceBinding } from '../rules/testing.ts'
import type { Exchange, Intent } from '../schemas/types/exchange.ts'
import type { Report, ServerErrors } from '../schemas/types/report.ts'
import { addServerErrors, failsForServerErrors, ServerErrorLog, serverErrorLine } from './server-errors.ts'

const TRANSFORM = 'PUT /v3/pipeline/11111111-1111-4111-8111-111111111111/transform/22222222-2222-4222-8222-222222222222'
const USAGE = 'GET /v1/usage/tags?from=1&to=2'
const factory = createOracle({ binding: referenceBinding(), basePath: '', settleMs: 0 })

function collected(exchanges: readonly Exchange[]): ServerErrors {
  const log = new ServerErrorLog()
  const judge = factory.createJudge()
  for (const one of exchanges) log.add(judge.judge(one).view)
  return log.list()
}
const put = (body: unknown, intent: Intent, status = 500, more: Given = {}): Exchange =>
  exchange(TRANSFORM, { sent: body, status, got: {}, intent, ...more })
const kinds = ({ kinds: all }: ServerErrors): readonly string[] => all.map(serverErrorLine)

describe('a 5xx', () => {
  test.each<[Intent, string]>([
    [{ kind: 'base' }, 'good request'],
    [{ kind: 'accept', pointer: '/title', edge: 'length 512' }, '/title: length 512'],
    [{ kind: 'accept', pointer: '/title' }, '/title: random value'],
    [{ kind: 'auth', edge: 'access-token unknown' }, 'credentials: access-token unknown'],
    [{ kind: 'observe', edge: 'missing', pointer: '/x' }, 'left open: missing /x'],
    [{ kind: 'read' }, 'reading back'],
  ])('to a well-formed request of intent %o is collected as %s', (intent, kind) => {
    const found = collected([put({ title: 'good' }, intent)])
    expect(found).toMatchObject({
      count: 1,
      retried: 0,
      kinds: [{ operation: 'update-transform', kind, statuses: [500] }],
    })
  })
  test('of recorded traffic has no intent, and is collected all the same', () => {
    const { _intent, _case, ...recorded } = exchange(USAGE, { status: 503 })
    expect(kinds(collected([recorded]))).toEqual(['list-usage-by-tag, recorded request: status 503, once'])
  })
  test('to a request that breaks a constraint, is no JSON, or was to be refused is not', () => {
    expect(
      collected([
        put({ title: '<' }, { kind: 'accept' }),
        // No schema says that this one is no JSON.
        exchange('DELETE /v1/config/screen/1', { sent: '{"title":', status: 500, got: {}, intent: { kind: 'base' } }),
        put('{"title":', { kind: 'base' }),
        put({ title: 'good' }, { kind: 'refuse' }),
        exchange('GET /nowhere', { status: 500 }),
        put({ title: 'good' }, { kind: 'base' }, 422),
        put({ title: 'good' }, { kind: 'base' }, 500, { outcome: 'truncated' }),
      ]),
    ).toEqual({ count: 0, retried: 0, kinds: [] })
  })
})

test('the change before the first one is named, and no later one', () => {
  const made = exchange('POST /v1/config/board', { sent: { title: 'a' }, got: {}, intent: { kind: 'base' } })
  const read = exchange(USAGE, { status: 500, got: {}, intent: { kind: 'read' } })
  const later = exchange('POST /v1/config/screen', { sent: { title: 'a' }, got: {}, intent: { kind: 'base' } })
  expect(collected([made, read, later, read]).after).toBe('create-board, good request (POST /v1/config/board)')
  expect(collected([read]).after).toBeUndefined()
  const [first, second] = [collected([made]), collected([made, read])]
  expect(addServerErrors([first, second])?.after).toBe(second.after)
})

test('the smallest request of each kind is kept, with all statuses', () => {
  const found = collected([
    put({ title: 'long enough' }, { kind: 'base' }),
    put({ title: 'a' }, { kind: 'base' }, 502),
    put({ title: 'long' }, { kind: 'base' }),
  ])
  expect(kinds(found)).toEqual(['update-transform, good request: status 500, 502, 3 times'])
  expect(found.kinds[0]?.smallest).toMatchObject({ requestBody: '{"title":"a"}', status: 502 })
})

describe('a repetition', () => {
  const base: Intent = { kind: 'base' }
  test('that is answered better makes up for it', () => {
    const found = collected([
      put({ title: 'a' }, base, 503),
      put({ title: 'a' }, base, 503),
      put({ title: 'a' }, base, 200),
    ])
    expect(found).toMatchObject({ count: 0, retried: 2 })
    expect(kinds(found)).toEqual(['update-transform, good request: status 503, 2 made up for by a repetition'])
  })
  test.each<[string, Exchange]>([
    ['another body', put({ title: 'b' }, base, 200)],
    ['another reason', put({ title: 'a' }, { kind: 'auth', edge: 'x' }, 200)],
    ['another kind of credentials', put({ title: 'a' }, { kind: 'base', edge: 'x' }, 200)],
    ['another case', put({ title: 'a' }, base, 200, { case: 'other' })],
    ['no answer', put({ title: 'a' }, base, 200, { outcome: 'timeout' })],
  ])('with %s does not', (_, later) => {
    expect(collected([put({ title: 'a' }, base), later])).toMatchObject({ count: 1, retried: 0 })
  })
})

describe('many', () => {
  const many = Array.from({ length: 2_000 }, (_, index) =>
    put({ title: `${index}` }, { kind: 'accept', pointer: `/${index % 80}`, edge: 'x' }),
  )
  test('are all counted, and kept by name in bounded number, in any order', () => {
    const found = collected(many)
    expect(found).toMatchObject({ count: 2_000 })
    expect(found.kinds).toHaveLength(50)
    expect(
      collected([...many].reverse())
        .kinds.map(({ kind }) => kind)
        .sort(),
    ).toEqual(found.kinds.map(({ kind }) => kind).sort())
  })
  test('add up to the same in parts as whole', () => {
    const one = collected(many.slice(0, 700))
    const two = collected(many.slice(700))
    const whole = addServerErrors([two, undefined, one])
    expect(whole?.count).toBe(2_000)
    expect(whole?.kinds.map(({ kind, smallest }) => [kind, smallest.requestBody])).toEqual(
      collected(many).kinds.map(({ kind, smallest }) => [kind, smallest.requestBody]),
    )
    expect(addServerErrors([undefined])).toBeUndefined()
  })
})

test('a command fails for them where it was asked to, and where no repetition made up for one', () => {
  const report = (failOn: Report['failOn'], count: number): Report =>
    ({ ...(failOn ? { failOn } : {}), serverErrors: { count, retried: 1, kinds: [] } }) as unknown as Report
  expect(failsForServerErrors(report(['server-error'], 1))).toBe(true)
  expect(failsForServerErrors(report(['server-error'], 0))).toBe(false)
  expect(failsForServerErrors(report(undefined, 1))).toBe(false)
})
