import { expect, test } from 'vitest'
import { infer } from './infer.ts'
import { searchSuspension } from './suspension.ts'
import { NOTHING, probeOf } from './testing/probe.ts'

test('the token of the second call is a word, and no sentence that stands before it', async () => {
  let suspended = false
  const { probe } = probeOf(
    ({ method, path, body }) => {
      if (path === '/v1/config/ingestion/status') return [200, { suspended }]
      if (method !== 'POST') return NOTHING
      if (path === '/v1/config/ingestion/suspend') return [200, { hint: 'call again', token: 'again-12' }]
      if (path.endsWith('/resume')) suspended = false
      else if (!path.endsWith('/suspend/confirm')) return NOTHING
      else if ((body as { token?: string } | undefined)?.token !== 'again-12') return [400, { error: 'no such token' }]
      else suspended = true
      return [200, {}]
    },
    { modify: true, suspend: true },
  )
  await searchSuspension(probe)
  expect(probe.hits.get('suspend-ingestion')?.told).toEqual({ token: '/token' })
  expect(probe.hits.get('resume-ingestion')).toMatchObject({ sure: 'proven' })
  expect(probe.ledger.things).toMatchObject([{ type: 'suspension', removed: true }])
})

test.each([
  ['status', 'active', 'pending_confirmation', 'suspended'],
  ['state', 'ACTIVE', 'SUSPENSION_PENDING', 'SUSPENDED'],
])('between running and suspended %s may be a third state, which is no token', async (name, runs, pends, stops) => {
  let calls = 0
  const status = (): string => [runs, pends][calls] ?? stops
  const { probe } = probeOf(
    ({ method, path }) => {
      if (method === 'POST' && path === '/v1/config/ingestion/suspend') calls += 1
      else if (method === 'POST' && path === '/v1/config/ingestion/resume') calls = 0
      else if (method !== 'GET' || path !== '/v1/config/ingestion/status') return NOTHING
      return [200, { [name]: status(), until: '2026-01-02T03:04:05Z' }]
    },
    { modify: true, suspend: true },
  )
  await searchSuspension(probe)
  const { operations } = infer({ routes: probe.hits, answers: probe.answers, open: probe.open })
  expect(operations.get('get-ingestion-status')?.answer).toEqual({ suspended: `/${name}=${stops}` })
  expect(operations.get('suspend-ingestion')?.answer).toEqual({})
  expect(operations.get('confirm-suspension')).toMatchObject({ path: '/v1/config/ingestion/suspend', body: {} })
})
