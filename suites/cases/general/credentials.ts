import { isTurnedDown } from '../../../rules/core/view.ts'
import { inWords, oneOf } from '../../../rules/core/words.ts'
import { ACCEPTED_BY } from '../../../rules/topics/general/families.ts'
import { offered } from '../../../schemas/binding.ts'
import {
  allCollections,
  type Collection,
  type OperationRow,
  operationRow,
  operationsOn,
  service,
} from '../../../schemas/service.ts'
import type { CredentialScheme } from '../../../schemas/types/exchange.ts'
import type { CaseIntent } from '../../../schemas/types/intents.ts'
import {
  type Call,
  type Case,
  type CaseContext,
  type CredentialChoice,
  NotRun,
  requireConsent,
  requireOperation,
  type Sent,
} from '../../case.ts'
import { createControl, type RequestSource } from '../../request/control.ts'
import { accountQuery, accountReads } from '../../request/credentials.ts'
import { exportOfNobody, V2, withToken } from '../../request/exports.ts'
import { openGoodRequest } from '../../request/good-request.ts'
import { leftAloneBy, otherBody } from '../../request/left-alone.ts'
import type { ReadyRequest } from '../../request/other-requests.ts'
import { usageQuery } from '../../request/usage.ts'

/** Operations that have to be there, and reads whose paths only a binding gives. Each is tried by itself. */
const ALONE: readonly OperationRow[] = service().operations.filter(
  ({ gap, free, verb }) => gap === undefined || free || verb === 'export',
)

/** The same read each time, of an operation whose path only a binding gives. */
function readSource(context: CaseContext, row: OperationRow): RequestSource {
  requireOperation(context, row.id)
  const request = { operation: row.id, params: {}, query: goodQuery(context, row), body: undefined, label: '' }
  return { operation: row, request: async () => request, learn: () => {} }
}

function goodQuery(context: CaseContext, { id, verb, family }: OperationRow): Record<string, string> {
  if (verb === 'report') return usageQuery(context, id, 7, 1)
  if (verb !== 'export') return {}
  const query = exportOfNobody(context, id)
  return family === 'v2' ? withToken(context, query, null) : query
}

/** Tries the operations on things of one type whose paths only a binding gives, all on the same thing. */
async function keepClosed(context: CaseContext, { type, create, update, remove, others }: Collection): Promise<void> {
  const { binding } = context
  const { read, list, needs = [] } = binding.resources.get(type) ?? {}
  if (type === 'exclusion') requireConsent(context, 'exclusions')
  requireOperation(context, create)
  const kept = await context.make(type)
  if (!kept.own) throw new NotRun('no-resource', `the ${inWords(type)} was there before`)
  const parts = service().resources.flatMap((row) => (row.of === type ? operationsOn(row.type, 'read') : []))
  const lists = needs.length > 0 ? [list] : []
  const given = { ...kept.params, id: kept.id }
  // A thing that a removal takes along is missed afterwards, if it was seen before.
  const reader = offered(binding, read)
  if (reader) await context.send({ operation: reader.id, params: given, intent: { kind: 'read' } })
  let failed: unknown
  for (const id of [remove, create, read, ...lists, update, ...others, ...operationsOn(type, 'act'), ...parts]) {
    const [row, bound] = [operationRow(id), offered(binding, id)]
    if (!row || row.path !== undefined || !bound) continue
    // Without a sample body it is not known what a good one is.
    if (bound.body === undefined && (row.verb === 'update' || row.verb === 'change')) continue
    try {
      await tryCredentials(context, row, () => openGoodRequest(context, row.id, given))
    } catch (thrown) {
      if (!(thrown instanceof NotRun)) throw thrown
      failed ??= thrown
    }
  }
  if (failed !== undefined) throw failed
}

type Right = readonly (readonly [requirement: string, scheme: CredentialScheme])[]

/** family -> the credentials that open it, and the requirements about them */
const RIGHT: Readonly<Record<string, Right>> = {
  v1: [
    ['AUTH-V1-TOKEN', 'access-token'],
    ['AUTH-V1-SERVICE-KEY', 'service-key'],
    ['AUTH-IAM', 'iam'],
  ],
  v2: [
    ['AUTH-V2-TOKEN', 'access-token'],
    ['AUTH-V2-SERVICE-KEY', 'service-key'],
  ],
  v3: [['AUTH-V3-TOKEN', 'access-token']],
  enterprise: [['AUTH-ENTERPRISE-KEY', 'enterprise-key']],
}

