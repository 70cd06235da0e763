import { describe, expect, test } from 'vitest'
import { createOracle } from '../../../rules/oracle.ts'
import { exchange } from '../../../rules/testing.ts'
import { type BindingFile, resolveBinding, shippedBinding } from '../../../schemas/binding.ts'
import { fillTemplate } from '../../../schemas/template.ts'
import type { Call, CaseContext } from '../../case.ts'
import { confirmation, suspendOnce } from './suspension.ts'

type Second = NonNullable<BindingFile['operations']>['confirm-suspension']

/** A context whose target answers the first call as given. */
function contextWith(answer: unknown, second: Second, token: string = '/again', status: number = 200): CaseContext {
  const file: BindingFile = {
    formatVersion: 1,
    name: 'own',
    operations: {
      'suspend-ingestion': { method: 'POST', path: '/stop', answer: { token } },
      'confirm-suspension': { method: 'POST', path: '/really', ...second },
    },
  }
  const files = [file, shippedBinding('reference'), shippedBinding('default')]
  const binding = resolveBinding({ name: 'own', chain: files.map(({ name }) => name), files })
  const judge = createOracle({ binding, basePath: '', settleMs: 0 }).createJudge()
  const context: Pick<CaseContext, 'binding' | 'send' | 'owe' | 'fill'> = {
    binding,
    send: async (call: Call) =>
      judge.judge(exchange('POST /stop', { got: answer, status, intent: { kind: 'base', ...call.intent } })),
    owe: async () => undefined,
    fill: fillTemplate,
  }
  return context as CaseContext
}

const NESTED: Second = { body: { word: { again: '{{token}}' } } }

describe('the second call of a suspension says what the first was answered', () => {
  test.each([70102, 'a word', { id: 1 }, false])('as it is: %j', async (given) => {
    const context = contextWith({ again: given }, NESTED)
    const { token } = await suspendOnce(context)
    expect(confirmation(context, token)).toEqual({
      operation: 'confirm-suspension',
      body: { word: { again: given } },
      values: { token: given },
    })
  })

  test('also where it stands in the query', async () => {
    const context = contextWith({ again: 7 }, { body: {}, query: { again: '{{token}}' } })
    const { token } = await suspendOnce(context)
    expect(confirmation(context, token).values).toEqual({ token: 7 })
  })
})

describe('an answer that holds no token', () => {
  test.each([{}, { again: null }, { again: '' }, 'ok'])(
    'is named where the second call needs one: %j',
    async (answer) => {
      await expect(suspendOnce(contextWith(answer, NESTED))).rejects.toMatchObject({
        reason: 'answer-does-not-fit',
        message: '/again of suspend-ingestion holds no token',
      })
    },
  )

  test('is fine where the second call needs none', async () => {
    expect(await suspendOnce(contextWith({}, { body: {} }))).toEqual({ accepted: true, token: undefined })
  })

  test('is fine where the first call was refused', async () => {
    expect(await suspendOnce(contextWith({}, NESTED, '/again', 409))).toEqual({ accepted: false, token: undefined })
  })
})
