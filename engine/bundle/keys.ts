import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign as signBytes,
  verify as verifyBytes,
} from 'node:crypto'
import { resolve } from 'node:path'
import { readPem } from '../../fixtures/plain-file.ts'
import { givenFile, UsageError } from '../errors.ts'

/** @throws UsageError unless the file holds an Ed25519 private key in PEM */
export function readPrivateKey(path: string, cwd: string): KeyObject {
  const hint = '`openssl genpkey -algorithm ed25519` makes one'
  return readKey(path, cwd, (pem) => createPrivateKey(pem), 'private', hint)
}

/** @throws UsageError unless the file holds an Ed25519 public key in PEM */
export function readPublicKey(path: string, cwd: string): KeyObject {
  const hint = '`openssl pkey -in key.pem -pubout` gives the public part of a key'
  return readKey(path, cwd, (pem) => createPublicKey(pem), 'public', hint)
}

function readKey(path: string, cwd: string, read: (pem: Buffer) => KeyObject, kind: string, hint: string): KeyObject {
  const pem = givenFile(() => readPem(resolve(cwd, path)), path, hint)
  let key: KeyObject
  try {
    key = read(pem)
  } catch {
    throw new UsageError({ where: path, what: `is not a ${kind} key without a passphrase, in PEM`, hint })
  }
  if (key.asymmetricKeyType !== 'ed25519') {
    throw new UsageError({ where: path, what: `is a key of another kind (${key.asymmetricKeyType})`, hint })
  }
  return key
}

/** The Ed25519 signature, in base64, on a line. */
export function signatureOf(bytes: Uint8Array, key: KeyObject): string {
  return `${signBytes(null, bytes, key).toString('base64')}\n`
}

export function isSignedBy(bytes: Uint8Array, signature: string, key: KeyObject): boolean {
  const decoded = Buffer.from(signature, 'base64')
  // Base64 of the same bytes can be written in several ways; one of them is the signature.
  return (
    `${decoded.toString('base64')}\n` === signature && decoded.length === 64 && verifyBytes(null, bytes, key, decoded)
  )
}

/** A short name of a public key, for other people: the first half of the SHA-256 of its DER form. */
export function fingerprint(key: KeyObject): string {
  const half = key.type === 'private' ? createPublicKey(key) : key
  const der = half.export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(der).digest('hex').slice(0, 32)
}
