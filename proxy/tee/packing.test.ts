import { describe, expect, test } from 'vitest'
import { createPacker, type Packed, unpack } from './packing.ts'
import { emptyBody, type Taken } from './taken.ts'

function taken(number: number, given: Partial<Taken> = {}): Taken {
  return {
    number,
    connection: 7,
    startedAt: 1_700_000_000_000.125,
    endedAt: 1_700_000_000_003.5,
    stalled: 0,
    method: 'PUT',
    url: '/v3/pipeline/p?x=%00',
    httpVersion: '1.1',
    requestHeaders: ['Host', 'h', 'X-Latin', 'caf\u00e9', 'X-Empty', ''],
    request: { ...emptyBody(), bytes: 6, kept: 6, chunks: [Buffer.from('abc'), Buffer.from('d\0f')] },
    status: 200,
    statusText: 'OK',
    responseHeaders: ['Content-Type', 'text/plain'],
    response: { ...emptyBody(), bytes: 9_000_000, kept: 3, chunks: [Buffer.from([0, 255, 128])], cut: true },
    outcome: 'complete',
    error: '',
    trailers: ['X-Sum', '1'],
    ...given,
  }
}

function all(packed: Packed): unknown[] {
  return [...unpack(packed, 's')].map(({ number, raw }) => ({
    number,
    ...raw,
    requestBody: { ...raw.requestBody, kept: [...raw.requestBody.kept] },
    responseBody: { ...raw.responseBody, kept: [...raw.responseBody.kept] },
  }))
}

describe('a lump of exchanges', () => {
  test('holds each as it was taken down, whatever its lengths', () => {
    const packer = createPacker()
    packer.add(taken(1))
    packer.add(taken(2, { error: 'kaputt: \u20ac \u{1f4a5}', outcome: 'truncated', stalled: 12.5 }))
    packer.add(taken(3, { requestHeaders: [], responseHeaders: [], trailers: [], request: emptyBody() }))
    const [one, two, three] = all(packer.finish())
    expect(one).toEqual({
      number: 1,
      id: 's-000000001',
      startedAt: 1_700_000_000_000.125,
      endedAt: 1_700_000_000_003.5,
      method: 'PUT',
      url: '/v3/pipeline/p?x=%00',
      httpVersion: '1.1',
      requestHeaders: ['Host', 'h', 'X-Latin', 'caf\u00e9', 'X-Empty', ''],
      requestBody: { bytes: 6, kept: [97, 98, 99, 100, 0, 102], cut: false },
      status: 200,
      statusText: 'OK',
      responseHeaders: ['Content-Type', 'text/plain'],
      responseTrailers: ['X-Sum', '1'],
      responseBody: { bytes: 9_000_000, kept: [0, 255, 128], cut: true },
      outcome: 'complete',
      client: { connection: 7 },
    })
    expect(two).toMatchObject({ number: 2, error: 'kaputt: \u20ac \u{1f4a5}', outcome: 'truncated', stalled: 12.5 })
    expect(three).toMatchObject({ number: 3, requestHeaders: [], responseHeaders: [], responseTrailers: [] })
  })

  test('is full when the next one finds no room; one that is larger than a lump gets memory of its own', () => {
    const packer = createPacker()
    const large = (bytes: number): Taken =>
      taken(1, { response: { ...emptyBody(), bytes, kept: bytes, chunks: [Buffer.alloc(bytes, 'x')] } })
    expect([packer.add(large(100_000)), packer.add(large(50_000)), packer.count()]).toEqual([true, false, 1])
    expect(all(packer.finish())).toMatchObject([{ responseBody: { bytes: 100_000, kept: { length: 100_000 } } }])
    expect([packer.add(large(2_000_000)), packer.add(taken(2))]).toEqual([true, false])
    expect(all(packer.finish())).toMatchObject([{ responseBody: { bytes: 2_000_000, kept: { length: 2_000_000 } } }])
    expect([packer.add(taken(3)), packer.count()]).toEqual([true, 1])
  })

  test('takes the memory that it needs, and stays as it is while the next one is made', () => {
    const packer = createPacker()
    packer.add(taken(1))
    const first = packer.finish()
    packer.add(taken(2))
    packer.add(taken(3))
    const second = packer.finish()
    expect(first.memory.byteLength).toBeLessThan(400)
    expect(second.memory.byteLength).toBe(2 * first.memory.byteLength)
    expect([all(first), all(second)]).toMatchObject([[{ number: 1 }], [{ number: 2 }, { number: 3 }]])
  })
})
