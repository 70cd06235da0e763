import { describe, expect, test } from 'vitest'
import { exchange } from '../../rules/testing.ts'
import type { Exchange, ExchangeOutcome } from '../../schemas/types/exchange.ts'
import { unreachable } from './unreachable.ts'

function failed(outcome: ExchangeOutcome, error: string, url = 'https://t.example:8443/v1/x'): Exchange {
  const made = exchange('GET /v1/x', { outcome })
  return { ...made, _error: error, request: { ...made.request, url } }
}

describe('a target that cannot be reached', () => {
  test.each<[string, string, RegExp]>([
    ['an old certificate', 'CERT_HAS_EXPIRED: certificate has expired', /^its certificate is too old: renew it/],
    ['one of tomorrow', 'CERT_NOT_YET_VALID: certificate is not yet valid', /clock/],
    [
      'one of another host',
      "ERR_TLS_CERT_ALTNAME_INVALID: Hostname/IP does not match certificate's altnames: IP: 127.0.0.1 is not in the cert's list: ",
      /^its certificate is of another host: name the target as the certificate does/,
    ],
    ['one of nobody', 'DEPTH_ZERO_SELF_SIGNED_CERT: self-signed certificate', /tls\.ca/],
    ['one of an authority unknown', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE: unable to verify the first one', /tls\.ca/],
    ['no listener', 'connect ECONNREFUSED 127.0.0.1:9', /^start the target/],
  ])('with %s', (_, error, hint) => {
    const found = unreachable(failed('refused', error))
    expect(found.what).toBe(`no connection (${error.trim()})`)
    expect(found.hint).toMatch(hint)
  })

  test.each([
    ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'sslv3 alert handshake failure'],
    ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'tlsv1 alert unknown ca'],
    ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', 'sslv3 alert bad certificate'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'tlsv13 alert certificate required'],
  ])('because it does not take the certificate of the client: %s', (code, said) => {
    const error = `80DC4162DC7F0000:error:0A000410:SSL routines:ssl3_read_bytes:${said}:../deps/openssl/openssl/ssl/record/rec_layer_s3.c:1605:SSL alert number 40\n`
    const { what, hint } = unreachable(failed('refused', `${code}: ${error}`))
    expect(what).toContain(said)
    expect(hint).toBe('it wants a client certificate that it knows: set tls.cert and tls.key')
  })

  test('because it speaks http is told where it does, without the lines of OpenSSL', () => {
    const error =
      '80DC4162DC7F0000:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/openssl/openssl/ssl/record/ssl3_record.c:350:\n'
    expect(unreachable(failed('refused', `ERR_SSL_WRONG_VERSION_NUMBER: ${error}`))).toEqual({
      what: 'no connection (ERR_SSL_WRONG_VERSION_NUMBER: wrong version number)',
      hint: 'it does not seem to speak TLS there: write http://t.example:8443',
    })
  })

  test('because it sends 100 Continue unasked is not told to speak no HTTP', () => {
    const { what, hint } = unreachable(failed('reset', 'UND_ERR_SOCKET: bad response'))
    expect(what).toBe('the target sends 100 Continue before its response, without being asked')
    expect(hint).toContain('HTTP client of Node')
    expect(unreachable(failed('reset', 'other side closed')).what).toContain('broke off or is not HTTP (reset: other')
  })
})

describe('a proxy on the way', () => {
  const PROXY = 'http://user:s3cret-word@127.0.0.1:9'

  test.each<[string, Exchange, string, RegExp]>([
    [
      'that is not there',
      failed('refused', 'connect ECONNREFUSED 127.0.0.1:9'),
      'no connection through the proxy http://127.0.0.1:9 (connect ECONNREFUSED 127.0.0.1:9)',
      /^check that the proxy runs/,
    ],
    [
      'that does not answer',
      { ...failed('timeout', 'too late'), time: 500 },
      'no response within 500 ms through the proxy http://127.0.0.1:9',
      /--timeout/,
    ],
    [
      'that wants to know who asks',
      failed('reset', 'UND_ERR_ABORTED: Proxy response (407) !== 200 when HTTP Tunneling'),
      'no connection through the proxy http://127.0.0.1:9, which answers 407',
      /user and a password/,
    ],
    [
      'that does not reach the target',
      failed('reset', 'UND_ERR_ABORTED: Proxy response (502) !== 200 when HTTP Tunneling'),
      'no connection through the proxy http://127.0.0.1:9, which answers 502',
      /may reach the target/,
    ],
  ])('%s is named, without its password', (_, exchanged, what, hint) => {
    const found = unreachable(exchanged, PROXY)
    expect(found.what).toBe(what)
    expect(found.hint).toMatch(hint)
    expect(JSON.stringify(found)).not.toContain('s3cret-word')
  })

  test('has nothing to do with the certificate of the target', () => {
    expect(unreachable(failed('refused', 'CERT_HAS_EXPIRED: old'), PROXY).hint).toContain('renew it')
  })
})
