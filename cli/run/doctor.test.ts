import { writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { certificateOf } from '../../engine/doctor/tls.ts'
import { CERTIFICATE } from '../../fixtures/testing/certificate.ts'
import { lastingFolder } from '../../fixtures/testing/folder.ts'
import { listen, served } from '../../fixtures/testing.ts'
import { startReference } from '../../reference/server.ts'
import { resolveBinding, shippedBinding } from '../../schemas/binding.ts'
import type { TargetConfig } from '../../schemas/types/config.ts'
import { leftBehind } from '../../suites/resources/kept.ts'
import { ran, type Said } from '../testing.ts'

const reference = await startReference({})
const folder = lastingFolder()
afterAll(() => reference.close())

/** Runs `assay doctor` with the reference's own configuration, changed as given. */
function doctor(given: Partial<TargetConfig> = {}, args: readonly string[] = []): Promise<Said> {
  const consent = { modifyTarget: true, exclusions: true, suspend: true, archiving: true, allowOwnerDeletion: true }
  const { url: baseUrl, credentials, resources } = reference
  const config: TargetConfig = { baseUrl, credentials, resources, consent, binding: 'reference', ...given }
  writeFileSync(join(folder, 'assay.config.json'), JSON.stringify(config))
  return ran(['doctor', ...args], { cwd: folder, columns: 200 })
}

/** A target that knows every path of version 1 and one token. */
const plain =
  (headers: Record<string, string> = {}): RequestListener =>
  (request, response) => {
    const unknown = request.url?.includes('assay-preflight') === true
    response.writeHead(unknown ? 404 : 200, { 'Content-Type': 'application/json', Connection: 'close', ...headers })
    response.end('[]')
  }

test('a target that is ready has no problem, and the run that follows is described', async () => {
  const { code, out } = await doctor()
  expect(out).toContain('\nready: no problem found\n')
  expect(out).not.toContain('problem  ')
  expect(code).toBe(0)
  expect(out).toMatch(/ok +accessToken, v3 +accepted by list-pipelines 200/)
  expect(out).toMatch(/ok +list-boards +GET \S+ returned 200/)
  expect(out).toMatch(/note +changes +a run would send log lines of its own; create pipeline, /)
  expect(out).toMatch(/ok +leaves behind +nothing/)
})

test('every request reads', async () => {
  const methods = new Set<string | undefined>()
  const baseUrl = await served((request, response) => {
    methods.add(request.method)
    plain()(request, response)
  })
  await doctor({ baseUrl })
  expect([...methods]).toEqual(['GET'])
})

describe('what is amiss', () => {
  test('a credential that is missing is named, with its fix', async () => {
    const { enterpriseServiceKey: _, ...credentials } = reference.credentials
    const { code, out } = await doctor({ credentials })
    expect(out).toMatch(/problem +enterpriseServiceKey +not configured, and requests without it are refused by /)
    expect(out).toContain('fix: set credentials.enterpriseServiceKey\n')
    expect(code).toBe(2)
  })
  test('credentials that work nowhere end it as they end a run', async () => {
    const { code, out } = await doctor({ credentials: { accessToken: 'not-the-token-of-anybody' } })
    expect(out).toMatch(/problem +address +credentials\.accessToken works nowhere: refused by /)
    expect(out).toMatch(/problem +accessToken, v1 +refused by /)
    expect(code).toBe(3)
  })
  test('a path of the binding that the target does not have is named with its place', async () => {
    const path = join(folder, 'binding.json')
    const operations = { 'list-boards': { method: 'GET', path: '/v1/nowhere' } }
    writeFileSync(path, JSON.stringify({ formatVersion: 1, name: 'mine', extends: 'reference', operations }))
    const { code, out } = await doctor({ binding: path })
    expect(out).toMatch(/problem +list-boards +GET \/v1\/nowhere returned 404/)
    expect(out).toContain('"offered": false')
    expect(code).toBe(2)
  })
  test('consent that is needed for anything at all is a problem, other consent is a note', async () => {
    const { code, out } = await doctor({ consent: {} })
    expect(out).toMatch(/problem +modifyTarget +not given: /)
    expect(out).toMatch(/note +suspend +not given: /)
    expect(code).toBe(2)
  })
  test.each([
    [100, /problem +clock +\d+ s ahead of the clock of this machine/],
    [-100, /problem +clock +\d+ s behind the clock of this machine/],
    [0, /ok +clock +the same as here/],
  ])('a clock that is %i s off', async (seconds, line) => {
    const baseUrl = await served(plain({ Date: new Date(Date.now() + seconds * 1000).toUTCString() }))
    expect((await doctor({ baseUrl })).out).toMatch(line)
  })
  test('a target that is not there is the only thing that is said of it', async () => {
    const { code, out } = await doctor({ baseUrl: 'http://127.0.0.1:9' })
    expect(out).toMatch(/problem +address +no connection/)
    expect(out).not.toContain('credentials\n')
    expect(code).toBe(3)
  })
  test('a configuration that cannot be read is said in one line', async () => {
    const { code, out, err } = await doctor({ binding: 'referense' })
    expect(out).toBe('')
    expect(err).toMatch(/^error: .*referense.*\n$/)
    expect(code).toBe(2)
  })
})

test('a fix of many problems is said once, and no name runs into what is said of it', async () => {
  const known = /^\/v1\/(enterprise|usage\/tags)/
  const baseUrl = await served((request, response) => {
    const isKnown = known.test(request.url ?? '')
    response.writeHead(isKnown ? 200 : 404, { 'Content-Type': 'application/json', Connection: 'close' }).end('[]')
  })
  const { out } = await doctor({ baseUrl })
  expect(out.match(/returned 404/g)?.length).toBeGreaterThan(10)
  expect(out.match(/assay bind --probe` find it/g)).toHaveLength(1)
  expect(out).toMatch(/^ {4}fix of \d+ of these: let `assay bind --probe` find it/m)
  expect(out).toMatch(/enterpriseServiceKey, enterprise {2,}accepted by/)
})

test('as JSON every check has its parts', async () => {
  const { out } = await doctor({}, ['--json'])
  const { checks } = JSON.parse(out) as { checks: Record<string, string>[] }
  expect(checks.length).toBeGreaterThan(20)
  for (const check of checks) expect(Object.keys(check).sort()).toEqual(['about', 'fix', 'name', 'state', 'what'])
})

test('no secret is printed', async () => {
  const { out } = await doctor()
  const secrets = Object.values(reference.credentials).filter((value) => typeof value === 'string')
  expect(secrets.length).toBeGreaterThan(3)
  for (const secret of secrets) expect(out).not.toContain(secret)
})

test('the certificate of a target is read, whether or not it is trusted', async () => {
  const server = createServer(CERTIFICATE, (_, response) => response.end())
  const { url, close } = await listen(server, 'https')
  const shown = await certificateOf(url, 5_000)
  await close()
  expect(shown).toMatchObject({ subject: 'assay-test', issuer: 'assay-test', protocol: 'TLSv1.3' })
  expect(shown?.validTo).toBe(Date.parse('2126-10-28T02:54:16Z'))
  expect(await certificateOf(reference.url, 5_000)).toBeUndefined()
  const silent = await served(plain())
  expect(await certificateOf(silent.replace('http:', 'https:'), 5_000)).toBeUndefined()
})

test('what no operation takes away is left behind, unless it goes with its parent', () => {
  const files = [shippedBinding('reference'), shippedBinding('default')]
  const without = (...ids: string[]) => {
    const operations = Object.fromEntries(ids.map((id) => [id, { offered: false }]))
    return resolveBinding({ name: 'x', chain: ['x'], files: [{ formatVersion: 1, name: 'x', operations }, ...files] })
  }
  expect(leftBehind(without())).toEqual([])
  expect(leftBehind(without('delete-board', 'delete-transform'))).toEqual(['board'])
  expect(leftBehind(without('delete-pipeline', 'delete-transform'))).toEqual(
    expect.arrayContaining(['pipeline', 'transform']),
  )
})