/** Right credentials of another kind than the operations of the enterprise need. */
const BESIDE: Right = [
  ['AUTH-ENTERPRISE-TOKEN-ALONE', 'access-token'],
  ['ENT-KEYS-LIST-HEADER', 'service-key'],
]

/** Whether each wrong form is tried, and each right scheme: where only a binding gives the paths, a few stand for all. */
function isWhole({ path, family }: OperationRow): boolean {
  return path !== undefined || family === 'v2'
}

function rightFor(row: OperationRow): Right {
  const all = RIGHT[row.family] ?? []
  return all.filter(([, scheme]) => (scheme === 'service-key' ? takesServiceKey : isWhole)(row))
}

/** 'Except ingestion' can be read as the sending of lines alone, or as these paths too. */
function takesServiceKey({ path, family }: OperationRow): boolean {
  return (family === 'v1' || family === 'v2') && path?.startsWith('/v1/config/ingestion/') !== true
}

/** That an operation is carried out with right credentials only (section 'Authentication'). */
function requiredBy({ family }: OperationRow): string {
  return `AUTH-${family.toUpperCase()}-REQUIRED`
}

/**
 * Sends the good request with wrong and with right kinds of credentials. `open`: makes what the request is about, again for
 * what is taken only once of each.
 */
async function tryCredentials(
  context: CaseContext,
  row: OperationRow,
  open: () => Promise<RequestSource>,
): Promise<void> {
  const source = await open()
  const control = createControl(context, source)
  await control.mustAccept()
  const wanted = wrongFor(row, context).filter(({ requirement }) => context.wants(requirement))
  if (wanted.length > 0) {
    const looks = leftAloneBy(context, row.id, control.group)
    const sent: ReadyRequest[] = []
    const first = await source.request()
    if (otherBody(row.id, first) !== undefined) {
      await control.probe({ kind: 'base' }, (request) => ({ body: otherBody(row.id, request) }))
    }
    await looks.before(first)
    for (const { edge, requirement, credentials } of wanted) {
      await control.probe({ kind: 'auth', requirement, edge, data: { right: false } }, (request) => {
        sent.push(request)
        return { credentials }
      })
    }
    await looks.after(sent)
  }
  for (const [requirement, scheme] of rightFor(row)) {
    if (!context.wants(requirement) || !context.schemes.has(scheme)) continue
    for (const credentials of choicesOf(scheme, context)) {
      const edge = credentials.map((choice) => choice.scheme).join(' and ')
      const intent: CaseIntent = { kind: 'auth', requirement, edge, data: { right: true } }
      const { view } = await control.probe(intent, () => ({ credentials }))
      // What is refused, but not for its credentials, may have been taken before from the same thing.
      if (!isTurnedDown(view) || view.status === 401 || view.status === 403) continue
      await createControl(context, await open()).probe(intent, () => ({ credentials }))
    }
  }
  await control.end()
}

/** The enterprise key is tried alone, then beside a key of the organisation: some operations need both. */
function choicesOf(scheme: CredentialScheme, { schemes }: CaseContext): readonly (readonly CredentialChoice[])[] {
  const alone: CredentialChoice[] = [{ scheme, variant: 'right' }]
  if (scheme !== 'enterprise-key' || !schemes.has('access-token')) return [alone]
  return [alone, [...alone, { scheme: 'access-token', variant: 'right' }]]
}

interface Wrong {
  readonly edge: string
  readonly requirement: string
  readonly credentials: readonly CredentialChoice[]
}

const WRONG = ['unknown', 'changed', 'shortened', 'lengthened', 'empty'] as const

const READS: ReadonlySet<OperationRow['verb']> = new Set(['read', 'list', 'report'])

