import { createServer } from 'node:https'
import { expect } from 'vitest'
import { CERTIFICATE } from '../../fixtures/testing/certificate.ts'
import { test } from '../testing/world.ts'
import { ran } from '../testing.ts'
import { errorLines } from './testing/expectations.ts'
import { always } from './testing/listeners.ts'

test('a certificate that nobody vouches for is refused, unless tls.ca or tls.insecure says otherwise', async ({
  world,
}) => {
  const server = createServer(CERTIFICATE, always(404, '{}'))
  const baseUrl = `https://localhost:${await world.listen(server)}`
  world.write('ca.pem', CERTIFICATE.cert)
  for (const [tls, said] of [
    [{}, /^error: \S+: no connection .*self-signed certificate/],
    [{ ca: './ca.pem' }, /^error: \S+: the target answers 404 to everything/],
    [{ insecure: true }, /^error: \S+: the target answers 404 to everything/],
  ] as const) {
    const config = world.write('config.json', { baseUrl, tls, binding: 'reference', consent: { modifyTarget: true } })
    const { code, out, err } = await ran(['certify', '--config', config], { cwd: world.folder })
    expect([code, errorLines({ stdout: out, stderr: err })]).toEqual([3, [expect.stringMatching(said)]])
  }
})
