import { listIn } from '../../../rules/core/reads.ts'
import { oneOf } from '../../../rules/core/words.ts'
import { offered } from '../../../schemas/binding.ts'
import { allCollections } from '../../../schemas/service.ts'
import type { CaseIntent, IntentData, ProbeName } from '../../../schemas/types/intents.ts'
import {
  type Case,
  type CaseCall,
  type CaseContext,
  NotRun,
  type Params,
  requireConsent,
  type Sent,
} from '../../case.ts'
import { createControl, openControl } from '../../request/control.ts'
import { openGoodRequest } from '../../request/good-request.ts'
import { readBack } from '../../request/read-back.ts'

/** Asks for a removal that has to be refused, in the group of good ones. */
function provoke(
  context: CaseContext,
  call: Pick<CaseCall, 'operation' | 'params'>,
  group: string,
  probe: ProbeName,
  more: Pick<CaseIntent, 'edge' | 'data'> = {},
): Promise<Sent> {
  return context.send({ ...call, intent: { kind: 'provoke', probe, group, ...more } })
}

/** Lists, removes, lists again: what the rules need to see that something is gone. Then removes it once more. */
async function removeAndLook(context: CaseContext, operation: string, type: string, unknown: ProbeName): Promise<void> {
  const good = await openGoodRequest(context, operation)
  const control = createControl(context, good)
  const list = context.binding.resources.get(type)?.list
  const look = async (): Promise<Sent | undefined> => (list === undefined ? undefined : readBack(context, list, {}))
  for (let count = 0; count < 3; count += 1) {
    const { params } = await good.request()
    await look()
    // Where none can be removed, the list says whether they are there all the same.
    await control.mustAccept().catch(async (thrown) => {
      await look()
      throw thrown
    })
    const after = await look()
    // A listed thing is not unknown: deleting it again would provoke nothing.
    if (after && shows(context, after, type, params.id ?? params.email)) continue
    await provoke(context, { operation, params }, control.group, unknown)
  }
}

function shows(context: CaseContext, { view }: Sent, type: string, id: string | undefined): boolean {
  const key = context.binding.resources.get(type)?.key ?? 'id'
  return listIn(view)?.some((element) => String(element[key]) === id) ?? false
}

/** Addresses beside one of a member are none of a member. Only those of the run's own: others must not be hit. */
async function removeNear(context: CaseContext, group: string): Promise<void> {
  const member = await context.make('member')
  const { list } = context.binding.resources.get('member') ?? {}
  if (!member.own || list === undefined) return
  await readBack(context, list, {})
  for (const email of [member.id.replace(/.@/, '@'), member.id.replace('@', '0@')])
    await provoke(context, { operation: 'delete-member', params: { email } }, group, 'unknown-member')
  await readBack(context, list, {})
}

/**
 * Ids of forms that a target may not have thought of. All begin with a name of the run's own, so that nothing has them,
 * even if a part is cut off. None holds characters of paths, which servers and proxies interpret.
 */
const FORMS: readonly (readonly [edge: string, ending: string])[] = [
  ['a word', ''],
  ['dots', '.v1.json'],
  ['a blank', ' 1'],
  ['a quote', "'s"],
  ['a percent sign', '%20'],
  ['letters outside ASCII', '-é-漢'],
  ['characters outside the BMP', '-\u{1f600}'],
  ['300 characters', 'x'.repeat(300)],
]

/** Deletes what does not exist, under each of these ids. */
async function deleteOdd(
  context: CaseContext,
  operation: string,
  condition: IntentData['condition'] & string,
  idOf: (name: string) => Params,
): Promise<void> {
  const { control } = await openControl(context, operation)
  for (const [edge, ending] of FORMS) {
    const params = idOf(`${context.label()}${ending}`)
    const more = { edge: `an id with ${edge}`, data: { condition } }
    await provoke(context, { operation, params }, control.group, 'odd-id', more)
  }
}

/** The address of the owner, where the configuration allows that its removal is tried. Throws NotRun elsewhere. */
function disposableOwner(context: CaseContext): string {
  const owner = context.resources.ownerEmail
  if (owner === undefined) {
    throw new NotRun('no-resource', 'the address of the owner is not listed (resources.ownerEmail)')
  }
  requireConsent(context, 'allowOwnerDeletion')
  return owner
}

export const removalCases: readonly Case[] = [
  ...allCollections.flatMap(({ type, remove = '', unknown }): Case[] => {
    if (unknown === undefined) return []
    const title = `${oneOf(type)} that was deleted is gone, and deleting it again does not find it`
    return [{ id: `${remove}/removes`, title, run: (context) => removeAndLook(context, remove, type, unknown) }]
  }),
  {
    id: 'delete-member/unknown',
    title: 'an address that never was a member is not found',
    async run(context) {
      const { control } = await openControl(context)
      await provoke(context, { params: { email: context.email(context.label()) } }, control.group, 'unknown-member')
      await removeNear(context, control.group)
    },
  },
  {
    id: 'delete-member/open',
    title: 'letters of another case: delete-member answers in some way',
    async run(context) {
      if (!context.observes) return
      const member = await context.make('member')
      if (!member.own) return
      await context.send({
        params: { email: member.id.replace(/^[^@]*/, (name) => name.toUpperCase()) },
        intent: { kind: 'observe', requirement: 'GAP-MEMBER-CASE', edge: 'the address of a member in capitals' },
      })
    },
  },
  {
    id: 'delete-member/odd-ids',
    title: 'addresses of unusual forms that no member has are refused',
    run: (context) => deleteOdd(context, 'delete-member', 'unknown-member', (name) => ({ email: context.email(name) })),
  },
  {
    id: 'delete-screen/odd-ids',
    title: 'ids of unusual forms that no screen has are refused',
    run: (context) => deleteOdd(context, 'delete-screen', 'unknown-screen', (name) => ({ id: name, screen_id: name })),
  },
  {
    id: 'delete-member/owner',
    title: 'the owner of the account cannot be removed, and is still a member after it was tried',
    async run(context) {
      const owner = disposableOwner(context)
      const { good, control } = await openControl(context)
      const list = offered(context.binding, context.binding.resources.get('member')?.list)
      const look = async (): Promise<unknown> => list && readBack(context, list.id, {}, control.group)
      const remove = async (probe: ProbeName, email: string): Promise<void> => {
        const { params } = await good.request()
        await provoke(context, { params: { ...params, email } }, control.group, probe)
      }
      await look()
      await remove('unknown-member', context.email(context.label()))
      await remove('owner', owner)
      await look()
      // Where the letter case of an address does not matter, this is the owner too.
      const capitals: CaseIntent = {
        kind: 'observe',
        requirement: 'GAP-MEMBER-CASE',
        edge: 'the address of the owner in capitals',
      }
      const { params } = await good.request()
      await context.send({ params: { ...params, email: owner.toUpperCase() }, intent: capitals })
      await look()
      await control.base()
    },
  },
]
