import { describe, expect, test } from 'vitest'
import { createCapture } from '../../fixtures/recording/capture.ts'
import { rawBody, rawExchange } from '../../fixtures/testing/recording.ts'
import { resolveBinding, shippedBinding } from '../../schemas/binding.ts'
import { createLive } from './live.ts'

const recorder = createCapture({
  binding: resolveBinding({ name: 'default', chain: ['default'], files: [shippedBinding('default')] }),
  baseUrl: 'http://t.example.com',
  credentials: new Map(),
  key: Buffer.from('k'),
})
const one = (id: number, size: number) =>
  recorder.capture(rawExchange('GET /v1/a', { id: `s-${id}`, responseBody: rawBody(`"${'x'.repeat(size)}"`) }))

describe('what the page can ask for', () => {
  test('is the last thousand exchanges', () => {
    const live = createLive()
    for (let id = 1; id <= 1_200; id += 1) live.exchange(one(id, 10), [])
    expect(live.show('s-200')).toBeUndefined()
    expect(live.show('s-201')).toContain('s-201')
    expect(live.show('s-1200')).toContain('xxx')
  })

  test('is fewer where they are long, so that memory has its bound', () => {
    const live = createLive()
    for (let id = 1; id <= 100; id += 1) live.exchange(one(id, 200_000), [])
    const shown = Array.from({ length: 100 }, (_, index) => live.show(`s-${index + 1}`)).filter(
      (text) => text !== undefined,
    )
    expect(shown.length).toBe(41)
    expect(live.show('s-100')).toBeDefined()
    for (let id = 101; id <= 200; id += 1) live.exchange(one(id, 300_000), [])
    expect(live.show('s-101')).not.toContain('xxx')
    expect(live.show('s-100')).toContain('xxx')
  })

  test('rows are told once, the newest where there were too many', () => {
    const live = createLive()
    for (let id = 1; id <= 900; id += 1) live.exchange(one(id, 1), [])
    const rows = live.rows()
    expect(rows.length).toBe(200)
    expect(rows.at(-1)?.id).toBe('s-900')
    expect(live.rows()).toEqual([])
  })
})
