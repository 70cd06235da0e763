import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { BindingFile } from '../../schemas/types/binding.ts'
import { run } from '../program.ts'
import { SECOND_BINDING } from '../testing/targets.ts'
import { configOf, test } from '../testing/world.ts'
import { fakeIo } from '../testing.ts'
import { account } from './testing/account.ts'
import { bound, EVERYTHING, effective, requireRight } from './testing/bound.ts'
import { errorLines } from './testing/expectations.ts'

describe('assay bind', () => {
  test.concurrent('asks the embedded target, finds what it has, and leaves nothing behind', async ({ world }) => {
    const served = await world.serve()
    world.write('assay.config.json', configOf(served, { binding: 'default', consent: EVERYTHING }))
    const before = await account(served)
    const told = await bound(world, '--probe', '--yes-modify-target')
    requireRight(world, told, effective('reference', '/'))
    expect(told.probe).toMatchObject({ left: [] })
    expect(told.probe?.made).toBeGreaterThan(15)
    expect(await account(served)).toEqual(before)
    // A property that nobody can see is not taken over from another target.
    const { answers } = effective('./bound.json', world.folder)
    expect(answers.has('GAP-CONCURRENCY')).toBe(false)
  })

  test.concurrent('writes as not offered what the target shows nothing of, and says which that is', async ({
    world,
  }) => {
    const served = await world.serve()
    // No boards, no update of a view, and the keys of the enterprise alone are read one by one.
    const lacks =
      /^(?:\w+ \/v1\/config\/boards?(?:\/|$)|(?:PUT|PATCH|POST) \/v1\/config\/view\/|GET \/v1\/config\/keys\/)/
    const url = await world.http(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const { method = '', url: path = '', headers } = request
      if (lacks.test(`${method} ${path}`)) return response.writeHead(404).end('{"error":"no such path"}')
      const { host: _host, connection: _connection, 'content-length': _length, ...rest } = headers
      const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }
      const answer = await fetch(served.url + path, { method, headers: rest as Record<string, string>, ...body })
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
      return response.end(await answer.text())
    })
    world.write('assay.config.json', configOf(served, { baseUrl: url, binding: 'default', consent: EVERYTHING }))
    const ended = await world.assay(['bind', '--probe', url, '--yes-modify-target', '--out', 'bound.json'])
    expect(ended.code).toBe(0)
    const file = JSON.parse(readFileSync(join(world.folder, 'bound.json'), 'utf8')) as BindingFile
    const absent = Object.entries(file.operations ?? {}).flatMap(([id, { offered }]) => (offered === false ? [id] : []))
    const boards = ['create-board', 'delete-board', 'get-board', 'list-boards', 'update-board']
    expect(absent.sort()).toEqual([...boards, 'get-key', 'update-view'].sort())
    const words = ended.stdout.replaceAll(/\s+/g, ' ')
    expect(words).toMatch(
      /Found \d+ of the 107 operations of the interface\. Nothing of these was seen, so they are written/,
    )
    const checked = await world.assay(['doctor', '--binding', './bound.json'])
    expect([checked.code, checked.stdout]).toEqual([0, expect.not.stringMatching(/list-boards|get-key|update-view/)])
  })

  test.concurrent('without consent only reads', async ({ world }) => {
    const served = await world.serve()
    world.write('assay.config.json', configOf(served, { binding: 'default', consent: {} }))
    const before = await account(served)
    const told = await bound(world, '--probe')
    expect(told.probe).toMatchObject({ left: [], made: 0 })
    expect(await account(served)).toEqual(before)
    const found = told.operations.filter((one) => one.found).map(({ id }) => id)
    expect(found).toEqual(expect.arrayContaining(['list-boards', 'list-pipelines', 'list-members', 'get-member']))
    expect(found.filter((id) => /^(create|update|delete)-/.test(id))).toEqual([])
  })

  test.concurrent('reads the document that `assay openapi` makes', async ({ world }) => {
    expect((await world.assay(['openapi', '--binding', SECOND_BINDING, '--out', 'openapi.json'])).code).toBe(0)
    requireRight(world, await bound(world, '--openapi', 'openapi.json'), effective(SECOND_BINDING, '/'))
  })

  test.concurrent('leaves a file that is there as it is, writes beside it, and says what differs', async ({
    world,
  }) => {
    await world.assay(['openapi', '--binding', SECOND_BINDING, '--out', 'openapi.json'])
    const again = async (...words: string[]): Promise<{ differs: { place: string }[] }> => {
      const io = fakeIo({ cwd: world.folder })
      expect(await run(['bind', '--openapi', 'openapi.json', ...words, '--json'], io)).toBe(0)
      return JSON.parse(io.out()) as { differs: { place: string }[] }
    }
    const read = (name: string): Record<string, object> => JSON.parse(readFileSync(join(world.folder, name), 'utf8'))
    expect(await again()).toMatchObject({ differs: [] })
    const first = read('binding.json')
    const mine = { ...first, operations: { ...first.operations, 'list-boards': { offered: false } } }
    world.write('binding.json', mine)
    const { differs } = await again()
    expect([read('binding.json'), read('binding.new.json')]).toEqual([mine, first])
    expect(differs).toContainEqual({ place: '/operations/list-boards/offered', before: false })
    expect(await again('--replace')).toEqual(
      expect.objectContaining({ differs, out: expect.stringMatching(/binding\.json$/) }),
    )
    expect(read('binding.json')).toEqual(first)
    const io = fakeIo({ cwd: world.folder })
    world.write('binding.json', mine)
    await run(['bind', '--openapi', 'openapi.json'], io)
    expect(io.out()).toContain('./binding.json stays as it is')
    expect(io.out()).toContain('/operations/list-boards/offered: false there; found nothing')
  })

  test.concurrent('ends in one line where nothing answers, lets it in, or can be learnt from', async ({ world }) => {
    const cases: [string[], number, RegExp][] = [
      [['--probe', 'http://127.0.0.1:1'], 3, /127\.0\.0\.1:1: no response .*is the target running/],
      [[], 2, /there is nothing to learn from; give --probe URL, --openapi FILE or --from RECORDING/],
      [['--openapi', 'missing.yaml'], 2, /missing\.yaml.*no such file|missing\.yaml/],
      [['--from', 'missing.har'], 2, /missing\.har does not exist/],
    ]
    const closed = await world.http((_request, response) => response.writeHead(401).end('{}'))
    cases.push([['--probe', closed], 3, /the credentials are refused, so nothing can be found out/])
    for (const [args, code, line] of cases) {
      const io = fakeIo({ cwd: world.folder })
      expect({ args, code: await run(['bind', ...args], io) }).toEqual({ args, code })
      expect(errorLines({ stderr: io.err(), stdout: io.out() })).toEqual([expect.stringMatching(line)])
    }
  })
})
