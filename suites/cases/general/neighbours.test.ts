import { describe, expect, test } from 'vitest'
import type { Judgement } from '../../../rules/core/judgement.ts'
import { createOracle } from '../../../rules/oracle.ts'
import { exchange, referenceBinding } from '../../../rules/testing.ts'
import { fillPath } from '../../../schemas/matcher.ts'
import { fillTemplate } from '../../../schemas/template.ts'
import type { Call, CaseContext, Sent } from '../../case.ts'
import { neighbourCases } from './neighbours.ts'

const LIST = 'GET /v1/config/presetalert'

/** What a target shows that keeps preset alerts and answers a read with what it answered up to `oldMs` ago. */
function target(oldMs: number, wrong: (stored: Map<string, object>, id: string, body: object) => void) {
  const stored = new Map<string, object>()
  const answers = new Map<string, { readonly text: unknown; readonly at: number }>()
  return (line: string, body: object | undefined, now: number): unknown => {
    const [method = '', path = ''] = line.split(' ')
    const id = path.split('/')[4] ?? `${stored.size + 1}`
    if (method !== 'GET') {
      stored.set(id, { ...body, presetid: id })
      if (method === 'PUT') wrong(stored, id, body ?? {})
      return undefined
    }
    const known = answers.get(line)
    if (known && now - known.at < oldMs) return known.text
    const text = line === LIST ? [...stored.values()] : stored.get(id)
    answers.set(line, { text: structuredClone(text), at: now })
    return text
  }
}

/** Runs the case on a target. Returns the judgements, and how many lists were read. */
async function run(settleTimeout: number, answer: ReturnType<typeof target>) {
  const binding = referenceBinding()
  const judge = createOracle({ binding, basePath: '', settleMs: settleTimeout }).createJudge()
  const judgements: Judgement[] = []
  let labels = 0
  let lists = 0
  const send = async (call: Call): Promise<Sent> => {
    const bound = binding.operations.get(call.operation)
    const line = `${bound?.method} ${fillPath(bound?.path ?? '', call.params ?? {})}`
    if (line === LIST) lists += 1
    const start = performance.now()
    const got = answer(line, call.body as object | undefined, start)
    const intent = call.intent ? { intent: call.intent } : {}
    const sent = judge.judge(exchange(line, { start, end: start + 1, sent: call.body, got, ...intent }))
    judgements.push(...sent.judgements)
    // the next request is later than the answer
    await new Promise((resolve) => setTimeout(resolve, 2))
    return sent
  }
  const label = (): string => {
    labels += 1
    return `assay-1-${labels}`
  }
  const context: Partial<CaseContext> = {
    binding,
    embedded: true,
    settleTimeout,
    send,
    label,
    email: (name) => `${name}@example.com`,
    fill: fillTemplate,
    group: () => 'g',
    answer: <T>(gap: string) => binding.answers.get(gap)?.value as T,
    async make(type) {
      const name = label()
      const body = fillTemplate(binding.operations.get('create-preset-alert')?.body, { label: name })
      await send({ operation: 'create-preset-alert', body, intent: { kind: 'setup' } })
      const id = String(labels === 1 ? 1 : 2)
      return { type, id, params: { presetId: id }, label: name, own: true }
    },
  }
  await neighbourCases.find(({ id }) => id === 'update-preset-alert/neighbour')?.run(context as CaseContext)
  const broken = judgements.filter(({ outcome }) => outcome === 'broken').map(({ requirement }) => requirement)
  return { broken, held: judgements.some(({ outcome }) => outcome === 'held'), lists }
}

const nothing = (): void => {}
/** The neighbour gets the name that was sent to the first. */
const renamesAll = (stored: Map<string, object>, _id: string, { name }: { name?: string }): void => {
  for (const [one, body] of stored) stored.set(one, { ...body, name })
}

describe('an update beside a neighbour', () => {
  test('is not blamed on lists that are as old as they may be', async () => {
    const { broken, held, lists } = await run(900, target(300, nothing))
    expect({ broken, held }).toEqual({ broken: [], held: true })
    expect(lists).toBeGreaterThan(2)
  })
  test('waits for nothing where nothing may be old', async () => {
    expect(await run(0, target(0, nothing))).toEqual({ broken: [], held: true, lists: 2 })
  })
  test.each([0, 900])('is seen to reach the neighbour within %i ms', async (settleTimeout) => {
    const { broken } = await run(settleTimeout, target(settleTimeout / 3, renamesAll))
    expect(broken).toContain('PRESET-UPDATE-APPLIES')
  })
})
