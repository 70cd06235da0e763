import type { Requirement } from '../../schemas/ledger.ts'

/** A gap, the places whose values tell about it, and their labels. Its operations are in the ledger. The first that fits. */
const TOLD: readonly (readonly [gap: string, at: RegExp, label: RegExp])[] = [
  ['GAP-PRESET-REQUIRED', /^/, /^missing$/],
  // Each would wait for events that an unknown edge does not bring.
  ['GAP-REQUIRED-FIELDS', /^(?!\/edge_id$)/, /^missing$/],
  ['GAP-STATEVAR-VALUES', /^\/state/, /./],
  ['GAP-UNKNOWN-FIELDS', /^(\/channels\/0)?$/, /^with a field/],
  // Very long names are left out: every list of preset alerts would carry them.
  ['GAP-PRESET-VALUES', /\/(integration|operator)$/, /^(?!length \d{4,})/],
  ['GAP-ROUTE-TEXT-BOUNDS', /^\/(title|description)$/, /^(empty text|angle brackets|length \d)/],
  ['GAP-GROUP-DESCRIPTION-PATTERN', /^\/description$/, /^angle brackets/],
  ['GAP-LENGTH-UNIT', /^\/title$/, /^\d+ emoji/],
  ['GAP-CONTROL-CHARACTERS', /^\/(title|description)$/, /U\+0000|^a tab|newline|carriage return|escape|DEL/],
  ['GAP-TEXT-MAXIMUM', /^\/description$/, /^length \d{4,}/],
]

/** The gap under which the answer to an observed value is noted; undefined where no gap is about it. */
export function observedGap(
  operation: string,
  pointer: string,
  label: string,
  ledger: ReadonlyMap<string, Requirement>,
): string | undefined {
  const isAbout = (gap: string): boolean => ledger.get(gap)?.operations.includes(operation) === true
  return TOLD.find(([gap, place, labels]) => isAbout(gap) && place.test(pointer) && labels.test(label))?.[0]
}

/** Values that no gap asks about, and that a server may break on all the same. */
const ODD = /emoji|control|U\+0000|^a tab|newline|DEL|^missing$|^length \d{4,}/

/** Whether a value that no gap asks about is sent: what breaks a server is shown, whatever the text says about it. */
export function isWorthSending(operation: string, pointer: string, label: string): boolean {
  if (pointer === '/edge_id') return false
  if (operation.endsWith('preset-alert')) return !/^length \d{4,}/.test(label)
  return pointer === '/generation_id' || ODD.test(label)
}
