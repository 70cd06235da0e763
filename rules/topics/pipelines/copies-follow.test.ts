import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { exchange, type Given, judgeAll } from '../../testing.ts'

const P = '11111111-1111-4111-8111-111111111111'
const T = '22222222-2222-4222-8222-222222222222'

const copy = (id = 'g'): Exchange =>
  exchange('POST /v3/transform-group/from-pipeline', {
    sent: { title: 'g', pipeline_id: P, pipeline_transform_ids: [T], description: 'd', deploy_type: 'saas' },
    got: { data: { id } },
    intent: { kind: 'base' },
  })
const change = (body: object, given: Given = {}): Exchange =>
  exchange(`PUT /v3/pipeline/${P}/transform/${T}`, {
    sent: { title: 'a', description: 'd', user_config: {}, generation_id: 1, inputs: [], deploy_type: 'saas', ...body },
    got: { data: {} },
    intent: { kind: 'observe', edge: 'copied' },
    ...given,
  })
const group = (transform: object, id = 'g'): Exchange =>
  exchange(`GET /v3/transform-group/${id}`, {
    got: { data: { id, transforms: [{ id: 'copy', ...transform }] } },
    intent: { kind: 'read', final: true },
  })

function outcomes(...history: readonly Exchange[]): string[] {
  return outcomesWithin(0, history)
}

function outcomesWithin(settleMs: number, history: readonly Exchange[]): string[] {
  return judgeAll(history, settleMs)
    .filter(({ edge }) => edge === 'an original that was changed')
    .map(({ requirement, outcome }) => `${requirement} ${outcome}`)
}

const OLD = { title: 'old title', description: 'old description', user_config: { rate: 1 } }
const TEXTS = { title: 'run-title-1', description: 'run-description-1' }
const OWN = { user_config: { rate: 1, 'run-field-1': 'run-field-1' } }
const BROKEN = ['GROUP-CREATE-COPIES broken']

describe('a copy of a transform that is changed afterwards', () => {
  test('stays as it was', () => {
    expect(outcomes(copy(), change(TEXTS), group(OLD))).toEqual(['GROUP-CREATE-COPIES held'])
    expect(outcomes(copy(), change({ ...TEXTS, ...OWN }), group(OLD))).toEqual(['GROUP-CREATE-COPIES held'])
  })

  test('and shows what the original was given since is none', () => {
    expect(outcomes(copy(), change(OWN), group({ ...OLD, ...OWN }))).toEqual(BROKEN)
    expect(outcomes(copy(), change(TEXTS), group({ ...OLD, ...TEXTS }))).toEqual(BROKEN)
  })

  test('and may be made in the background, within the settle time', () => {
    const history = [copy(), change(TEXTS), group({ ...OLD, ...TEXTS })]
    expect(outcomesWithin(900, history)).toEqual(BROKEN)
    expect(outcomesWithin(5_000, history)).toEqual([])
  })

  const silent: [string, Exchange[]][] = [
    ['a title alone, which may tell where it is from', [copy(), change(TEXTS), group({ title: TEXTS.title })]],
    ['what was there when it was copied', [change(TEXTS), copy(), group({ ...OLD, ...TEXTS })]],
    ['texts that were used before', [change(TEXTS), change({}), copy(), change(TEXTS), group({ ...OLD, ...TEXTS })]],
    ['short texts', [copy(), change({ title: 'a', description: 'b' }), group({ title: 'a', description: 'b' })]],
    ['a secret', [copy(), change({ user_config: { key: 'run-key-1' } }), group({ user_config: { key: 'run-key-1' } })]],
    ['a change that was refused', [copy(), change(OWN, { status: 400 }), group(OWN)]],
    ['a change of which nobody knows', [copy(), change(OWN, { status: 503 }), group(OWN)]],
    ['a group of which nobody knows how it was made', [change(OWN), group(OWN, 'h')]],
    [
      'a group with a newer revision',
      [
        copy(),
        change(OWN),
        exchange('POST /v3/transform-group/g/revision', {
          sent: {},
          got: { data: { id: 'r' } },
          intent: { kind: 'setup' },
        }),
        group(OWN),
      ],
    ],
  ]
  test.each(silent)('is not judged by %s', (_, exchanges) => {
    expect(outcomes(...exchanges).filter((one) => one.endsWith('broken'))).toEqual([])
  })
})
