import { describe, expect, test } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'

interface Made extends Harness {
  readonly pipeline: string
  readonly source: string
  readonly transform: string
}

/** A pipeline of a demo source and one transform. */
function withPipeline(): Made {
  const harness = createHarness()
  const pipeline = harness.make('/v3/pipeline', { title: 'one' })
  const source = harness.make(`/v3/pipeline/${pipeline}/source`, { type: 'demo-logs', title: 'source' })
  const transform = harness.make(`/v3/pipeline/${pipeline}/transform`, {
    type: 'drop-fields',
    title: 'transform',
    inputs: [source],
  })
  return { ...harness, pipeline, source, transform }
}

const ABSENT = '00000000-0000-4000-8000-ffffffffffff'

describe('transforms and sources', () => {
  test('an update replaces: what is sent is read back, what is not sent is unset, the generation counts', () => {
    const { done, pipeline, source, transform } = withPipeline()
    const url = `/v3/pipeline/${pipeline}/transform/${transform}`
    const full = {
      type: 'sample',
      title: 'a',
      description: 'b',
      user_config: { rate: 2, deep: { x: [1] } },
      inputs: [source],
      deploy_type: 'local',
    }
    expect(done('PUT', url, { ...full, generation_id: 99, id: 'ignored' }).at('/data')).toMatchObject({
      ...full,
      id: transform,
      generation_id: 2,
    })
    expect(done('GET', url).at('/data')).toMatchObject({ ...full, generation_id: 2 })
    done('PUT', url, { title: 'c' })
    expect(done('GET', url).at('/data')).toMatchObject({
      type: 'sample',
      title: 'c',
      description: null,
      user_config: {},
      inputs: [],
      deploy_type: 'saas',
      generation_id: 3,
    })
  })

  test('the record of a source has no inputs', () => {
    const { done, pipeline, source } = withPipeline()
    const url = `/v3/pipeline/${pipeline}/source/${source}`
    expect(done('PUT', url, { title: 'a', user_config: { b: 1 } }).at('/data')).toMatchObject({
      type: 'demo-logs',
      user_config: { b: 1 },
    })
    expect(done('GET', url).at('/data')).not.toHaveProperty('inputs')
  })

  test.each([
    ['/title', { title: 'a<b' }],
    ['/user_config', { user_config: [] }],
    ['/deploy_type', { deploy_type: 'SaaS' }],
    ['/type', { type: 7 }],
    ['/inputs/0', { inputs: [7] }],
    ['/inputs/0', { inputs: [ABSENT] }],
  ])('%s is at fault in a transform with %j, which stays as it was', (instancePath, body) => {
    const { send, done, pipeline, transform } = withPipeline()
    const url = `/v3/pipeline/${pipeline}/transform/${transform}`
    const before = done('GET', url).json
    const answer = send('PUT', url, { body })
    expect(answer).toMatchObject({ status: 400, json: { code: 'BadRequest', status: 400 } })
    expect(answer.at('/errors/0/instancePath')).toBe(instancePath)
    expect(done('GET', url).json).toEqual(before)
    if (!('inputs' in body)) {
      const other = send('POST', `/v3/pipeline/${pipeline}/source`, { body: { type: 'http', ...body } })
      expect([other.status, other.at('/errors/0/instancePath')]).toEqual([400, instancePath])
    }
  })

  test('a kind is needed to make a node, and transforms and sources do not share kinds', () => {
    const { send, pipeline } = withPipeline()
    const make = (word: string, body: unknown): number =>
      send('POST', `/v3/pipeline/${pipeline}/${word}`, { body }).status
    expect(make('transform', { title: 'a' })).toBe(400)
    expect(make('transform', { type: 'kafka' })).toBe(400)
    expect(make('source', { type: 'filter' })).toBe(400)
  })

  test('nodes that are not there, or in another pipeline, are NotFound', () => {
    const { send, make, pipeline, transform } = withPipeline()
    const other = make('/v3/pipeline', { title: 'other' })
    for (const url of [
      `/v3/pipeline/${pipeline}/transform/${ABSENT}`,
      `/v3/pipeline/${other}/transform/${transform}`,
      `/v3/pipeline/${ABSENT}/transform/${transform}`,
      `/v3/pipeline/not-a-uuid/transform/x`,
    ]) {
      expect([url, send('PUT', url, { body: { title: 'a' } }).at('/code')]).toEqual([url, 'NotFound'])
    }
  })

  test('a deleted node is no longer an input of others', () => {
    const { done, pipeline, source, transform } = withPipeline()
    done('DELETE', `/v3/pipeline/${pipeline}/source/${source}`)
    expect(done('GET', `/v3/pipeline/${pipeline}/transform/${transform}`).at('/data/inputs')).toEqual([])
    expect(done('GET', `/v3/pipeline/${pipeline}/source`).at('/data')).toEqual([])
  })

  test('the pipeline lists its edges', () => {
    const { done, pipeline, source, transform } = withPipeline()
    expect(done('GET', `/v3/pipeline/${pipeline}`).at('/data/edges')).toEqual([
      { id: `${source}->${transform}`, from: source, to: transform },
    ])
  })
})

