import type { Step } from '../../fixtures/replay/plan/doubts.ts'
import type { Scan } from '../../fixtures/replay/plan/scan.ts'
import type { AboutToSend } from '../../fixtures/replay/sender.ts'
import type { Consent, Credentials, TargetConfig } from '../../schemas/types/config.ts'
import type { CredentialScheme } from '../../schemas/types/exchange.ts'
import { percentDecoded, unclearIn } from '../../schemas/url.ts'
import { FIELDS, secretOf } from '../../suites/request/credentials.ts'
import { UsageError } from '../errors.ts'

const MOST_NAMES = 12

/** Refuses to change a target that assay did not start itself without a word of consent. @throws UsageError */
export function requireReplayConsent({ changing }: Scan, consented: boolean, baseUrl: string): void {
  if (consented || changing.size === 0) return
  const names = [...changing].sort((a, b) => b[1] - a[1]).map(([name, count]) => `${count} ${name}`)
  const more = names.length > MOST_NAMES ? `, and ${names.length - MOST_NAMES} more kinds` : ''
  throw new UsageError({
    where: baseUrl,
    what: `the replay would send requests that change it: ${names.slice(0, MOST_NAMES).join(', ')}${more}`,
    hint: 'agree with --yes-modify-target, or with consent.modifyTarget in the configuration',
  })
}

const NOBODY: ReadonlySet<string> = new Set()

/** Whether what a path of the target names, or what that lies in, is the replay's own. */
export type Made = (path: string) => boolean

/**
 * Why a request must not be sent to a target that assay did not start itself. Acting on the whole account needs its own
 * consent. So does removing what the replay did not make. `sent`: its path and query on the target. `owners`: what the
 * account's owner is called, in small letters: a target may take the address in any case.
 */
export function refusal(
  { dependencies: { operation, writes } }: Step,
  sent: AboutToSend,
  made: Made,
  consent: Consent,
  owners: ReadonlySet<string> = NOBODY,
): string | undefined {
  if (!writes) return undefined
  const unclear = unclearIn(sent.path)
  if (unclear !== undefined) return `its path holds ${unclear}: servers differ in what it names`
  const id = operation?.id ?? ''
  const asked = sent.path.split('?')[0] ?? ''
  // An operation outside the binding acts on the whole account too. A recording may carry a binding that renames it, so
  // its path counts as well.
  const names = `${id} ${percentDecoded(asked).toLowerCase()}`
  if (/exclusion/.test(names) && consent.exclusions !== true) return 'no consent: consent.exclusions'
  if (/suspen|resume/.test(names) && consent.suspend !== true) return 'no consent: consent.suspend'
  if (/archiv/.test(names) && consent.archiving !== true) return 'no consent: consent.archiving'
  // A suspension is always taken back: the consent above is for that.
  if (sent.method !== 'DELETE' || /suspen|resume/.test(names)) return undefined
  // The owner cannot be removed, and a faulty target would do it (section 'Errors').
  if (id === 'delete-member' && asked.split('/').some((name) => owners.has(percentDecoded(name).toLowerCase()))) {
    return consent.allowOwnerDeletion === true ? undefined : 'no consent: consent.allowOwnerDeletion'
  }
  if (made(asked)) return undefined
  // What was refused when it was recorded need not be refused again: the recorded status is no consent.
  if (consent.deleteListedResources === true) return undefined
  return 'no consent: consent.deleteListedResources (it would remove what the replay did not make)'
}

/** @throws UsageError */
export function requireSecrets({ schemes }: Scan, config: TargetConfig): void {
  const given = secretsByScheme(config.credentials ?? {})
  const missing = [...schemes].filter((scheme) => !given.has(scheme))
  if (missing.length === 0) return
  throw new UsageError({
    where: 'the configuration',
    what: `lacks ${missing.map((scheme) => `credentials.${FIELDS[scheme]}`).join(', ')}, which recorded requests had`,
    hint: 'a recording holds no secrets: put those of the target into a configuration (`assay init` writes one), and pass it with --config',
  })
}

/** The configured secret of each scheme; two schemes may have the same. */
export function secretsByScheme(credentials: Credentials): Map<CredentialScheme, string> {
  return new Map(
    (Object.keys(FIELDS) as CredentialScheme[]).flatMap((scheme) => {
      const secret = secretOf(credentials, scheme)
      return secret === undefined ? [] : [[scheme, secret] as const]
    }),
  )
}
