import type { Call, CaseContext, Sent } from '../../kit/case.ts'
import type { CredentialChoice } from '../../kit/credentials.ts'

/** Without credentials, and with ones that nobody was given. */
const WRONG: readonly (readonly [edge: string, credentials: readonly CredentialChoice[]])[] = [
  ['none', []],
  ['access-token unknown', [{ scheme: 'access-token', variant: 'unknown' }]],
]
const WRONG_KEY: typeof WRONG = [
  ['none', []],
  ['enterprise-key unknown', [{ scheme: 'enterprise-key', variant: 'unknown' }]],
]

/** Sends the request with an existing service key, where the specification takes it: with v1 operations. */
export async function sendWithRight(
  context: CaseContext,
  required: string,
  group: string,
  next: NextCall,
): Promise<void> {
  const requirement = 'AUTH-V1-SERVICE-KEY'
  if (required !== 'AUTH-V1-REQUIRED' || !context.schemes.has('service-key') || !context.wants(requirement)) return
  const intent = { kind: 'auth' as const, requirement, edge: 'service-key', group, data: { right: true } }
  await context.send({ ...(await next()), credentials: [{ scheme: 'service-key', variant: 'right' }], intent })
}

/** What is sent each time: each may need a name of its own. */
export type NextCall = () => Call | Promise<Call>

/** Sends requests that are good but for their credentials: without any, and with unknown ones. */
export async function sendWithWrong(
  context: CaseContext,
  requirement: string,
  group: string,
  next: NextCall,
): Promise<Sent[]> {
  const sent: Sent[] = []
  for (const [edge, credentials] of requirement === 'AUTH-ENTERPRISE-REQUIRED' ? WRONG_KEY : WRONG) {
    const intent = { kind: 'auth' as const, requirement, edge, group, data: { right: false } }
    sent.push(await context.send({ ...(await next()), credentials, intent }))
  }
  return sent
}
