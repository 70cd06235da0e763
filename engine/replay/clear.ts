import { readJournal } from '../../fixtures/journal.ts'
import type { Binding } from '../../schemas/binding.ts'
import type { Consent, TargetConfig } from '../../schemas/types/config.ts'
import type { Leftover } from '../../suites/resources/cleanup.ts'
import { entriesOf, type JournalEntry, removeEntries } from '../leftovers.ts'

/** Something that a pass made and that is still there. */
export interface Left extends Leftover {
  /** why nobody tried to remove it; undefined: the target did not let it go */
  readonly consent: string | undefined
}

export interface Clearing {
  readonly journal: string
  readonly binding: Binding
  readonly target: TargetConfig
  /** undefined: of a target that assay started itself, which needs none */
  readonly consent: Consent | undefined
  readonly stopped: () => boolean
}

/**
 * Removes what a journal says that a pass made, as `assay cleanup` does, and notes it there; returns what is, or may be,
 * still there. What would touch the whole account is left without the consent that it needs.
 */
export async function clearPass({ journal, binding, target, consent, stopped }: Clearing): Promise<Left[]> {
  const content = readJournal(journal)
  const entries = entriesOf(content)
  const forbidden = entries.flatMap((entry): Left[] => {
    const missing = consent && missingConsent(entry, consent, target)
    return missing === undefined ? [] : [{ ...entry, consent: missing }]
  })
  const allowed = entries.filter(({ key }) => !forbidden.some((one) => 'key' in one && one.key === key))
  if (allowed.length === 0) return forbidden
  const left = await removeEntries(allowed, { journal, content, binding, target, name: 'clear', stopped })
  return [...forbidden, ...left.map((entry) => ({ ...entry, consent: undefined }))]
}

/** Kinds that stand for the account as a whole. */
const CONSENTS: ReadonlyMap<string, 'exclusions' | 'suspend' | 'archiving'> = new Map([
  ['exclusion', 'exclusions'],
  ['suspension', 'suspend'],
  ['archiving', 'archiving'],
])

function missingConsent(
  { type, label, id }: JournalEntry,
  consent: Consent,
  { resources }: TargetConfig,
): string | undefined {
  const needed = CONSENTS.get(type)
  if (needed !== undefined && consent[needed] !== true) return `consent.${needed}`
  const owner = resources?.ownerEmail
  const isOwner = type === 'member' && owner !== undefined && (label === owner || id === owner)
  return isOwner && consent.allowOwnerDeletion !== true ? 'consent.allowOwnerDeletion' : undefined
}

/** Why the second replay does not meet what the first one met. */
export function notCleared(left: readonly Left[]): string {
  const consents = [...new Set(left.flatMap(({ consent }) => consent ?? []))].sort()
  const why = consents.length > 0 ? `no consent: ${consents.join(', ')}` : 'the target did not let them go'
  return `${left.length === 1 ? '1 thing' : `${left.length} things`} that the first replay made could not be removed before the second (${why})`
}
