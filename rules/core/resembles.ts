import { isRecord } from './request-rules.ts'

const SECRET = /key|secret|password|token/i
const UNITS = /^(trigger|autoresolve)/i
const MASK = /[*•·…]{3,}|x{5,}|^<?\[?(?:redacted|hidden|masked)\]?>?$/i
const HIDDEN = /key|secret|pass|token|credential|auth|connection|certificate|private/i

/**
 * Whether a read value can stand for the sent one where the text says nothing about how values are kept. Letter case,
 * blanks at the ends, numbers as text, the order of lists, and forms of 'nothing' may differ. Fields may be left out.
 * Secrets may be hidden, and anything in a channel may be masked. In which units channels keep when they trigger is not
 * shown.
 */
export function resembles(read: unknown, sent: unknown): boolean {
  if (isNothing(sent)) return isNothing(read) || read === false
  if (Array.isArray(sent)) return Array.isArray(read) && sameElements(read, sent)
  if (isRecord(sent)) {
    return (
      isRecord(read) &&
      Object.entries(sent).every(
        ([name, value]) =>
          read[name] === undefined || isOpen(name) || isMasked(read[name]) || resembles(read[name], value),
      )
    )
  }
  return !isRecord(read) && !Array.isArray(read) && plain(read) === plain(sent)
}

function isOpen(name: string): boolean {
  return SECRET.test(name) || UNITS.test(name)
}

/** Addresses of channels let somebody in as well: what looks like a mask hides one. */
function isMasked(read: unknown): boolean {
  return typeof read === 'string' && MASK.test(read)
}

const DIGEST = /^(?:[a-z0-9]+[:-])?(?:[0-9a-f]{2}:?){8,}$/i

/** Whether a text can stand for a secret that is not shown: a mask, a digest, the id of another thing, or nothing. */
export function isStandIn(text: string): boolean {
  return text === '' || MASK.test(text) || DIGEST.test(text.replaceAll('-', ''))
}

/** Whether a field of this name may hold a secret, which a read need not show. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name)
}

/** Whether a part of a configuration of this name may be hidden, or shown in another form, since it lets somebody in. */
export function mayBeHidden(name: string): boolean {
  return HIDDEN.test(name)
}

function sameElements(read: readonly unknown[], sent: readonly unknown[]): boolean {
  if (sent.some((element) => typeof element === 'object' && element !== null)) {
    const fits = sent.map((element) => read.flatMap((other, index) => (resembles(other, element) ? [index] : [])))
    return read.length === sent.length && canPair(fits)
  }
  const words = new Set(read.map(plain))
  return sent.every((element) => words.has(plain(element))) && words.size === new Set(sent.map(plain)).size
}

function plain(value: unknown): string {
  return String(value).trim().toLowerCase()
}

/** null, and what is empty. */
export function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/**
 * Whether everybody can have a partner of their own. `fits`: of each one, the partners that it can have, by number.
 * Augmenting paths: as many looks as there are people times what fits.
 */
export function canPair(fits: readonly (readonly number[])[]): boolean {
  const takenBy = new Map<number, number>()

  function seat(one: number, tried: Set<number>): boolean {
    for (const partner of fits[one] ?? []) {
      if (tried.has(partner)) continue
      tried.add(partner)
      const holder = takenBy.get(partner)
      if (holder !== undefined && !seat(holder, tried)) continue
      takenBy.set(partner, one)
      return true
    }
    return false
  }

  return fits.every((_, one) => seat(one, new Set()))
}
