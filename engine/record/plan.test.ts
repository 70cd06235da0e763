import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readPem } from '../../fixtures/plain-file.ts'
import { CERTIFICATE } from '../../fixtures/testing/certificate.ts'
import { ownFolder } from '../../fixtures/testing/folder.ts'
import { readPrivateKey, readPublicKey } from '../bundle/keys.ts'
import { pseudonymKey } from '../pseudonym-key.ts'
import { planRecord } from './plan.ts'

describe('a file that a user names', () => {
  const readers: Readonly<Record<string, () => unknown>> = {
    'a key of pseudonyms': () => pseudonymKey('/dev/zero'),
    'a public key': () => readPublicKey('/dev/zero', '/'),
    'a private key': () => readPrivateKey('/dev/zero', '/'),
    'a certificate': () => readPem('/dev/zero'),
  }
  test.each(Object.entries(readers))('%s is never read without end', (_, read) => {
    expect(read).toThrow('is a device, not a file')
  })
})

describe('the key of the pseudonyms', () => {
  const folder = ownFolder()

  test('is another one each time where no file is named', () => {
    expect(pseudonymKey(undefined)).not.toEqual(pseudonymKey(undefined))
  })

  test('is made once and then read, and nobody else may read the file', () => {
    const path = join(folder, 'key')
    const key = pseudonymKey(path)
    expect(key.length).toBe(32)
    expect(pseudonymKey(path)).toEqual(key)
    expect(statSync(path).mode & 0o077).toBe(0)
    expect(readFileSync(path, 'utf8').trim()).toBe(key.toString('hex'))
  })

  test('a file that holds none is refused, and stays as it is', () => {
    const path = join(folder, 'key')
    writeFileSync(path, 'my diary\n')
    expect(() => pseudonymKey(path)).toThrow('holds no key')
    expect(readFileSync(path, 'utf8')).toBe('my diary\n')
  })
})

describe('a key that the proxy, or a client of the target, shows', () => {
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const { key: fitting, cert } = CERTIFICATE
  const caller = { cwd: tmpdir(), env: {}, program: 'assay' }
  const plan = (key: string): Promise<unknown> =>
    planRecord(
      {
        ...{ target: 'https://target.invalid', timeout: 1_000, out: 'rec', mode: 'watch', maxBody: 1, compress: true },
        listen: { host: '127.0.0.1', port: 0 },
        tlsCert: Buffer.from(cert),
        tlsKey: Buffer.from(key),
      },
      caller,
    )
  test('fits its certificate', async () => {
    expect(await plan(fitting)).toMatchObject({ out: join(tmpdir(), 'rec') })
  })
  test.each([
    ['of another kind', other.export({ type: 'pkcs8', format: 'pem' }).toString(), 'does not fit the certificate'],
    ['of nothing', 'x', 'cannot be read'],
  ])('%s is refused before the proxy listens', async (_, key, said) => {
    await expect(plan(key)).rejects.toMatchObject({
      problems: [{ where: '--tls-key', what: expect.stringContaining(said) }],
    })
  })
})
