import { describe, expect, test } from 'vitest'
import { routes } from '../routes.ts'
import { createHarness, ENTERPRISE } from '../testing/harness.ts'
import { type Overlay, overlayRoutes } from './overlay.ts'
import { isPending, ok } from './route.ts'

const overlaid = (overlay: Omit<Overlay, 'name'>): ReturnType<typeof createHarness> =>
  createHarness({ overlays: [{ name: 'test', ...overlay }] })

describe('overlays', () => {
  test('a handler is replaced by operation id, all others stay', () => {
    const { send, done } = overlaid({ handlers: { 'delete-screen': () => () => ok({ deleted: 'yes' }) } })
    const id = String((done('GET', '/v1/config/screen').json as { id: string }[])[0]?.id)
    expect(done('DELETE', `/v1/config/screen/${id}`).json).toEqual({ deleted: 'yes' })
    expect(send('GET', `/v1/config/screen/${id}`).status).toBe(200)
  })

  test('a handler can be wrapped', () => {
    const { done } = overlaid({
      handlers: {
        'create-preset-alert': (inner) => (call) => {
          const reply = inner(call)
          return isPending(reply) ? reply : { ...reply, json: { made: true } }
        },
      },
    })
    expect(done('POST', '/v1/config/presetalert', { name: 'a', channels: [] }).json).toEqual({ made: true })
    expect(done('GET', '/v1/config/presetalert').json).toHaveLength(2)
  })

  test('an operation can do without its schema', () => {
    const { done } = overlaid({
      routes: { 'create-screen': ({ schema: _, ...route }) => ({ ...route, handler: () => ok('any') }) },
    })
    expect(done('POST', '/v1/config/screen', 7).json).toBe('any')
  })

  test('rules for bodies come from the schemas that are given', () => {
    const { done, make } = overlaid({
      schemas: (schemas) => {
        const node = structuredClone(schemas.get('node'))
        Object.assign(node?.$defs?.title ?? {}, { maxLength: 513 })
        return node ? new Map(schemas).set('node', node) : schemas
      },
    })
    const pipeline = make('/v3/pipeline', { title: 'x'.repeat(513) })
    expect(done('GET', `/v3/pipeline/${pipeline}`).at('/data/title')).toHaveLength(513)
  })

  test('authentication can be skipped for a family', () => {
    const { send } = overlaid({
      authorize:
        (inner) =>
        (access, ...rest) =>
          access === 'v3' || inner(access, ...rest),
    })
    expect(send('GET', '/v3/pipeline', { headers: {} }).status).toBe(200)
    expect(send('GET', '/v1/config/screen', { headers: {} }).status).toBe(401)
  })

  test('every answer can be changed, pending ones when they are due', () => {
    const { send, done, make } = overlaid({
      answer: (answer, _, operation) => ({ ...answer, headers: { 'x-operation': operation ?? 'none' } }),
    })
    expect(send('GET', '/nowhere').headers).toEqual({ 'x-operation': 'none' })
    expect(send('GET', '/v1/enterprise/keys', { headers: ENTERPRISE }).headers['x-operation']).toBe(
      'list-enterprise-keys',
    )
    const pipeline = make('/v3/pipeline', {})
    const source = make(`/v3/pipeline/${pipeline}/source`, { type: 'demo-logs' })
    expect(done('POST', `/v3/pipeline/${pipeline}/tap/${source}`, {}).headers['x-operation']).toBe('start-tap')
  })

  test('every reply can be delayed', () => {
    const { send, clock } = overlaid({
      reply: (reply, _, env) => ({ resumeAt: env.now() + 50, resume: () => reply }),
    })
    const began = clock.now
    expect(send('GET', '/v3/pipeline').status).toBe(200)
    expect(clock.now - began).toBe(50)
  })

  test('the initial state can be changed', () => {
    const { done } = overlaid({ state: (state) => state.things.delete('member') })
    expect(done('GET', '/v1/config/members').json).toEqual([])
  })

  test('overlays lie on top of each other', () => {
    const add = (text: string): Overlay => ({
      name: text,
      handlers: {
        'list-screens': (inner) => (call) => {
          const reply = inner(call)
          return isPending(reply) ? reply : ok(`${JSON.stringify(reply.json)}${text}`)
        },
      },
    })
    const { done } = createHarness({
      overlays: [{ name: 'none', state: (state) => state.things.delete('screen') }, add('a'), add('b')],
    })
    expect(done('GET', '/v1/config/screen').json).toBe('"[]a"b')
  })

  test('an unknown operation is an error', () => {
    expect(() => overlayRoutes(routes, { name: 'wrong', handlers: { nothing: (inner) => inner } })).toThrow(
      'overlay wrong names the unknown operation nothing',
    )
  })
})
