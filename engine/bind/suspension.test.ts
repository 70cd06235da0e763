import { expect, test } from 'vitest'
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
