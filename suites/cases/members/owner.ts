import { type ProbeOf, probes } from '../../../schemas/intents.ts'
import { type Case, type CaseContext, NotRun } from '../../kit/case.ts'
import { readBack, reader } from '../../kit/read-back.ts'
import { openScene } from '../../kit/scene.ts'
import { createTwins } from '../../kit/twins.ts'

/** The address of the owner, where the configuration allows that its removal is tried. Throws NotRun elsewhere. */
function disposableOwner(context: CaseContext): string {
  const owner = context.resources.ownerEmail
  if (owner === undefined) {
    throw new NotRun('no-resource', 'the address of the owner is not listed (resources.ownerEmail)')
  }
  if (!context.embedded && context.consent.allowOwnerDeletion !== true) {
    throw new NotRun('no-consent', 'a faulty target would delete the owner (consent.allowOwnerDeletion)')
  }
  return owner
}

export const ownerCases: readonly Case[] = [
  {
    id: 'delete-member/owner',
    title: 'the owner of the account cannot be removed, and is still a member after it was tried',
    operation: 'delete-member',
    features: ['member-removal'],
    requirements: [
      'MEMBER-DELETE-OWNER-REFUSED',
      'MEMBER-DELETE-OWNER-CODE',
      'MEMBER-DELETE-OWNER-STATUS',
      'ERROR-BODY-CODE-UNIQUE',
    ],
    cost: 10,
    async run(context) {
      const owner = disposableOwner(context)
      const scene = await openScene(context, 'delete-member')
      const twins = createTwins(context, scene)
      await twins.mustAccept()
      const look = async (): Promise<void> => {
        const list = reader(context, 'member', 'list')
        if (context.binding.operations.get(list ?? '')?.offered === true) await readBack(context, list, {}, twins.group)
      }
      const provoke = async (probe: ProbeOf<'provoke'>, email: string): Promise<void> => {
        const { params } = await scene.request()
        const intent = { kind: 'provoke' as const, probe, group: twins.group }
        await context.send({ operation: 'delete-member', params: { ...params, email }, intent })
      }
      await look()
      await provoke(probes.unknownMember, context.email(context.label()))
      await provoke(probes.owner, owner)
      await look()
      await twins.base()
    },
  },
]
