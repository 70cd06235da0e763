import { describe, expect, test } from 'vitest'
import { resolveBinding, shippedBinding } from '../../schemas/binding.ts'
import { howWell, nameAmong, PATTERNS, pathsOf, plain, waysOf } from './vocabulary.ts'

const files = [shippedBinding('reference'), shippedBinding('default')]
const shipped = resolveBinding({ name: 'reference', chain: ['reference', 'default'], files })

describe('the words of paths', () => {
  test('a name is the same in every spelling, in singular and plural', () => {
    for (const name of ['gatewayRoutes', 'gateway_route', 'gateway-routes', 'GatewayRoute']) {
      expect(plain(name)).toBe('gatewayroute')
    }
    expect(['categories', 'people', 'searches', 'status', 'services', 'buses'].map(plain)).toEqual([
      'category',
      'person',
      'search',
      'status',
      'service',
      'buse',
    ])
  })

  test('every operation that only a binding can place has patterns, and its shipped path fits one of them', () => {
    const without = [...shipped.operations.values()].filter(({ id, specified }) => !specified && !PATTERNS.has(id))
    // They name a resource that a specified operation makes.
    expect(without.map(({ id }) => id)).toEqual([])
    const unfit = [...shipped.operations.values()].filter(
      ({ id, specified, method, path }) =>
        !specified &&
        !(PATTERNS.get(id) ?? []).some(
          (pattern) => pattern.startsWith(`${method} `) && howWell(pattern.slice(method.length + 1), path) > 0,
        ),
    )
    expect(unfit.map(({ id }) => id)).toEqual([])
  })

  test('the kind of a node may be called by the node', () => {
    for (const name of ['source_type', 'transformType', 'processor_type', 'kind'])
      expect(nameAmong('type', ['title', name])).toBe(name)
  })

  test('ways of another version come last, so that they push no other one behind the last that is tried', () => {
    for (const operation of ['suspend-ingestion', 'ingest-lines', 'create-exclusion']) {
      const versions = waysOf(operation).map(({ path }) => path.startsWith('/v2/'))
      expect(versions.indexOf(true)).toBeGreaterThan(0)
      expect(versions.slice(versions.indexOf(true))).not.toContain(false)
    }
  })

  test('the paths of a pattern begin with the words of the specification, and hold the usual variants', () => {
    const paths = pathsOf('v1 config? screen')
    expect(paths.slice(0, 2)).toEqual(['/v1/config/screen', '/v1/config/screens'])
    expect(paths).toEqual(expect.arrayContaining(['/v1/screens', '/v1/config/panels', '/v1/settings/screens']))
    expect(pathsOf('v3 pipeline * source', (type) => `/v3/${type}/{id}`)).toContain('/v3/pipeline/{id}/sources')
    expect(pathsOf('v3 pipeline * source')).toEqual([])
    expect(waysOf('resume-ingestion')).toContainEqual({ method: 'DELETE', path: '/v1/intake/pause' })
  })

  test('a path fits the pattern of its own kind, and that of no other', () => {
    expect(howWell('v1 config? screen', '/v1/config/screens')).toBe(1)
    expect(howWell('v1 config? screen', '/v1/config/panels')).toBeGreaterThan(0)
    expect(howWell('v1 config? screen', '/v1/config/panels')).toBeLessThan(1)
    expect(howWell('v1 config? screen', '/v1/config/dashboards')).toBe(0)
    expect(howWell('v1 config? screen', '/v1/config/screens/{id}')).toBe(0)
    expect(howWell('v3 pipeline * group', '/v3/pipelines/{a}/bundles')).toBeGreaterThan(0)
    expect(howWell('v3 group', '/v3/pipelines/{a}/bundles')).toBe(0)
    expect(howWell('v1 export', '/v2/export')).toBe(0)
    // Only pipelines are of one version alone.
    expect(howWell('v3 pipeline * transform', '/pipelines/{a}/processors')).toBeGreaterThan(0)
    expect(howWell('v3 pipeline * transform', '/v3/pipelines/{a}/processors')).toBeGreaterThan(
      howWell('v3 pipeline * transform', '/pipelines/{a}/processors'),
    )
    expect(howWell('v1 export', '/export')).toBe(0)
  })

  test('a field is known under another name, and a name that means nothing is nobody', () => {
    expect(nameAmong('title', ['id', 'heading'])).toBe('heading')
    expect(nameAmong('line', ['_line', '_ts'])).toBe('_line')
    expect(nameAmong('title', ['colour', 'width'])).toBeUndefined()
  })
})
