import type { Case } from '../../kit/case.ts'
import { sendWithWrong } from '../general/wrong-credentials.ts'
import { confirmation, prepare, RESUME, resume, suspendOnce } from './suspension.ts'

const REQUIRED = 'AUTH-V1-REQUIRED'

export const suspensionCredentialCases: readonly Case[] = [
  {
    id: 'suspend-ingestion/credentials',
    title: 'ingestion is suspended and resumed with right credentials only',
    operation: 'suspend-ingestion',
    features: ['suspension'],
    requirements: [REQUIRED],
    cost: 16,
    alone: true,
    async run(context) {
      await prepare(context)
      const [suspending, confirming, resuming] = [context.group(), context.group(), context.group()]
      const base = (group: string) => ({ kind: 'base' as const, group })
      const { token } = await suspendOnce(context, base(suspending))
      await context.send({ ...confirmation(context, token), intent: base(confirming) })
      await sendWithWrong(context, REQUIRED, resuming, () => RESUME)
      await context.owe('suspension', 'suspension')
      await resume(context, base(resuming))
      await context.owe('suspension', 'suspension')
      await sendWithWrong(context, REQUIRED, suspending, () => ({ operation: 'suspend-ingestion' }))
      await resume(context, base(resuming))
      const other = await suspendOnce(context, base(suspending))
      await sendWithWrong(context, REQUIRED, confirming, () => confirmation(context, other.token))
      await resume(context, base(resuming))
    },
  },
]
