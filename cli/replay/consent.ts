import type { Scan } from '../../fixtures/replay/scan.ts'
import type { Step } from '../../fixtures/replay/schedule.ts'
import type { Consent } from '../../schemas/types/config.ts'
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

/** Names that assay gives, and addresses made of them. */
const OWN = /assay-/

/**
 * Why a request must not be sent to a target that assay did not start itself: what acts on the whole account, and the
 * removal of what the replay did not make, need their own consent.
 */
export function refusal(step: Step, made: (value: string) => boolean, consent: Consent): string | undefined {
  const { operation, path, writes } = step.touches
  if (!writes) return undefined
  const id = operation?.id ?? ''
  if (/exclusion/.test(id) && consent.exclusions !== true) return 'no consent: consent.exclusions'
  if (/suspen|resume/.test(id) && consent.suspend !== true) return 'no consent: consent.suspend'
  if (/archiving/.test(id) && consent.archiving !== true) return 'no consent: consent.archiving'
  if (step.exchange.request.method !== 'DELETE') return undefined
  const names = path.split('/').map(decoded)
  if (names.some((name) => OWN.test(name) || made(name))) return undefined
  const { status } = step.exchange.response
  // The owner cannot be removed, and a faulty target would do it (section 'Errors').
  if (id === 'delete-member' && status !== 404 && status >= 400 && ![401, 403].includes(status)) {
    return consent.allowOwnerDeletion === true ? undefined : 'no consent: consent.allowOwnerDeletion'
  }
  if (status < 200 || status >= 300 || consent.deleteListedResources === true) return undefined
  return 'no consent: consent.deleteListedResources (it removes what the replay did not make)'
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
