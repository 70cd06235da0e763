import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createCapture } from '../../fixtures/recording/capture.ts'
import { openBodies } from '../../fixtures/segments/bodies.ts'
import { resolveBinding, shippedBinding } from '../../schemas/binding.ts'
import { WholeBodies } from './whole-body.ts'

const binding = resolveBinding({ name: 'default', chain: ['default'], files: [shippedBinding('default')] })
const SECRET = 'configured-token-0001'
const MIB = 1024 * 1024

let folder: string
let problems: string[]
let wholes: WholeBodies
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-whole-'))
  problems = []
  const capture = createCapture({
    binding,
    baseUrl: 'http://t.example.com',
    credentials: new Map([[SECRET, 'access-token']]),
    key: Buffer.from('k'),
  })
  wholes = new WholeBodies(openBodies(folder), capture, (message) => problems.push(message))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const opening = (url: string, ...headers: string[]) => ({ method: 'GET', url, status: 200, headers })
const files = (): string[] => readdirSync(join(folder, 'bodies'))

function pass(body: Buffer, url: string, ...headers: string[]) {
  const whole = wholes.begin(opening(url, ...headers))
  for (let at = 0; at < body.length; at += 65_000) whole.push(body.subarray(at, at + 65_000))
  return whole.finish()
}

describe('a long body that is to be kept whole', () => {
  test('is handed over as it is up to 8 MiB', () => {
    const body = Buffer.from(JSON.stringify({ a: 'b'.repeat(8 * MIB - 100) }))
    const whole = pass(body, '/v1/x', 'content-type', 'application/json')
    expect(whole && 'kept' in whole && !whole.cut && whole.kept.equals(body)).toBe(true)
    expect(readdirSync(folder)).toEqual([])
  })

  test('goes into a file without secrets where it is longer and holds lines', () => {
    const line = `{"_line":"found ${SECRET} and é"}\n`
    const body = Buffer.from(line.repeat(200_000))
    expect(body.length).toBeGreaterThan(8 * MIB)
    const kept = pass(body, '/v1/export?from=1', 'content-type', 'application/jsonl')
    const [name = ''] = files()
    expect(kept).toEqual({ file: { name } })
    const text = readFileSync(join(folder, 'bodies', name), 'utf8')
    expect(text === line.replace(SECRET, '<access-token:configured>').repeat(200_000)).toBe(true)
  })

  test.each([
    ['no text', '\0abc', ['content-type', 'application/octet-stream']],
    ['in a content coding', 'abcdefg', ['content-encoding', 'br']],
    ['a text with bytes that are none further on', 'abcdefg', [], 9 * MIB],
  ] as const)('and is %s is not kept beyond 8 MiB', (_, begin, headers, nonsense: number = 0) => {
    const body = Buffer.alloc(10 * MIB, begin)
    if (nonsense > 0) body[nonsense] = 0xff
    expect(pass(body, '/v1/x', ...headers)).toBeUndefined()
    expect(readdirSync(folder).flatMap(() => files())).toEqual([])
    expect(problems).toEqual([])
  })

  test('leaves nothing where nobody wants it, or the disk does not take it', () => {
    const one = wholes.begin(opening('/v1/export'))
    for (let turn = 0; turn < 10; turn += 1) one.push(Buffer.alloc(MIB, 'line\n'))
    expect(files().length).toBe(1)
    one.discard()
    expect(files()).toEqual([])
    rmSync(join(folder, 'bodies'), { recursive: true })
    writeFileSync(join(folder, 'bodies'), 'in the way')
    expect(pass(Buffer.alloc(10 * MIB, 'line\n'), '/v1/export')).toBeUndefined()
    expect(pass(Buffer.alloc(10 * MIB, 'line\n'), '/v1/export')).toBeUndefined()
    expect(problems).toEqual([expect.stringContaining('bodies can not be kept whole: EEXIST')])
  })
})
