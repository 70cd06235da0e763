import { listIn } from '../../../rules/core/reads.ts'
import { type ProbeOf, probes } from '../../../schemas/intents.ts'
import type { Case, CaseContext, Sent } from '../../kit/case.ts'
import { readBack, reader } from '../../kit/read-back.ts'
import { openScene, type Scene } from '../../kit/scene.ts'
import { createTwins, type Twins } from '../../kit/twins.ts'

/** Lists, removes, lists again: what the rules need to see that something is gone. Then removes it once more. */
async function removeAndLook(
  context: CaseContext,
  operation: string,
  type: string,
  unknown: ProbeOf<'provoke'>,
): Promise<void> {
  const scene = await openScene(context, operation)
  const twins = createTwins(context, scene)
  for (let count = 0; count < 3; count += 1) await removeOnce(context, scene, twins, type, unknown)
}

async function removeOnce(
  context: CaseContext,
  scene: Scene,
  twins: Twins,
  type: string,
  unknown: ProbeOf<'provoke'>,
): Promise<void> {
  const list = reader(context, type, 'list')
  const { params } = await scene.request()
  const look = async (): Promise<Sent | undefined> => (list === undefined ? undefined : readBack(context, list, {}))
  await look()
  // Where none can be removed, the list says whether they are there all the same.
  await twins.mustAccept().catch(async (thrown) => {
    await look()
    throw thrown
  })
  const after = await look()
  // What is still listed is not unknown: deleting it again would provoke nothing.
  if (after && shows(context, after, type, params.id ?? params.email)) return
  await context.send({
    operation: scene.operation.id,
    params,
    intent: { kind: 'provoke', probe: unknown, group: twins.group },
  })
}

function shows(context: CaseContext, { view }: Sent, type: string, id: string | undefined): boolean {
  const key = context.binding.resources.get(type)?.key ?? 'id'
  return listIn(view)?.some((element) => String(element[key]) === id) ?? false
}

/** Addresses beside one of a member are none of a member. Only those of the run's own: nobody else is to be hit. */
async function removeNear(context: CaseContext, group: string): Promise<void> {
  const member = await context.make('member')
  const list = reader(context, 'member', 'list')
  if (!member.own || list === undefined) return
  await readBack(context, list, {})
  for (const email of [member.id.replace(/.@/, '@'), member.id.replace('@', '0@')]) {
    await context.send({
      operation: 'delete-member',
      params: { email },
      intent: { kind: 'provoke', probe: probes.unknownMember, group },
    })
  }
  await readBack(context, list, {})
}

export const removalCases: readonly Case[] = [
  {
    id: 'delete-member/removes',
    title: 'a member that was deleted is gone, and deleting it again finds no active member',
    operation: 'delete-member',
    features: ['member-removal'],
    requirements: [
      'MEMBER-DELETE-STATUS',
      'MEMBER-DELETE-BODY',
      'MEMBER-DELETE-REMOVES',
      'MEMBER-RESULT-MESSAGE-TYPE',
      'MEMBER-RESULT-MESSAGE-PRESENT',
      'MEMBER-RESULT-DELETED-TYPE',
      'MEMBER-RESULT-DELETED-PRESENT',
      'MEMBER-RESULT-DELETED-TRUE',
      'MEMBER-DELETE-UNKNOWN-REFUSED',
      'MEMBER-DELETE-UNKNOWN-CODE',
      'MEMBER-DELETE-UNKNOWN-STATUS',
      'ERROR-BODY-OBJECT',
      'ERROR-BODY-ERROR-TYPE',
      'ERROR-BODY-ERROR-PRESENT',
      'ERROR-BODY-CODE-TYPE',
      'ERROR-BODY-CODE-PRESENT',
      'ERROR-BODY-STATUS-TYPE',
      'ERROR-BODY-STATUS-VALUE',
      'GAP-ERROR-STATUSES',
    ],
    cost: 20,
    run: (context) => removeAndLook(context, 'delete-member', 'member', probes.unknownMember),
  },
  {
    id: 'delete-member/unknown',
    title: 'an address that never was a member is not found',
    operation: 'delete-member',
    features: ['member-removal'],
    requirements: ['MEMBER-DELETE-UNKNOWN-REFUSED', 'MEMBER-DELETE-UNKNOWN-CODE', 'MEMBER-DELETE-UNKNOWN-STATUS'],
    cost: 10,
    async run(context) {
      const scene = await openScene(context, 'delete-member')
      const twins = createTwins(context, scene)
      await twins.mustAccept()
      await context.send({
        operation: 'delete-member',
        params: { email: context.email(context.label()) },
        intent: { kind: 'provoke', probe: probes.unknownMember, group: twins.group },
      })
      await removeNear(context, twins.group)
    },
  },
  {
    id: 'delete-member/open',
    title: 'letters of another case: delete-member answers in some way',
    operation: 'delete-member',
    features: ['member-removal'],
    requirements: ['GAP-MEMBER-CASE'],
    cost: 5,
    async run(context) {
      if (!context.observes) return
      const member = await context.make('member')
      if (!member.own) return
      await context.send({
        operation: 'delete-member',
        params: { email: member.id.replace(/^[^@]*/, (name) => name.toUpperCase()) },
        intent: { kind: 'observe', requirement: 'GAP-MEMBER-CASE', edge: 'the address of a member in capitals' },
      })
    },
  },
  {
    id: 'delete-screen/removes',
    title: 'a screen that was deleted is gone, and deleting it again does not find it',
    operation: 'delete-screen',
    features: ['screen-removal'],
    requirements: [
      'SCREEN-DELETE-STATUS',
      'SCREEN-DELETE-BODY',
      'SCREEN-DELETE-REMOVES',
      'SCREEN-RESULT-DELETED-TYPE',
      'SCREEN-RESULT-DELETED-PRESENT',
      'SCREEN-RESULT-DELETED-TRUE',
      'SCREEN-DELETE-UNKNOWN-REFUSED',
      'SCREEN-DELETE-UNKNOWN-CODE',
      'SCREEN-DELETE-UNKNOWN-STATUS',
    ],
    cost: 20,
    run: (context) => removeAndLook(context, 'delete-screen', 'screen', probes.unknownScreen),
  },
  {
    id: 'delete-exclusion/removes',
    title: 'an exclusion rule that was deleted is gone',
    operation: 'delete-exclusion',
    features: ['exclusion-removal'],
    requirements: [
      'EXCLUSION-DELETE-STATUS',
      'EXCLUSION-DELETE-BODY',
      'EXCLUSION-DELETE-REMOVES',
      'EXCLUSION-ERROR-OBJECT',
      'EXCLUSION-ERROR-CODE-TYPE',
      'EXCLUSION-ERROR-CODE-PRESENT',
      'EXCLUSION-ERROR-ERROR-TYPE',
      'EXCLUSION-ERROR-ERROR-PRESENT',
      'EXCLUSION-ERROR-ONLY',
      'GAP-EXCLUSION-UNKNOWN',
    ],
    cost: 20,
    run: (context) => removeAndLook(context, 'delete-exclusion', 'exclusion', probes.unknownExclusion),
  },
]
