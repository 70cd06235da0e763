import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../schemas/types/exchange.ts'
import { type Given, judgeAll, seen, toldOf } from '../testing.ts'

/** What a client asks of a target that keeps routes and preset alerts. Times in milliseconds. */
interface Wish {
  readonly kind: 'patch' | 'read-route' | 'make' | 'update' | 'remove' | 'read-alert' | 'list'
  readonly client: number
  /** which of the things that there are */
  readonly thing: number
  readonly start: number
  readonly lasts: number
  /** when the target carries it out: a share of the time that it lasts */
  readonly moment: number
  readonly value: number
  /** the answer gets lost, and the target may carry the request out or not */
  readonly lost: 'no' | 'done' | 'not done'
}

const wish: fc.Arbitrary<Wish> = fc.record({
  kind: fc.constantFrom('patch', 'read-route', 'make', 'update', 'remove', 'read-alert', 'list'),
  client: fc.nat(2),
  thing: fc.nat(2),
  start: fc.nat(4_000),
  lasts: fc.integer({ min: 1, max: 900 }),
  moment: fc.double({ min: 0.01, max: 0.99, noNaN: true }),
  value: fc.nat(5),
  lost: fc.constantFrom('no', 'no', 'no', 'no', 'done', 'not done'),
})

/**
 * A naive target. It carries out one request after the other, at a moment between its start and its end, and answers
 * with the state of that moment. The exchanges in the order in which they were answered.
 */
function carryOut(wishes: readonly Wish[]): Exchange[] {
  const routes = new Map([0, 1, 2].map((id) => [`r${id}`, { title: 't', description: 'd' }]))
  const alerts = new Map<string, string>()
  let made = 0
  const at = ({ start, lasts, moment }: Wish): number => start + lasts * moment
  const exchanges = [...wishes]
    .sort((a, b) => at(a) - at(b))
    .map((one): Exchange => {
      const carriesOut = one.lost !== 'not done'
      const route = `r${one.thing}`
      // A client may know one from a list before its creation is answered.
      const alert = [...alerts.keys()][one.thing] ?? `gone-${one.thing}`
      const name = `name ${one.value} ${one.client}`
      const send = (line: string, given: Given): Exchange =>
        seen(line, [one.start, one.start + one.lasts], {
          ...given,
          client: `client-${one.client}`,
          ...(one.lost === 'no' ? {} : { outcome: 'timeout' }),
        })
      const missing = { status: 404, got: { error: 'none' } }
      switch (one.kind) {
        case 'patch': {
          const sent = one.value % 2 === 0 ? { title: name } : { description: name }
          const before = routes.get(route) ?? { title: '', description: '' }
          if (carriesOut) routes.set(route, { ...before, ...sent })
          return send(`PATCH /v3/pipeline/gateway-route/${route}`, { sent, got: {} })
        }
        case 'read-route':
          return send(`GET /v3/pipeline/gateway-route/${route}`, { got: { data: { id: route, ...routes.get(route) } } })
        case 'make': {
          made += 1
          const id = `alert-${made}`
          const own = `${name} ${id}`
          if (carriesOut) alerts.set(id, own)
          return send('POST /v1/config/presetalert', {
            sent: { name: own, channels: [] },
            got: { presetid: id, name: own, channels: [] },
          })
        }
        case 'update': {
          const found = alerts.has(alert)
          if (found && carriesOut) alerts.set(alert, name)
          return send(
            `PUT /v1/config/presetalert/${alert}`,
            found ? { sent: { name, channels: [] }, got: { presetid: alert, name, channels: [] } } : missing,
          )
        }
        case 'remove': {
          const found = carriesOut ? alerts.delete(alert) : alerts.has(alert)
          return send(`DELETE /v1/config/presetalert/${alert}`, found ? { got: { deleted: true } } : missing)
        }
        case 'read-alert': {
          const found = alerts.get(alert)
          return send(
            `GET /v1/config/presetalert/${alert}`,
            found === undefined ? missing : { got: { presetid: alert, name: found, channels: [] } },
          )
        }
        default:
          return send('GET /v1/config/presetalert', {
            got: [...alerts].map(([presetid, one]) => ({ presetid, name: one, channels: [] })),
          })
      }
    })
  return exchanges.sort((a, b) => a._end - b._end)
}

const wishes = fc.array(wish, { minLength: 2, maxLength: 60, size: 'max' })

/** Rules about shapes are left out: the naive target has none. */
const ABOUT_STORED = /^(ROUTE-(PATCH|READ)|PRESET-(CREATE-MAKES|UPDATE-APPLIES|READ|LIST|DELETE-REMOVES)|GAP-LIST)/
const blamed = (exchanges: readonly Exchange[], alone?: boolean): string[] =>
  toldOf('broken', exchanges, alone).filter((id) => ABOUT_STORED.test(id))

describe('what is known of a target that does what it says', () => {
  test('never contradicts it, whatever several clients do at the same time', () => {
    fc.assert(
      fc.property(wishes, (all) => {
        expect(blamed(carryOut(all))).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  test('nor where the recording begins in the middle', () => {
    fc.assert(
      fc.property(wishes, fc.nat(40), (all, from) => {
        expect(blamed(carryOut(all).slice(from), false)).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  test('nor where requests of one client are missing, unless it is said that nobody else is there', () => {
    fc.assert(
      fc.property(wishes, (all) => {
        const some = carryOut(all).filter(
          ({ request }) => !request.headers.some(({ value }) => value.endsWith('client-0')),
        )
        expect(blamed(some, false)).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  test('is the same in whatever order exchanges about different things come', () => {
    fc.assert(
      fc.property(wishes, (all) => {
        const exchanges = carryOut(all)
        const isRoute = ({ request }: Exchange): boolean => request.url.includes('gateway-route')
        const apart = [...exchanges.filter(isRoute), ...exchanges.filter((one) => !isRoute(one))]
        expect(toldOf('held', apart).sort()).toEqual(toldOf('held', exchanges).sort())
      }),
      { numRuns: 100 },
    )
  })
})

describe('a target that loses an update', () => {
  test('is found, where the requests do not overlap', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5 }), (before) => {
        const reads = Array.from({ length: before }, (_, index) =>
          seen('GET /v3/pipeline/gateway-route/r1', [index, index + 0.5], { got: { data: { id: 'r1', title: 'a' } } }),
        )
        const patch = seen('PATCH /v3/pipeline/gateway-route/r1', [10, 20], { sent: { title: 'b' }, got: {} })
        const read = seen('GET /v3/pipeline/gateway-route/r1', [30, 40], { got: { data: { id: 'r1', title: 'a' } } })
        expect(blamed([...reads, patch, read])).toEqual(['ROUTE-PATCH-APPLIES'])
      }),
    )
  })

  test('is found in a run, where each request waits for the one before', () => {
    const run = carryOut([]).concat(
      ['PATCH', 'GET'].map((method, index) => ({
        ...seen(`${method} /v3/pipeline/gateway-route/r1`, [index * 100, index * 100 + 10], {
          ...(method === 'PATCH' ? { sent: { title: 'b' }, got: {} } : { got: { data: { id: 'r1', title: 'a' } } }),
        }),
        _case: 'c',
      })),
    )
    expect(judgeAll(run).filter(({ outcome }) => outcome === 'broken')).toMatchObject([
      { requirement: 'ROUTE-PATCH-APPLIES' },
    ])
  })
})
