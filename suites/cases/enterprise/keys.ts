import { type Case, type CaseContext, NotRun } from '../../kit/case.ts'
import { readBack, reader } from '../../kit/read-back.ts'
import { openScene } from '../../kit/scene.ts'
import { createTwins } from '../../kit/twins.ts'

/** Keys of the run that are in one list, at most. */
const MOST_KEYS = 30

/** Whether there can be one more key: how many an enterprise may have is not said. */
async function madeAnother(context: CaseContext): Promise<boolean> {
  try {
    await context.make('enterprise-key')
    return true
  } catch (thrown) {
    if (thrown instanceof NotRun) return false
    throw thrown
  }
}

export const enterpriseKeyCases: readonly Case[] = [
  {
    id: 'list-enterprise-keys/list',
    title: 'the list of enterprise keys is an array of key resources',
    operation: 'list-enterprise-keys',
    features: ['enterprise-keys'],
    requirements: [
      'ENT-KEYS-LIST-STATUS',
      'ENT-KEYS-LIST-BODY',
      'KEY-OBJECT',
      'KEY-ID-TYPE',
      'KEY-ID-PRESENT',
      'KEY-ID-UNIQUE',
      'KEY-KEY-TYPE',
      'KEY-KEY-PRESENT',
      'KEY-NAME-TYPE',
      'KEY-NAME-PRESENT',
      'KEY-NAME-MAX',
      'KEY-TYPE-TYPE',
      'KEY-TYPE-PRESENT',
      'KEY-TYPE-VALUES',
      'KEY-CREATED-TYPE',
      'KEY-CREATED-PRESENT',
      'KEY-CREATED-UNIT',
    ],
    cost: 5,
    async run(context) {
      const scene = await openScene(context, 'list-enterprise-keys')
      const twins = createTwins(context, scene)
      for (let count = 0; count < 3; count += 1) await twins.mustAccept()
    },
  },
  {
    id: 'list-enterprise-keys/all',
    title: 'a key that was created is in the list, with the time of its creation',
    operation: 'list-enterprise-keys',
    features: ['enterprise-keys'],
    requirements: ['ENT-KEYS-LIST-ALL', 'KEY-CREATED-MILLISECONDS'],
    cost: 10,
    async run(context) {
      const list = reader(context, 'enterprise-key', 'list')
      for (let count = 0; count < 2; count += 1) {
        await context.make('enterprise-key')
        await readBack(context, list, {})
      }
      // A list that is cut at so many shows the older ones, or the newer.
      for (let count = 2; count < Math.min(MOST_KEYS, context.runs); count += 1) {
        if (!(await madeAnother(context))) break
      }
      await readBack(context, list, {})
    },
  },
  {
    id: 'list-enterprise-keys/invalid-query',
    title: 'an invalid query is refused with 400 and the stated error',
    operation: 'list-enterprise-keys',
    features: ['enterprise-keys'],
    requirements: [
      'ENT-KEYS-INVALID-REFUSED',
      'ENT-KEYS-INVALID-STATUS',
      'ENT-KEYS-INVALID-CODE',
      'ENT-KEYS-INVALID-BODY-STATUS',
    ],
    cost: 5,
    async run(context) {
      const { query } = context.answer<{ query?: Record<string, string> }>('GAP-KEYS-INVALID-QUERY')
      if (!query) throw new NotRun('gap-unanswered', 'GAP-KEYS-INVALID-QUERY', 'GAP-KEYS-INVALID-QUERY')
      const scene = await openScene(context, 'list-enterprise-keys')
      const twins = createTwins(context, scene)
      await twins.mustAccept()
      await twins.probe({ kind: 'provoke', probe: 'invalid-query' }, () => ({ query }))
      await twins.base()
    },
  },
]