describe('processor groups', () => {
  test('a group from a pipeline holds copies of the listed transforms, which no later change reaches', () => {
    const { done, make, pipeline, transform } = withPipeline()
    const second = make(`/v3/pipeline/${pipeline}/transform`, { type: 'sample', inputs: [transform] })
    make(`/v3/pipeline/${pipeline}/transform`, { type: 'redact', title: 'not listed' })
    const group = make('/v3/transform-group/from-pipeline', body(pipeline, [transform, second]))
    done('DELETE', `/v3/pipeline/${pipeline}/transform/${transform}`)
    const record = done('GET', `/v3/transform-group/${group}`)
    expect(record.at('/data')).toMatchObject({
      title: 'group',
      description: 'copied',
      deploy_type: 'local',
      revision: 1,
    })
    expect(record.at('/data/transforms')).toMatchObject([
      { type: 'drop-fields', title: 'transform', inputs: [] },
      { type: 'sample', inputs: [record.at('/data/transforms/0/id')] },
    ])
    expect(record.at('/data/transforms/0/id')).not.toBe(transform)
  })

  test('a placed group stands at the latest revision, moves to another of its group, and takes new inputs', () => {
    const { done, send, make, pipeline, source, transform } = withPipeline()
    const group = make('/v3/transform-group/from-pipeline', body(pipeline, [transform]))
    const other = make('/v3/transform-group/from-pipeline', body(pipeline, [transform]))
    const first = String(done('GET', `/v3/transform-group/${group}`).at('/data/transform_group_revision_id'))
    const revision = make(`/v3/transform-group/${group}/revision`, { description: 'next' })
    const foreign = make(`/v3/transform-group/${other}/revision`, { description: 'next' })
    const all = `/v3/pipeline/${pipeline}/transform-group`
    const placed = make(all, { transform_group_id: group, inputs: [transform], deploy_type: 'local' })
    const read = (): unknown => done('GET', `${all}/${placed}`).at('/data')
    expect(read()).toMatchObject({
      transform_group_id: group,
      transform_group_revision_id: revision,
      inputs: [transform],
      deploy_type: 'local',
    })
    done('PUT', `${all}/${placed}`, { transform_group_revision_id: first, inputs: [source] })
    expect(read()).toMatchObject({ transform_group_revision_id: first, inputs: [source] })
    for (const wrong of [foreign, ABSENT, 'not-a-uuid', 7]) {
      expect(send('PUT', `${all}/${placed}`, { body: { transform_group_revision_id: wrong, inputs: [] } }).status).toBe(
        400,
      )
    }
    expect(send('PUT', `${all}/${placed}`, { body: { inputs: [ABSENT] } }).status).toBe(400)
    expect(read()).toMatchObject({ transform_group_revision_id: first, inputs: [source] })
    expect(done('GET', `/v3/transform-group/${group}/revision`).at('/data/1')).toMatchObject({
      id: revision,
      revision: 2,
    })
  })
  const body = (pipeline: string, ids: readonly string[]): Record<string, unknown> => ({
    title: 'group',
    description: 'copied',
    pipeline_id: pipeline,
    pipeline_transform_ids: ids,
    deploy_type: 'local',
  })

  test.each([
    ['/description', { description: '' }],
    ['/pipeline_id', { pipeline_id: ABSENT }],
    ['/pipeline_transform_ids', { pipeline_transform_ids: [] }],
    ['/pipeline_transform_ids/0', { pipeline_transform_ids: [ABSENT] }],
  ])('%s is at fault in a group with %j, and no group is made', (instancePath, change) => {
    const { send, done, pipeline, transform } = withPipeline()
    const answer = send('POST', '/v3/transform-group/from-pipeline', {
      body: { ...body(pipeline, [transform]), ...change },
    })
    expect([answer.status, answer.at('/errors/0/instancePath')]).toEqual([400, instancePath])
    expect(done('GET', '/v3/transform-group').at('/data')).toEqual([])
  })

  test('a placement of a group that is not there is refused', () => {
    const { send, pipeline } = withPipeline()
    for (const id of [ABSENT, 'not-a-uuid', undefined]) {
      const answer = send('POST', `/v3/pipeline/${pipeline}/transform-group`, { body: { transform_group_id: id } })
      expect([answer.status, answer.at('/errors/0/instancePath')]).toEqual([400, '/transform_group_id'])
    }
  })

  test('the placements of a group go when it is deleted', () => {
    const { done, send, make, pipeline, transform } = withPipeline()
    const group = make('/v3/transform-group/from-pipeline', body(pipeline, [transform]))
    const placed = make(`/v3/pipeline/${pipeline}/transform-group`, { transform_group_id: group })
    done('PUT', `/v3/pipeline/${pipeline}/transform/${transform}`, { inputs: [placed] })
    done('DELETE', `/v3/transform-group/${group}`)
    expect(send('GET', `/v3/transform-group/${group}`).status).toBe(404)
    expect(send('GET', `/v3/pipeline/${pipeline}/transform-group/${placed}`).status).toBe(404)
    expect(done('GET', `/v3/pipeline/${pipeline}/transform/${transform}`).at('/data/inputs')).toEqual([])
  })
})

