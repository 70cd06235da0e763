import { madeIn } from '../../../rules/core/reads.ts'
import { type Call, type Case, type CaseContext, NotRun } from '../../kit/case.ts'
import { readGone } from '../../kit/read-gone.ts'
import { sendWithWrong } from '../general/wrong-credentials.ts'
import { placeholder, prepare } from './archiving.ts'

const REQUIRED = 'AUTH-V1-REQUIRED'
/** A bucket under a reserved name, which is nobody's. */
const BUCKET = 'assay-example'

export const archivingCredentialCases: readonly Case[] = [
  {
    id: 'create-archiving/credentials',
    title: 'archiving is read and configured with right credentials only',
    operation: 'create-archiving',
    features: ['archiving'],
    requirements: [REQUIRED],
    cost: 10,
    // There is one configuration, which another case makes and removes.
    alone: true,
    async run(context) {
      await prepare(context)
      const [creating, reading] = [context.group(), context.group()]
      const { view } = await context.send({ ...creation(context), intent: { kind: 'base', group: creating } })
      if (!view.accepted) throw new NotRun('no-resource', 'archiving cannot be configured with the sample body')
      await context.send({ operation: 'get-archiving', intent: { kind: 'base', group: reading } })
      await sendWithWrong(context, REQUIRED, reading, () => ({ operation: 'get-archiving' }))
      const params = { [placeholder(context)]: madeIn(view) ?? BUCKET }
      await context.send({ operation: 'delete-archiving', params, intent: { kind: 'base' } })
      await readGone(context, 'get-archiving', {})
      await sendWithWrong(context, REQUIRED, creating, () => creation(context))
    },
  },
]

function creation(context: CaseContext): Call {
  const body = context.fill(context.binding.operations.get('create-archiving')?.body, { label: BUCKET })
  return { operation: 'create-archiving', body, label: BUCKET }
}
