import { describe, expect, test } from 'vitest'
import { addOperations } from '../../reports/merge/operations.ts'
import { createOracle } from '../../rules/oracle.ts'
import { exchange } from '../../rules/testing.ts'
import { resolveBinding, shippedBinding } from '../../schemas/binding.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import { type Counts, createCounter } from './counts.ts'

const STATUS = 'get-ingestion-status'
const own = {
  formatVersion: 1 as const,
  name: 'own',
  operations: {
    'list-boards': { answer: { list: '/data/bords' } },
    'get-board': { answer: { record: '/data' } },
    [STATUS]: { answer: { ingesting: '/state=running' } },
  },
}
const binding = resolveBinding({
  name: 'own',
  chain: ['own', 'default'],
  files: [own, shippedBinding('default')],
  sources: ['own.json', 'binding default'],
})
const factory = createOracle({ binding, basePath: '', settleMs: 0 })

function counted(...exchanges: Exchange[]): Counts {
  const judge = factory.createJudge()
  const counter = createCounter()
  for (const one of exchanges) counter.add(judge.judge(one).view)
  return counter.counts()
}

const added = (...parts: readonly Counts[]): Pick<Counts, 'operations'> => ({
  operations: addOperations(parts.map(({ operations }) => operations)),
})

function unmatchedIn({ operations }: Pick<Counts, 'operations'>): Record<string, string> {
  return Object.assign({}, ...operations.map(({ unmatched }) => unmatched))
}

const boards = (got: unknown, given = {}): Exchange => ({
  ...exchange('GET /v1/config/board', { got, ...given }),
  _operation: 'list-boards',
})
const PLACE = 'own.json#/operations/list-boards/answer/list'

describe('pointers of a binding that no good response has', () => {
  test('are named by their place, until one has them', () => {
    expect(unmatchedIn(counted(boards({ data: { boards: [] } }), boards({})))).toEqual({ [PLACE]: '/data/bords' })
    expect(unmatchedIn(counted(boards({}), boards({ data: { bords: [] } }), boards({})))).toEqual({})
  })

  test('may say which word stands there', () => {
    const status = { ...exchange('GET /v1/config/ingestion/status', { got: { state: 'paused' } }), _operation: STATUS }
    expect(unmatchedIn(counted(status))).toEqual({})
  })

  test('are not those of refusals, of responses without a body, or of a binding that ships', () => {
    expect(unmatchedIn(counted(boards({}, { status: 404 }), boards(undefined)))).toEqual({})
    const views = { ...exchange('GET /v1/config/view', { got: {} }), _operation: 'list-views' }
    expect(unmatchedIn(counted(views))).toEqual({})
  })

  test('are in no part of what is added up', () => {
    const [without, having] = [counted(boards({})), counted(boards({ data: { bords: [] } }))]
    expect(unmatchedIn(added(without, without))).toEqual({ [PLACE]: '/data/bords' })
    expect(unmatchedIn(added(without, having))).toEqual({})
  })
})
