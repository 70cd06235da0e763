import http from 'node:http'
import https from 'node:https'
import { expect, test } from 'vitest'

// In a file of its own, since importing nock cannot be taken back.
test('no entry but assay/nock touches http.request or fetch', async () => {
  const before = [http.request, http.get, https.request, https.get, globalThis.fetch, http.ClientRequest]
  const entries = await Promise.all([
    import('./assay.ts'),
    import('./fixtures.ts'),
    import('./undici.ts'),
    import('./vitest.ts'),
  ])
  expect(entries.every((entry) => Object.keys(entry).length > 0)).toBe(true)
  const after = [http.request, http.get, https.request, https.get, globalThis.fetch, http.ClientRequest]
  expect(after.map((value, index) => value === before[index])).toEqual(before.map(() => true))
  await import('./nock.ts')
  expect(globalThis.fetch).not.toBe(before[4])
})
