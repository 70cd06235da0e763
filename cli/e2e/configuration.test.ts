// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of a configuration are written so
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { configOf, test } from '../testing/world.ts'
import { account } from './testing/account.ts'
import { errorLines, filesIn, found, readReport } from './testing/expectations.ts'
import { forward } from './testing/listeners.ts'

const PREFIX = '/tenants/blue'
const QUICK = ['certify', '--profile', 'quick', '--yes-modify-target']

describe('a configuration', () => {
  const BOTH = ['AUTH-V3-REQUIRED', 'ENT-KEYS-LIST-ALL']
  test.concurrent.for<[name: string, start: string, end: string, only: string[], passed: string[]]>([
    ['assay.config.json', '', '', ['enterprise-keys', 'AUTH-V3-REQUIRED', 'update-gateway-route'], BOTH],
    [
      'assay.config.ts',
      'const config: Readonly<Record<string, unknown>> = ',
      '\nexport default config\n',
      ['ENT-KEYS-LIST-ALL'],
      ['ENT-KEYS-LIST-ALL'],
    ],
  ])(
    'as %s, with a path in the address and its secrets in the environment, which no file shows',
    async ([name, start, end, only, passed], { world }) => {
      const served = await world.serve()
      const shown = new Set<string>()
      const onward = forward(served.url, (path) => path.slice(PREFIX.length))
      const strays: string[] = []
      const url = await world.http((request, response) => {
        if (request.url?.startsWith(`${PREFIX}/`)) return onward(request, response)
        strays.push(request.url ?? '')
        response.writeHead(404).end()
      })
      const { iam, ...alone } = served.credentials
      const variables = Object.entries({ ...alone, iam: iam?.token }).map(([field, secret], index) => ({
        field,
        secret: String(secret),
        variable: `ASSAY_SECRET_${index}`,
      }))
      const named = Object.fromEntries(variables.map(({ field, variable }) => [field, `\${env:${variable}}`]))
      for (const { secret } of variables) shown.add(secret)
      for (const key of (await account(served)).get('list-enterprise-keys') as { key: string }[]) shown.add(key.key)
      const config = configOf(served, {
        baseUrl: `${url}${PREFIX}`,
        features: ['enterprise-keys', 'pipelines'],
        credentials: { ...named, iam: { ...iam, token: named.iam ?? '' } },
      })
      world.write(name, `${start}${JSON.stringify(config)}${end}`)
      const env = Object.fromEntries(variables.map(({ variable, secret }) => [variable, secret]))
      const ended = await world.assay([...QUICK, '--only', ...only], { env })

      expect({ code: ended.code, lines: errorLines(ended) }).toEqual({ code: 0, lines: [] })
      expect(strays).toEqual([])
      const report = readReport(join(world.folder, 'assay-report'))
      expect(report).toMatchObject({ verdict: 'partial', leftovers: [], problems: [] })
      expect(report.target).toMatchObject({ name: 'served', embedded: false })
      expect(found(report, 'fail', 'warn', 'error')).toEqual([])
      expect(found(report, 'pass')).toEqual(expect.arrayContaining(passed))

      const files = filesIn(world.folder).filter((path) => path.startsWith('assay-report'))
      expect(files).toEqual(
        expect.arrayContaining([expect.stringMatching(/evidence\/exchanges-\d+\.ndjson$/), 'assay-report/report.json']),
      )
      expect(shown.size).toBeGreaterThan(5)
      const texts = [
        ['stdout', ended.stdout],
        ['stderr', ended.stderr],
        ...files.map((path) => [path, readFileSync(join(world.folder, path), 'utf8')]),
      ]
      for (const [where, text = ''] of texts) {
        for (const secret of shown) expect({ where, secret: text.includes(secret) }).toEqual({ where, secret: false })
      }
    },
  )
})

test.concurrent('without a binding, resources that are listed are used: partial, and each reason is named', async ({
  world,
}) => {
  const served = await world.serve()
  const send = async (method: string, path: string, body?: object): Promise<string> => {
    const answer = await fetch(new URL(path, served.url), {
      method,
      headers: { authorization: `Token ${served.credentials.accessToken}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    expect(answer.ok).toBe(true)
    const { data } = (await answer.json()) as { data: { id: string } }
    return data.id
  }
  const gatewayRouteId = await send('POST', '/v3/pipeline/gateway-route', { title: 'listed', description: 'listed' })
  const before = await account(served)
  const { binding: _none, ...config } = configOf(served, { resources: { gatewayRouteId } })
  world.write('assay.config.json', config)

  const only = ['--only', 'update-gateway-route', 'update-transform', 'delete-screen']
  const ended = await world.assay([...QUICK, ...only])
  expect({ code: ended.code, lines: errorLines(ended) }).toEqual({ code: 4, lines: [] })
  const report = readReport(join(world.folder, 'assay-report'))
  expect(report).toMatchObject({ verdict: 'partial', binding: { name: '', chain: [], answered: [] }, leftovers: [] })
  expect(found(report, 'fail', 'warn', 'error')).toEqual([])
  expect(found(report, 'pass')).toContain('ROUTE-PATCH-STATUS')
  const screen = report.requirements.find(({ id }) => id === 'SCREEN-DELETE-STATUS')
  expect(screen?.reason).toMatch(/^no-resource: no screen: /)
  expect(ended.stdout).toMatch(/\d+ +the binding does not answer GAP-PATHS-CONFIGURATION /)
  // every listed thing is still there, and nothing else came
  const after = await account(served)
  expect([...after].map(([name, list]) => [name, JSON.stringify(list).length > 0])).toEqual(
    [...before].map(([name]) => [name, true]),
  )
  expect(JSON.stringify(after.get('list-screens'))).toBe(JSON.stringify(before.get('list-screens')))

  const allowed = await world.assay([...QUICK, '--only', 'update-gateway-route', '--allow-partial'])
  expect(allowed.code).toBe(0)
})
