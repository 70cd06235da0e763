import { describe, expect, test } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'
import { ingest, textsOf } from '../testing/lines.ts'

const PATH = '/v1/config/ingestion'

interface Guarded extends Harness {
  readonly isIngesting: () => unknown
  readonly token: () => string
  readonly confirm: (token: unknown) => number
}

function guarded(): Guarded {
  const harness = createHarness()
  return {
    ...harness,
    isIngesting: () => harness.done('GET', `${PATH}/status`).at('/isIngesting'),
    token: () => String(harness.done('POST', `${PATH}/suspend`).at('/token')),
    confirm: (token) => harness.send('POST', `${PATH}/suspend/confirm`, { body: { token } }).status,
  }
}

describe('suspension', () => {
  test('one call suspends nothing, the second with its token does, resuming restores', () => {
    const { isIngesting, token, confirm, done } = guarded()
    expect(isIngesting()).toBe(true)
    const guard = token()
    expect(isIngesting()).toBe(true)
    expect(confirm(guard)).toBe(200)
    expect(isIngesting()).toBe(false)
    expect(done('POST', `${PATH}/resume`).json).toEqual({ status: 'OK' })
    expect(isIngesting()).toBe(true)
  })

  test.each(['wrong', '', undefined, null, 7])('the token %j is refused, and nothing is suspended', (wrong) => {
    const { isIngesting, token, confirm } = guarded()
    expect(confirm(wrong)).toBe(400)
    token()
    expect([confirm(wrong), isIngesting()]).toEqual([400, true])
  })

  test('a token is used up by its use, by a newer one, by resuming, and by ten minutes', () => {
    const { isIngesting, token, confirm, done, clock } = guarded()
    const used = token()
    confirm(used)
    expect(confirm(used)).toBe(400)
    done('POST', `${PATH}/resume`)
    expect(confirm(used)).toBe(400)
    const older = token()
    const newer = token()
    expect(confirm(older)).toBe(400)
    done('POST', `${PATH}/resume`)
    expect(confirm(newer)).toBe(400)
    const late = token()
    clock.now += 600_000
    expect([confirm(late), isIngesting()]).toEqual([400, true])
    const inTime = token()
    clock.now += 599_999
    expect([confirm(inTime), isIngesting()]).toEqual([200, false])
  })

  test('lines that are sent meanwhile are not stored', () => {
    const harness = guarded()
    ingest(harness, [{ line: 'before' }])
    harness.confirm(harness.token())
    expect(ingest(harness, [{ line: 'meanwhile' }]).status).toBe(200)
    harness.done('POST', `${PATH}/resume`)
    ingest(harness, [{ line: 'after' }])
    expect(textsOf(harness)).toEqual(['before', 'after'])
  })
})
