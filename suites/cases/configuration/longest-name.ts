import type { Case, CaseContext } from '../../kit/case.ts'
import { base, keyRequest, LONGEST, nameOf } from './keys.ts'

/** Code points and UTF-16 units count it as one, bytes as two. */
const TWO_BYTES = 'é'

const REQUIREMENT = 'KEY-NAME-ACCEPTED'
const OPERATION = 'create-enterprise-key'

/** Sends a key with a name of the longest length, filled with one letter. */
async function longest(context: CaseContext, letter: string, group: string): Promise<void> {
  const name = nameOf(context, LONGEST, letter)
  const intent = { kind: 'accept' as const, requirement: REQUIREMENT, edge: `length ${LONGEST}, of ${letter}`, group }
  await context.send({ ...keyRequest(context, OPERATION, name), intent })
}

/** Whether a short name with the letter is taken: which letters a name may have is not stated. */
async function takes(context: CaseContext, letter: string, group: string): Promise<boolean> {
  const name = `${context.label()}${letter}`
  const { view } = await context.send({ ...keyRequest(context, OPERATION, name), intent: { kind: 'base', group } })
  return view.accepted
}

export const longestNameCases: readonly Case[] = [
  {
    id: 'create-enterprise-key/longest-name',
    title: 'an enterprise key with a name of 30 characters is created',
    operation: OPERATION,
    features: ['enterprise-keys'],
    requirements: [REQUIREMENT],
    cost: 6,
    async run(context) {
      const plain = context.group()
      await base(context, OPERATION, plain)
      await longest(context, 'x', plain)
      await base(context, OPERATION, plain)
      const accented = context.group()
      if (!(await takes(context, TWO_BYTES, accented))) return
      await longest(context, TWO_BYTES, accented)
      await takes(context, TWO_BYTES, accented)
    },
  },
]
