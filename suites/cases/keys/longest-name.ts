import type { Case, CaseContext } from '../../kit/case.ts'
import { base, keyRequest, LONGEST, nameOf } from './refusals.ts'

/** Code points and UTF-16 units count it as one, bytes as two. */
const TWO_BYTES = 'é'

const REQUIREMENT = 'KEY-NAME-REFUSED'

/** Sends a key with a name of the longest length, filled with one letter. */
async function longest(context: CaseContext, operation: string, letter: string, group: string): Promise<void> {
  const name = nameOf(context, LONGEST, letter)
  const intent = { kind: 'accept' as const, requirement: REQUIREMENT, edge: `length ${LONGEST}, of ${letter}`, group }
  await context.send({ ...keyRequest(context, operation, name), intent })
}

/** Whether a short name with the letter is taken: which letters a name may have is not stated. */
async function takes(context: CaseContext, operation: string, letter: string, group: string): Promise<boolean> {
  const name = `${context.label()}${letter}`
  const { view } = await context.send({ ...keyRequest(context, operation, name), intent: { kind: 'base', group } })
  return view.accepted
}

export const longestNameCases: readonly Case[] = ['create-key', 'create-enterprise-key'].map((operation) => ({
  id: `${operation}/longest-name`,
  title: `a key with a name of 30 characters is created (${operation})`,
  operation,
  features: ['keys'],
  requirements: [REQUIREMENT],
  cost: 6,
  async run(context) {
    const plain = context.group()
    await base(context, operation, plain)
    await longest(context, operation, 'x', plain)
    await base(context, operation, plain)
    const accented = context.group()
    if (!(await takes(context, operation, TWO_BYTES, accented))) return
    await longest(context, operation, TWO_BYTES, accented)
    await takes(context, operation, TWO_BYTES, accented)
  },
}))
