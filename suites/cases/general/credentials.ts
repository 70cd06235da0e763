import { leftAlone } from '../../../rules/core/view.ts'
import { ACCEPTED_BY } from '../../../rules/topics/general/families.ts'
import { type Operation, specifiedOperations } from '../../../schemas/operations.ts'
import type { CaseIntent } from '../../../schemas/records/intents.ts'
import { type OperationRow, service } from '../../../schemas/service.ts'
import type { CredentialScheme } from '../../../schemas/types/exchange.ts'
import { type Call, type Case, type CaseContext, type CredentialChoice, requireOperation } from '../../case.ts'
import { type Control, createControl, type RequestSource } from '../../request/control.ts'
import { accountQuery, accountReads } from '../../request/credentials.ts'
import { type ExportId, exportOfNobody, V2, withToken } from '../../request/exports.ts'
import { openGoodRequest } from '../../request/good-request.ts'
import { leftAloneBy, otherBody } from '../../request/left-alone.ts'
import type { ReadyRequest } from '../../request/other-requests.ts'
import { usageQuery } from '../../request/usage.ts'

const WRONG = ['unknown', 'changed', 'shortened', 'lengthened', 'empty'] as const

/**
 * For each operation: without credentials and with wrong ones it is not carried out, whatever the answer says; with each
 * right scheme it is.
 */
export const credentialCases: readonly Case[] = specifiedOperations().map((operation) => {
  const plan = planOf(operation)
  return {
    id: `${operation.id}/credentials`,
    title: `${operation.id} is carried out with right credentials only`,
    async run(context) {
      const open = (): Promise<RequestSource> => openGoodRequest(context)
      await tryCredentials(context, await open(), plan, open)
    },
  }
})

/** The credentials that belong to an operation, and the requirements about them. */
interface CredentialPlan {
  /** that wrong credentials are refused */
  readonly required: string
  /** the scheme whose wrong forms are tried */
  readonly scheme: CredentialScheme
  readonly right: readonly { readonly requirement: string; readonly scheme: CredentialScheme }[]
  /** right credentials of another kind than the operation needs */
  readonly also: readonly { readonly requirement: string; readonly scheme: CredentialScheme }[]
}

/**
 * Sends the good request with every wrong and every right kind of credentials. `anew`: makes what the request is about
 * again, for what is taken only once of each.
 */
async function tryCredentials(
  context: CaseContext,
  source: RequestSource,
  plan: CredentialPlan,
  anew?: () => Promise<RequestSource>,
): Promise<void> {
  const control = createControl(context, source)
  await control.mustAccept()
  await tryWrong(context, control, source, plan)
  await tryRight(context, control, plan, anew)
  await control.base()
}

function planOf(operation: Operation): CredentialPlan {
  if (operation.family === 'enterprise') {
    return {
      required: 'AUTH-ENTERPRISE-REQUIRED',
      scheme: 'enterprise-key',
      right: [{ requirement: 'AUTH-ENTERPRISE-KEY', scheme: 'enterprise-key' }],
      also: [
        { requirement: 'AUTH-ENTERPRISE-TOKEN-ALONE', scheme: 'access-token' },
        { requirement: 'ENT-KEYS-LIST-HEADER', scheme: 'service-key' },
      ],
    }
  }
  if (operation.family === 'v3') {
    return {
      required: 'AUTH-V3-REQUIRED',
      scheme: 'access-token',
      right: [{ requirement: 'AUTH-V3-TOKEN', scheme: 'access-token' }],
      also: [],
    }
  }
  return {
    required: 'AUTH-V1-REQUIRED',
    scheme: 'access-token',
    right: [
      { requirement: 'AUTH-V1-TOKEN', scheme: 'access-token' },
      // 'Except ingestion' can be read as the sending of lines alone, or as these paths too.
      ...(operation.path?.startsWith('/v1/config/ingestion/')
        ? []
        : [{ requirement: 'AUTH-V1-SERVICE-KEY', scheme: 'service-key' } as const]),
      { requirement: 'AUTH-IAM', scheme: 'iam' },
    ],
    also: [],
  }
}

