import { describe, expect, test } from 'vitest'
import { addressIn } from './record-options.ts'

describe('an address to listen on', () => {
  test.each([
    ['127.0.0.1:9000', { host: '127.0.0.1', port: 9000 }],
    ['localhost:0', { host: 'localhost', port: 0 }],
    ['[::1]:65535', { host: '::1', port: 65_535 }],
    ['8080', { host: '127.0.0.1', port: 8080 }],
  ])('%s', (text, address) => expect(addressIn(text)).toEqual(address))

  test.each(['', ':', 'localhost', '127.0.0.1:', '::1:80', '1.2.3.4:65536', 'a:b', '[::1]80', '1:2:3'])(
    '%j is none',
    (text) => expect(addressIn(text)).toBeUndefined(),
  )
})
