import type { Session } from '../../fixtures/http/session.ts'
import type { Journal } from '../../fixtures/journal.ts'
import { resolveBinding, shippedBinding } from '../../schemas/binding.ts'
import type { TargetConfig } from '../../schemas/types/config.ts'
import { type Answer, createClient, createLedger, type Made, runPrefix, Stopped } from './client.ts'
import { type Findings, noFindings } from './found.ts'
import { probeAccount } from './probe-account.ts'
import { probeUpdate, removeAll } from './probe-changes.ts'
import { probeExports } from './probe-exports.ts'
import { probeExclusion, probeIngestion } from './probe-intake.ts'
import { probePipelines } from './probe-pipelines.ts'
import { probeThing } from './probe-things.ts'
import { probeInvalidQuery, probeUsage } from './probe-usage.ts'
import type { Found, Probe } from './probing.ts'

export interface ProbeOptions {
  readonly session: Session
  readonly journal: Journal
  readonly prefix: string
  readonly target: TargetConfig
  /** the user agreed that things are made and removed */
  readonly modify: boolean
  readonly interrupted: () => boolean
  /** Hears what is searched for. */
  readonly onStep: (what: string) => void
}

export interface Probed {
  readonly findings: Findings
  /** what could not be removed */
  readonly left: readonly Made[]
  readonly made: number
  readonly requests: number
  readonly statuses: ReadonlyMap<number, number>
  readonly failure: string | undefined
  readonly interrupted: boolean
  readonly linesSent: number
}

/** Parents before what belongs to them; what acts on the account last. */
const THINGS = [
  'screen',
  'board',
  'view',
  'category',
  'alert',
  'preset-alert',
  'member',
  'key',
  'enterprise-key',
  'exclusion',
  'pipeline',
  'source',
  'transform',
  'group',
  'group-revision',
  'placed-group',
  'gateway-route',
] as const

/** The two shipped bindings laid out: the one with the fuller samples first. */
export function shippedInOrder(): ReturnType<typeof resolveBinding>[] {
  const reference = [shippedBinding('reference'), shippedBinding('default')]
  return [
    resolveBinding({ name: 'reference', chain: ['reference', 'default'], files: reference }),
    resolveBinding({ name: 'default', chain: ['default'], files: reference.slice(1) }),
  ]
}

/** What acts on the whole account, and the consent that it needs. */
const AGREED: readonly (readonly [RegExp, 'exclusions' | 'suspend' | 'archiving'])[] = [
  [/-exclusion$/, 'exclusions'],
  [/-(suspension|ingestion)$/, 'suspend'],
  [/-archiving$/, 'archiving'],
]

/** Notes of each operation what nobody gave that it needs. Where it is found all the same, that counts. */
function sayWhatIsLacking({ shipped, findings, agreed }: Probe, { credentials = {} }: TargetConfig): void {
  for (const { id, family, effect } of shipped[0]?.operations.values() ?? []) {
    const consent = AGREED.find(([pattern, name]) => pattern.test(id) && !agreed[name])?.[1]
    if (family === 'enterprise' && credentials.enterpriseServiceKey === undefined) {
      findings.open.set(id, 'no enterprise key is configured (credentials.enterpriseServiceKey)')
    } else if (effect !== 'read' && !agreed.modify) {
      findings.open.set(id, 'without consent nothing is changed (consent.modifyTarget)')
    } else if (effect !== 'read' && consent !== undefined) {
      findings.open.set(id, `it acts on the whole account (consent.${consent})`)
    }
  }
}

/**
 * Finds out how a target has the operations, by asking it. With consent one thing of each kind is made, found again by the
 * name that it was given, and removed; without, everything is only read.
 */
export async function probeTarget(options: ProbeOptions): Promise<Probed> {
  const { session, target, modify, interrupted, onStep } = options
  const shipped = shippedInOrder()
  const [first] = shipped
  if (!first) throw new Error('no binding ships with assay')
  const client = createClient({ session, target, binding: first, interrupted })
  const probe = createProbe(options, client, shipped, await controls(client))
  const made = new Map<string, Found>()
  let linesSent = 0
  let left: Made[] = []
  let stopped = false
  sayWhatIsLacking(probe, target)
  const now = Date.now()
  const settleMs = target.settleTimeout ?? 0
  try {
    onStep('exports')
    await probeExports(probe, false, now, 0)
    onStep('log lines')
    const intake = modify ? await probeIngestion(probe, target, now) : undefined
    if (intake) {
      linesSent = 1
      await probeExports(probe, true, now, settleMs)
    }
    for (const type of THINGS) {
      onStep(type.replaceAll('-', ' '))
      const found = await probeThing(probe, type)
      if (!found) continue
      made.set(type, found)
      if (!['source', 'transform', 'gateway-route', 'placed-group'].includes(type)) await probeUpdate(probe, found)
    }
    onStep('pipelines')
    if (modify) await probePipelines(probe, made)
    const key = target.credentials?.ingestionKey
    if (intake && made.has('exclusion') && key !== undefined) {
      onStep('what an exclusion drops')
      await probeExclusion(probe, intake, key, settleMs)
    }
    onStep('usage')
    await probeUsage(probe, now)
    await probeInvalidQuery(probe)
    onStep('account')
    await probeAccount(probe)
  } catch (thrown) {
    if (!(thrown instanceof Stopped)) throw thrown
    stopped = true
  } finally {
    onStep('removing what was made')
    left = await removeAll(probe)
  }
  return {
    findings: probe.findings,
    left,
    made: probe.ledger.things.filter(({ id }) => id !== undefined).length,
    requests: client.count(),
    statuses: client.statuses,
    failure: client.failure(),
    interrupted: stopped,
    linesSent,
  }
}

function createProbe(
  { journal, prefix, target, modify }: ProbeOptions,
  client: Probe['client'],
  shipped: Probe['shipped'],
  nothing: Probe['nothing'],
): Probe {
  const { consent = {} } = target
  return {
    client,
    ledger: createLedger(journal, prefix),
    shipped,
    sink: target.sink ?? {},
    agreed: {
      modify,
      exclusions: consent.exclusions === true,
      suspend: consent.suspend === true,
      archiving: consent.archiving === true,
    },
    findings: noFindings(),
    ids: {},
    nothing,
  }
}

/** What the target says of a path that there cannot be, by family. */
async function controls(client: ReturnType<typeof createClient>): Promise<Map<string, Answer>> {
  const name = runPrefix()
  const paths = { v1: `/v1/config/${name}`, v2: `/v2/${name}`, v3: `/v3/${name}`, enterprise: `/v1/enterprise/${name}` }
  const answers = new Map<string, Answer>()
  for (const [family, path] of Object.entries(paths))
    answers.set(family, await client.send({ method: 'GET', path, family }))
  return answers
}