async function tryWrong(
  context: CaseContext,
  control: Control,
  source: RequestSource,
  plan: CredentialPlan,
): Promise<void> {
  const attempts: { edge: string; requirement: string; credentials: CredentialChoice[] }[] = [
    { edge: 'none', requirement: plan.required, credentials: [] },
    ...WRONG.map((variant) => ({
      edge: `${plan.scheme} ${variant}`,
      requirement: plan.required,
      credentials: [{ scheme: plan.scheme, variant }],
    })),
    ...plan.also
      .filter(({ scheme }) => context.schemes.has(scheme))
      .map(({ requirement, scheme }) => ({
        edge: `${scheme} alone`,
        requirement,
        credentials: [{ scheme, variant: 'right' as const }],
      })),
  ]
  const others: CredentialScheme[] = [
    ...(plan.right.some(({ scheme }) => scheme === 'service-key') ? ['service-key' as const] : []),
    // The IAM-based scheme is an alternative everywhere but in the enterprise operations.
    ...(plan.scheme === 'access-token' ? ['iam' as const] : []),
  ]
  for (const scheme of others) {
    for (const variant of scheme === 'iam' ? (['unknown', 'empty'] as const) : WRONG) {
      attempts.push({ edge: `${scheme} ${variant}`, requirement: plan.required, credentials: [{ scheme, variant }] })
    }
  }
  const wanted = attempts.filter(({ requirement }) => context.wants(requirement))
  if (wanted.length === 0) return
  const { id } = source.operation
  const leftAlone = leftAloneBy(context, id, control.group)
  const sent: ReadyRequest[] = []
  const first = await source.request()
  if (otherBody(id, first) !== undefined) {
    await control.probe({ kind: 'base' }, (request) => ({ body: otherBody(id, request) }))
  }
  await leftAlone.before(first)
  for (const { edge, requirement, credentials } of wanted) {
    await control.probe({ kind: 'auth', requirement, edge, data: { right: false } }, (request) => {
      sent.push(request)
      return { credentials }
    })
  }
  await leftAlone.after(sent)
}

/**
 * The enterprise key is tried alone, then beside a key of the organisation: some operations need both. What is refused,
 * but not for its credentials, may have been taken before from the same resource: it is tried on another one.
 */
async function tryRight(
  context: CaseContext,
  control: Control,
  plan: CredentialPlan,
  anew: (() => Promise<RequestSource>) | undefined,
): Promise<void> {
  for (const { requirement, scheme } of plan.right) {
    if (!context.wants(requirement) || !context.schemes.has(scheme)) continue
    const alone: CredentialChoice[] = [{ scheme, variant: 'right' }]
    const both = scheme === 'enterprise-key' && context.schemes.has('access-token')
    const choices = both ? [alone, [...alone, { scheme: 'access-token' as const, variant: 'right' as const }]] : [alone]
    for (const credentials of choices) {
      const edge = credentials.map((choice) => choice.scheme).join(' and ')
      const intent: CaseIntent = { kind: 'auth', requirement, edge, data: { right: true } }
      const { view } = await control.probe(intent, () => ({ credentials }))
      if (!anew || !view.conclusive || !leftAlone(view) || view.status === 401 || view.status === 403) continue
      await createControl(context, await anew()).probe(intent, () => ({ credentials }))
    }
  }
}

const PLAN: CredentialPlan = {
  required: 'AUTH-V2-REQUIRED',
  scheme: 'access-token',
  right: [
    { requirement: 'AUTH-V2-TOKEN', scheme: 'access-token' },
    { requirement: 'AUTH-V2-SERVICE-KEY', scheme: 'service-key' },
  ],
  also: [],
}

/** Reads whose paths only a binding gives. */
export const boundReads: readonly OperationRow[] = service().operations.filter(
  ({ gap, free, verb }) => gap !== undefined && (free || verb === 'export'),
)

function goodQuery(context: CaseContext, { id, verb, family }: OperationRow): Record<string, string> {
  if (verb === 'report') return usageQuery(context, id, 7, 1)
  if (verb !== 'export') return {}
  const query = exportOfNobody(context, id as ExportId)
  return family === 'v2' ? withToken(context, query, null) : query
}

/** The v2 operations, whose paths only a binding gives. */
export const v2CredentialCases: readonly Case[] = boundReads
  .filter(({ family }) => family === 'v2')
  .map((row) => ({
    id: `${row.id}/credentials`,
    title: `${row.id} is carried out with right credentials only`,
    async run(context) {
      await tryCredentials(context, readSource(context, row), PLAN)
    },
  }))

/** The same read each time, of an operation whose path only a binding gives. */
export function readSource(context: CaseContext, row: OperationRow): RequestSource {
  requireOperation(context, row.id)
  const request = { operation: row.id, params: {}, query: goodQuery(context, row), body: undefined, label: '' }
  return { operation: row, request: async () => request, learn: () => {} }
}

/** Features of which several families have reads. A run that sends lines besides asks for another consent. */
const FEATURES: readonly string[] = [
  'pipelines',
  'preset-alerts',
  'member-removal',
  'members',
  'screen-removal',
  'screens',
  'boards',
  'views',
  'categories',
  'alerts',
  'keys',
]

/** Reads of a family that a credential is tried with until one takes it. */
const MOST = 6

/** A credential that works with one family of operations works with the others to which it applies. */
export const familyCases: readonly Case[] = (['access-token', 'service-key'] as const).map((scheme) => ({
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
}))

/** The reads of a family. The first page of an export of nobody's lines is the one that differs most from the others. */
function readsOf(context: CaseContext, family: string): Call[] {
  const { binding, claims, today } = context
  const reads = accountReads(binding, claims).filter((operation) => operation.family === family)
  const calls: Call[] = reads.map((operation) => ({
    operation: operation.id,
    query: accountQuery(operation, today / 1000),
  }))
  const exported = binding.operations.get(V2)
  if (family !== 'v2' || !claims('export-v2') || exported?.offered !== true || exported.path === '') return calls
  return [{ operation: V2, query: withToken(context, exportOfNobody(context, V2), null) }, ...calls]
}
