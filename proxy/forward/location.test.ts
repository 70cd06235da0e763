import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { movedToProxy } from './location.ts'
import { openTarget } from './target.ts'

/** What becomes of a Location; undefined: it stays. */
const moved = (location: string, target: string, encrypted = false): string | undefined => {
  let told = 0
  const onMoved = (): void => {
    told += 1
  }
  const request = { headers: { host: 'proxy:9' }, socket: { encrypted } } as unknown as IncomingMessage
  const moving = { target: openTarget({ url: target, timeoutMs: 1 }), onMoved }
  const [, kept, , now] = movedToProxy(['A', location, 'Location', location], request, moving)
  expect([kept, told]).toEqual([location, now === location ? 0 : 1])
  return now === location ? undefined : now
}

test.each([
  ['http://target:8/things/7', 'http://target:8', 'http://proxy:9/things/7'],
  ['HTTP://TARGET:8/things/7?a=b#c', 'http://target:8', 'http://proxy:9/things/7?a=b#c'],
  ['http://target:8', 'http://target:8', 'http://proxy:9/'],
  ['http://target:8/base/v2/things/7', 'http://target:8/base/v2', 'http://proxy:9/things/7'],
  ['/base/things/7', 'http://target:8/base', '/things/7'],
  ['/base', 'http://target:8/base', '/'],
  ['/things/7', 'http://target:8', undefined],
  ['/other/7', 'http://target:8/base', undefined],
  ['/baseball/7', 'http://target:8/base', undefined],
  ['//target:8/base/7', 'http://target:8/base', undefined],
  ['http://target:8/other', 'http://target:8/base', undefined],
  ['http://target:80/7', 'http://target:8', undefined],
  ['https://target:8/7', 'http://target:8', undefined],
  ['7', 'http://target:8', undefined],
])('%s of %s becomes %s', (location, target, expected) => {
  expect(moved(location, target)).toBe(expected)
})

test('a client that came over TLS goes on so', () => {
  expect(moved('http://target:8/things/7', 'http://target:8', true)).toBe('https://proxy:9/things/7')
})