/** No credentials, wrong forms of each scheme that opens the operation, and right ones of another. */
function wrongFor(row: OperationRow, { schemes, claims }: CaseContext): readonly Wrong[] {
  const requirement = requiredBy(row)
  // Operations of a family share their authentication, and so the wrong forms: each one that is sent may look like guessing.
  const share = <T>(forms: readonly T[], tries = isWhole): readonly T[] => {
    const same = ALONE.filter((one) => one.family === row.family && isWhole(one) && tries(one) && claims(one.feature))
    const shares = Math.min(same.length, forms.length)
    return forms.filter((_, index) => index % shares === same.indexOf(row) % shares)
  }
  const { family } = row
  const wrong = (scheme: CredentialScheme, variants: readonly (typeof WRONG)[number][]): Wrong[] =>
    variants.map((variant) => ({ edge: `${scheme} ${variant}`, requirement, credentials: [{ scheme, variant }] }))
  const own = family === 'enterprise' ? 'enterprise-key' : 'access-token'
  const few = [{ edge: 'none', requirement, credentials: [] }, ...wrong(own, isWhole(row) ? share(WRONG) : ['unknown'])]
  // What a read shows, it shows without credentials and with wrong ones: half of these reads are tried with each.
  if (!isWhole(row)) return READS.has(row.verb) ? few.slice(service().operations.indexOf(row) % 2).slice(0, 1) : few
  const beside = BESIDE.filter(([, scheme]) => family === 'enterprise' && schemes.has(scheme))
  return [
    ...few,
    ...beside.map(([other, scheme]): Wrong => {
      return { edge: `${scheme} alone`, requirement: other, credentials: [{ scheme, variant: 'right' }] }
    }),
    ...(takesServiceKey(row) ? wrong('service-key', share(WRONG, takesServiceKey)) : []),
    // The IAM-based scheme is an alternative everywhere but in the enterprise operations.
    ...(family === 'enterprise' ? [] : wrong('iam', share(['unknown', 'empty']))),
  ]
}

/** Sends requests of the operation of the case that are good but for their credentials: without any, and with unknown ones. */
export async function sendWithWrong(context: CaseContext, group: string, next: () => Call): Promise<readonly Sent[]> {
  const row = operationRow(context.operation)
  const sent: Sent[] = []
  for (const { edge, requirement, credentials } of row ? wrongFor(row, context) : []) {
    const intent = { kind: 'auth' as const, requirement, edge, group, data: { right: false } }
    sent.push(await context.send({ ...next(), credentials, intent }))
  }
  return sent
}

/** Features of which several families have reads. A run that sends lines besides asks for another consent. */
const FEATURES: readonly string[] = [
  ...['pipelines', 'preset-alerts', 'member-removal', 'members', 'screen-removal', 'screens'],
  ...['boards', 'views', 'categories', 'alerts', 'keys'],
]

/** Reads of a family that a credential is tried with until one takes it. */
const MOST = 6

/** The reads of a family. The first page of an export of nobody's lines is the one that differs most from the others. */
function readsOf(context: CaseContext, family: string): Call[] {
  const { binding, claims, today } = context
  const reads = accountReads(binding, claims).filter((operation) => operation.family === family)
  const calls: Call[] = reads.map((operation) => ({
    operation: operation.id,
    query: accountQuery(operation, today / 1000),
  }))
  if (family !== 'v2' || !claims('export-v2') || !offered(binding, V2)?.path) return calls
  return [{ operation: V2, query: withToken(context, exportOfNobody(context, V2), null) }, ...calls]
}

export const credentialCases: readonly Case[] = [
  // Without credentials and with wrong ones an operation is not carried out, whatever the answer says; with right ones it is.
  ...ALONE.map((row) => ({
    id: `${row.id}/credentials`,
    title: `${row.id} is carried out with right credentials only`,
    async run(context: CaseContext) {
      const open = async (): Promise<RequestSource> =>
        row.gap === undefined ? openGoodRequest(context) : readSource(context, row)
      await tryCredentials(context, row, open)
    },
  })),
  ...allCollections.map((collection) => ({
    id: `${collection.create}/kept-closed`,
    title: `${oneOf(collection.type)} is made, read, changed and removed with right credentials only`,
    run: (context: CaseContext) => keepClosed(context, collection),
  })),
  // A credential that works with one family of operations works with the others to which it applies.
  ...(['access-token', 'service-key'] as const).map(
    (scheme): Case => ({
      id: `list-usage-by-tag/${scheme}-families`,
      title: `the ${scheme} works with each family of operations to which it applies`,
      features: FEATURES,
      async run(context) {
        if (!context.schemes.has(scheme)) return
        for (const [family, requirement] of Object.entries(ACCEPTED_BY[scheme])) {
          for (const call of readsOf(context, family).slice(0, MOST)) {
            const { view } = await context.send({
              ...call,
              credentials: [{ scheme, variant: 'right' }],
              intent: { kind: 'auth', requirement, edge: scheme, data: { right: true } },
            })
            if (view.accepted) break
          }
        }
      },
    }),
  ),
]
