import { openUnchanged, type Recording, RecordingError } from '../../fixtures/recording/read.ts'
import { type Scan, scanRecording } from '../../fixtures/replay/plan/scan.ts'
import type { Binding } from '../../schemas/binding.ts'
import type { Credentials, TargetConfig } from '../../schemas/types/config.ts'
import type { CredentialScheme } from '../../schemas/types/exchange.ts'
import { UsageError } from '../errors.ts'

export interface LookedAt {
  readonly recording: Recording
  readonly scan: Scan
}

const DISTILLED =
  'note: the recording was distilled: what its requests build on is not all there, and answers differ for that alone'

/** Reads a whole recording before any of it is sent. `note`: told of what can be got over. @throws UsageError */
export async function lookAt(path: string, binding: Binding, note: (text: string) => void): Promise<LookedAt> {
  try {
    const recording = await openUnchanged(path)
    const exchanges = recording.exchanges({ onProblem: ({ message }) => note(message) })
    const scan = await scanRecording(exchanges, binding.operations.values())
    const { distilled } = recording.about ?? {}
    if (distilled !== undefined) note(DISTILLED)
    if (scan.exchanges === 0) throw new RecordingError(`${path} holds no exchange`)
    return { recording, scan }
  } catch (thrown) {
    if (!(thrown instanceof RecordingError)) throw thrown
    throw new UsageError({ where: '', what: thrown.message, hint: '`assay fixtures repair` says what can be saved' })
  }
}

const FIELDS: Readonly<Record<CredentialScheme, string>> = {
  'access-token': 'credentials.accessToken',
  'service-key': 'credentials.serviceKey',
  'enterprise-key': 'credentials.enterpriseServiceKey',
  'ingestion-key': 'credentials.ingestionKey',
  iam: 'credentials.iam',
}

/** @throws UsageError */
export function requireSecrets({ schemes }: Scan, config: TargetConfig): void {
  const given = secretsByScheme(config.credentials ?? {})
  const missing = [...schemes].filter((scheme) => !given.has(scheme))
  if (missing.length === 0) return
  throw new UsageError({
    where: 'the configuration',
    what: `lacks ${missing.map((scheme) => FIELDS[scheme]).join(', ')}, which requests of the recording carried`,
    hint: 'a recording holds no secrets; the target needs its own',
  })
}

/** The configured secret of each scheme; two schemes may have the same. */
export function secretsByScheme(credentials: Credentials): Map<CredentialScheme, string> {
  const all: Readonly<Record<CredentialScheme, string | undefined>> = {
    'access-token': credentials.accessToken,
    'service-key': credentials.serviceKey,
    'enterprise-key': credentials.enterpriseServiceKey,
    'ingestion-key': credentials.ingestionKey,
    iam: credentials.iam?.token,
  }
  return new Map(
    Object.entries(all).flatMap(([scheme, secret]) =>
      secret === undefined ? [] : [[scheme as CredentialScheme, secret] as const],
    ),
  )
}
