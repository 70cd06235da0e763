import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../schemas/types/exchange.ts'
import { createTraffic } from './exchanges.ts'
import type { Findings } from './found.ts'
import { infer } from './infer.ts'
import { shippedInOrder } from './probe.ts'

const [shipped] = shippedInOrder()
if (!shipped) throw new Error('nothing ships')

function fromExchanges(exchanges: readonly Exchange[], name: string, binding: typeof shipped): Findings {
  const traffic = createTraffic(name, binding as NonNullable<typeof shipped>)
  for (const one of exchanges) traffic.note(one)
  return infer(traffic.source(), binding as NonNullable<typeof shipped>)
}

let count = 0
function exchange(line: string, status: number, answer?: unknown, sent?: unknown): Exchange {
  const [method = '', path = ''] = line.split(' ')
  count += 1
  return {
    request: {
      method,
      url: `http://target${path}`,
      ...(sent === undefined ? {} : { postData: { mimeType: 'application/json', text: JSON.stringify(sent) } }),
    },
    response: {
      status,
      content: { text: answer === undefined ? '' : JSON.stringify(answer), mimeType: 'application/json' },
    },
    _id: `x-${count}`,
    _outcome: 'complete',
  } as unknown as Exchange
}

const NAME = 'assay-1a2b3c-board'
const made = { no: 4711, caption: NAME, columns: 3 }

describe('recorded traffic', () => {
  test('shows an id that stands in Location alone, also where the text gives the path', () => {
    const headers = [{ name: 'Location', value: '/v1/config/presetalert/9f1' }]
    const made = exchange('POST /v1/config/presetalert', 200, undefined, { name: NAME, channels: [] })
    const { operations } = fromExchanges(
      [
        { ...made, response: { ...made.response, headers } },
        exchange('PUT /v1/config/presetalert/9f1', 200, undefined, { name: NAME, channels: [] }),
      ],
      'traffic.har',
      shipped,
    )
    expect(operations.get('create-preset-alert')?.answer).toEqual({ id: 'header:Location' })
  })

  test.each([
    ['one account has its id in paths', '7', '/v1/accounts/7/boards/{board_id}'],
    ['several accounts has none that can be bound', '8', undefined],
  ])('of %s', (_, other, path) => {
    const words = ['boards', 'views', 'alerts', 'categories', 'exclusions']
    const exchanges = words.map((word) => exchange(`GET /v1/accounts/7/${word}/12`, 200, { id: 12 }))
    const { operations } = fromExchanges(
      [...exchanges, exchange(`GET /v1/accounts/${other}/boards/13`, 200, { id: 13 })],
      'traffic.har',
      shipped,
    )
    expect(operations.get('get-board')?.path).toBe(path)
  })

  test('shows what was made again in what was read: id, record, list and names', () => {
    const { operations, resources } = fromExchanges(
      [
        exchange('POST /v1/config/dashboards', 201, { created: { no: 4711 } }, { caption: NAME, columns: 3 }),
        exchange('GET /v1/config/dashboards/4711', 200, { entry: made }),
        exchange('GET /v1/config/dashboards', 200, { entries: [{ no: 1, caption: 'other' }, made] }),
        exchange('DELETE /v1/config/dashboards/4711', 204),
      ],
      'traffic.har',
      shipped,
    )
    expect([...operations.keys()].sort()).toEqual(['create-board', 'delete-board', 'get-board', 'list-boards'])
    expect(operations.get('create-board')).toMatchObject({
      path: '/v1/config/dashboards',
      body: { caption: '{{label}}', columns: 3 },
      answer: { id: '/created/no' },
      sure: 'recorded',
    })
    expect(operations.get('create-board')?.answer).not.toHaveProperty('record')
    expect(operations.get('get-board')).toMatchObject({
      path: '/v1/config/dashboards/{board_id}',
      answer: { id: '/entry/no', record: '/entry' },
    })
    expect(operations.get('list-boards')).toMatchObject({ answer: { list: '/entries' } })
    expect(resources.get('board')).toEqual({ label: 'caption', key: 'no' })
  })

  test.each([
    ['v2/usage', { total_lines: 5 }, { lines: 'total_lines' }],
    ['v2/usage/apps', { results: [{ app: 'web', used: 5 }] }, { name: 'app', bytes: 'used' }],
  ])('of GET /%s: the only number is that of bytes, unless lines are counted there', (path, answer, fields) => {
    const { operations } = fromExchanges([exchange(`GET /${path}`, 200, answer)], 'x', shipped)
    expect([...operations.values()].map((one) => one.fields)).toEqual([fields])
  })

  test('that was refused says nothing', () => {
    const { operations } = fromExchanges([exchange('GET /v1/config/dashboards', 403, { entries: [] })], 'x', shipped)
    expect([...operations.keys()]).toEqual([])
  })
})
