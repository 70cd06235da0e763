import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../schemas/types/exchange.ts'
import { fromExchanges } from './exchanges.ts'
import type { Findings } from './found.ts'
import { infer } from './infer.ts'

async function inferred(exchanges: readonly Exchange[], name: string): Promise<Findings> {
  return infer(await fromExchanges(exchanges, name))
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
  test('shows an id that stands in Location alone, also where the text gives the path', async () => {
    const headers = [{ name: 'Location', value: '/v1/config/presetalert/9%2Ff1/' }]
    const sent = { name: NAME, channels: [] }
    const post = exchange('POST /v1/config/presetalert', 200, undefined, sent)
    const { operations } = await inferred(
      [
        { ...post, response: { ...post.response, headers } },
        exchange('PUT /v1/config/presetalert/9%2Ff1', 200, undefined, sent),
      ],
      'traffic.har',
    )
    expect(operations.get('create-preset-alert')?.answer).toEqual({ id: 'header:Location' })
  })

  test('tells a member by the address, though a list shows another id before it', async () => {
    const row = { id: 405, email: 'a@example.com' }
    const { operations } = await inferred(
      [
        exchange('POST /v1/config/members', 201, row, { email: row.email }),
        exchange('GET /v1/config/members', 200, [row]),
      ],
      'traffic.har',
    )
    expect(operations.get('create-member')?.answer?.id).toBe('/email')
  })

  test.each([
    ['one account has its id in paths', '7', '/v1/accounts/7/boards/{board_id}'],
    ['several accounts has none that can be bound', '8', undefined],
  ])('of %s', async (_, other, path) => {
    const words = ['boards', 'views', 'alerts', 'categories', 'exclusions']
    const exchanges = words.map((word) => exchange(`GET /v1/accounts/7/${word}/12`, 200, { id: 12 }))
    const { operations } = await inferred(
      [...exchanges, exchange(`GET /v1/accounts/${other}/boards/13`, 200, { id: 13 })],
      'traffic.har',
    )
    expect(operations.get('get-board')?.path).toBe(path)
  })

  test('shows what was made again in what was read: id, record, list and names', async () => {
    const { operations, resources } = await inferred(
      [
        exchange('POST /v1/config/dashboards', 201, { created: { no: 4711 } }, { caption: NAME, columns: 3 }),
        exchange('GET /v1/config/dashboards/4711', 200, { entry: made }),
        exchange('GET /v1/config/dashboards', 200, { entries: [{ no: 1, caption: 'other' }, made] }),
        exchange('DELETE /v1/config/dashboards/4711', 204),
      ],
      'traffic.har',
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
  ])('of GET /%s: the only number is that of bytes, unless lines are counted there', async (path, answer, fields) => {
    const { operations } = await inferred([exchange(`GET /${path}`, 200, answer)], 'x')
    expect([...operations.values()].map((one) => one.fields)).toEqual([fields])
  })

  test.each([
    ['shows nothing yet', []],
    ['shows another thing', [{ viewID: 'v0', name: 'b' }]],
  ])('a list that %s has its ids where a read has them', async (_, listed) => {
    const view = { viewID: 'v-1', name: 'a' }
    const { resources } = await inferred(
      [
        exchange('POST /v1/config/view', 200, view, { name: 'a', query: 'x' }),
        exchange('GET /v1/config/view/v-1', 200, view),
        exchange('GET /v1/config/view', 200, listed),
      ],
      'x',
    )
    expect(resources.get('view')).toEqual({ key: 'viewID' })
  })

  test.each([
    ['a date', { confirm_before: '2026-01-02T03:04:05Z', token: 'a1b2c3d4' }, '/token'],
    ['a date alone', { confirm_before: '2026-01-02' }, undefined],
  ])('%s is no token', async (_, answer, token) => {
    const { operations } = await inferred([exchange('POST /v1/config/ingestion/suspend', 200, answer)], 'x')
    expect(operations.get('suspend-ingestion')?.answer?.token).toBe(token)
  })

  test('that was refused says nothing', async () => {
    const { operations } = await inferred([exchange('GET /v1/config/dashboards', 403, { entries: [] })], 'x')
    expect([...operations.keys()]).toEqual([])
  })
})
