import { describe, expect, test } from 'vitest'
import { assign, type Route, withOurNames } from './routes.ts'
import { shipped } from './shipped.ts'

const route = (line: string, ...names: string[]): Route => {
  const [method = '', path = ''] = line.split(' ')
  return { method, path, names }
}
const idsOf = (...routes: Route[]): Record<string, string> =>
  Object.fromEntries([...assign(routes).routes].map(([id, { path }]) => [id, path]))

describe('routes of a document or of traffic', () => {
  test('are known by their words, their method and their ids', () => {
    expect(
      idsOf(
        route('GET /v1/config/dashboards'),
        route('POST /v1/config/dashboards'),
        route('GET /v1/config/dashboards/{no}'),
        route('DELETE /v3/pipelines/{p}/bundles/{b}'),
        route('PUT /v1/intake/pause'),
      ),
    ).toEqual({
      'list-boards': '/v1/config/dashboards',
      'create-board': '/v1/config/dashboards',
      'get-board': '/v1/config/dashboards/{no}',
      'delete-placed-group': '/v3/pipelines/{p}/bundles/{b}',
      'confirm-suspension': '/v1/intake/pause',
    })
  })

  test('may be of version 2 where the text gives no path', () => {
    const routes = [
      route('GET /api/v2/boards/{id}'),
      route('POST /api/v2/logs'),
      route('GET /api/v2/suspensions/current'),
      route('POST /v1/archive_buckets'),
    ]
    expect(idsOf(...routes)).toEqual({
      'get-board': '/api/v2/boards/{id}',
      'ingest-lines': '/api/v2/logs',
      'get-ingestion-status': '/api/v2/suspensions/current',
      'create-archiving': '/v1/archive_buckets',
    })
  })

  test('are found beside logs, below a suspension, and by archives with ids', () => {
    expect(
      idsOf(
        route('GET /v1/logs/export'),
        route('POST /v1/config/ingestion/suspension/suspend'),
        route('GET /v1/config/archiving/buckets/{id}'),
      ),
    ).toEqual({
      'export-v1': '/v1/logs/export',
      'suspend-ingestion': '/v1/config/ingestion/suspension/suspend',
      'get-archiving': '/v1/config/archiving/buckets/{id}',
    })
  })

  test('of the specification are these paths, and no others', () => {
    expect(idsOf(route('PUT /v3/pipeline/{a}/transform/{b}'))).toEqual({
      'update-transform': '/v3/pipeline/{a}/transform/{b}',
    })
    expect(idsOf(route('PUT /v3/pipelines/{a}/transforms/{b}'))).toEqual({})
  })

  test('whose words say nothing are known by the name that a document gives them', () => {
    expect(idsOf(route('GET /v1/config/widgets', 'listScreens'))).toEqual({ 'list-screens': '/v1/config/widgets' })
    expect(idsOf(route('GET /v1/config/widgets/{id}', 'listScreens'))).toEqual({})
    expect(idsOf(route('GET /v1/config/widgets'))).toEqual({})
  })

  test.each([
    ['GET /v1/enterprise/keys/{id}', 'getKey'],
    ['GET /v1/config/members/{id}', 'getBoard'],
    ['POST /v1/config/view', 'createScreen'],
  ])('in the collection of another kind of thing are none, whatever a document calls them: %s %s', (line, name) => {
    expect(Object.keys(idsOf(route(line, name)))).not.toContain(
      name.replace(/[A-Z]/, (sign) => `-${sign.toLowerCase()}`),
    )
  })

  test('that fit alike are a question, and none of them is taken', () => {
    const { routes, open } = assign([route('GET /v1/config/panels'), route('GET /v1/panels')])
    expect(routes.has('list-screens')).toBe(false)
    expect(open.get('list-screens')).toBe('GET /v1/config/panels and GET /v1/panels fit equally well')
  })

  test('get our names of their placeholders', () => {
    const operation = shipped()[0].operations.get('get-placed-group')
    if (!operation) throw new Error('missing')
    expect(withOurNames('/v3/pipelines/{p}/bundles/{b}', operation)).toBe(
      '/v3/pipelines/{pipeline_id}/bundles/{pipeline_transform_group_id}',
    )
  })
})
