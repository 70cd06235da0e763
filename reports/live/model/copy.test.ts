// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what would act in the code that is made
import { describe, expect, test, vi } from 'vitest'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { fetchCall, harEntry } from './copy.ts'

const exchange = (request: object) =>
  ({
    request: { method: 'POST', url: 'http://t.example.com/v1/x?y=1', headers: [], ...request },
  }) as unknown as Exchange

/** What the call gives to `fetch`. */
async function called(text: string): Promise<unknown> {
  const fetch = vi.fn()
  vi.stubEnv('ASSAY_ACCESS_TOKEN', 'the-secret')
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor
  await new AsyncFunction('fetch', text)(fetch)
  vi.unstubAllEnvs()
  return fetch.mock.calls[0]
}

describe('a call of fetch', () => {
  test('sends what was sent, whatever stands in it', async () => {
    const hostile = 'a`${1}\\ "q" \u202e\u001b</script>\n'
    const text = fetchCall(
      exchange({
        headers: [
          { name: 'Host', value: 'proxy' },
          { name: 'X-A', value: hostile },
          { name: 'Authorization', value: 'Token <access-token:configured>' },
        ],
        postData: { mimeType: '', text: hostile },
      }),
    )
    for (const acting of ['\u202e', '\u001b']) expect(text).not.toContain(acting)
    expect(await called(text)).toEqual([
      'http://t.example.com/v1/x?y=1',
      {
        method: 'POST',
        headers: [
          ['X-A', hostile],
          ['Authorization', 'Token the-secret'],
        ],
        body: hostile,
      },
    ])
  })

  test('takes a secret from the environment also where the text around it would act', async () => {
    const around = '`${x} \\ " <access-token:configured> `'
    const text = fetchCall(exchange({ postData: { mimeType: '', text: around } }))
    expect(await called(text)).toMatchObject([expect.anything(), { body: '`${x} \\ " the-secret `' }])
  })

  test('sends bytes as bytes, and says where some are missing', async () => {
    const text = fetchCall(exchange({ postData: { mimeType: '', text: 'AP8=', encoding: 'base64', _cut: true } }))
    expect(text).toMatch(/^\/\/ Only the beginning/)
    expect(await called(text)).toMatchObject([expect.anything(), { body: new Uint8Array([0, 255]) }])
  })
})

test('a HAR entry is the exchange, in which nothing acts', () => {
  const given = exchange({ method: '\u202e' })
  expect(harEntry(given)).not.toContain('\u202e')
  expect(JSON.parse(harEntry(given))).toEqual(given)
})