describe('gateway routes', () => {
  test('signing keys are added, and their secrets are not read back', () => {
    const { done, send, make } = createHarness()
    const url = `/v3/pipeline/gateway-route/${make('/v3/pipeline/gateway-route', { title: 'a' })}`
    done('PUT', `${url}/signing-key`, { key: 'first-secret' })
    done('PUT', `${url}/signing-key`, { key: 'second-secret' })
    const read = done('GET', url)
    expect(read.at('/data/signing_keys')).toHaveLength(2)
    expect(read.text).not.toContain('secret')
    expect(done('POST', `${url}/access-key`).at('/data/key')).toEqual(expect.any(String))
    expect(send('PUT', `${url}/signing-key`, { body: { key: 7 } }).status).toBe(400)
    expect(send('PUT', `${url}/signing-key`, { body: {} }).status).toBe(400)
    expect(send('PUT', '/v3/pipeline/gateway-route/none/signing-key', { body: { key: 'a' } }).status).toBe(404)
  })
})

describe('state variables', () => {
  test('a patch sets what it names, makes what is new and leaves the rest', () => {
    const { done, pipeline } = withPipeline()
    const url = '/v3/pipeline/state-variable'
    const read = (): unknown => done('GET', `${url}?pipeline_id=${pipeline}`).at('/data/state')
    expect(read()).toEqual({})
    done('PATCH', url, { pipeline_id: pipeline, state: { a: '1', b: { c: [2] } } })
    done('PATCH', url, { pipeline_id: pipeline, state: { a: '3', d: null } })
    expect(read()).toEqual({ a: '3', b: { c: [2] }, d: null })
    done('PATCH', url, JSON.parse(`{"pipeline_id":"${pipeline}","state":{"__proto__":{"x":1}}}`))
    expect(Object.keys(read() as object)).toEqual(['a', 'b', 'd', '__proto__'])
  })
  test('bad ids and values are refused', () => {
    const { send, pipeline } = withPipeline()
    const patch = (body: unknown): number => send('PATCH', '/v3/pipeline/state-variable', { body }).status
    expect(patch({ pipeline_id: 'not-a-uuid', state: {} })).toBe(400)
    expect(patch({ pipeline_id: ABSENT, state: {} })).toBe(404)
    expect(patch({ state: {} })).toBe(400)
    expect(patch({ pipeline_id: pipeline, state: [] })).toBe(400)
    expect(patch({ pipeline_id: pipeline, state: 'a' })).toBe(400)
    expect(send('GET', '/v3/pipeline/state-variable').status).toBe(400)
  })
})
