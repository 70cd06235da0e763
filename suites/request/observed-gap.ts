import type { Requirement } from '../../schemas/ledger.ts'

/** A gap, the places whose values tell about it, and the labels of those values. */
interface Told {
  readonly gap: string
  readonly at: (operation: string, pointer: string) => boolean
  readonly label: RegExp
}

const isPreset = (operation: string): boolean => operation.endsWith('preset-alert')
const isText = (_: string, pointer: string): boolean => pointer === '/title' || pointer === '/description'

/** The first that fits. */
const TOLD: readonly Told[] = [
  { gap: 'GAP-PRESET-REQUIRED', at: isPreset, label: /^missing$/ },
  // Each would wait for events that an unknown edge does not bring.
  { gap: 'GAP-REQUIRED-FIELDS', at: (_, pointer) => pointer !== '/edge_id', label: /^missing$/ },
  {
    gap: 'GAP-STATEVAR-VALUES',
    at: (operation, pointer) => operation === 'update-state-variables' && pointer.startsWith('/state'),
    label: /./,
  },
  {
    gap: 'GAP-UNKNOWN-FIELDS',
    at: (_, pointer) => pointer === '' || pointer === '/channels/0',
    label: /^with a field/,
  },
  // Very long names are left out: every list of preset alerts would carry them.
  {
    gap: 'GAP-PRESET-VALUES',
    at: (operation, pointer) => isPreset(operation) && /\/(integration|operator)$/.test(pointer),
    label: /^(?!length \d{4,})/,
  },
  {
    gap: 'GAP-ROUTE-TEXT-BOUNDS',
    at: (operation, pointer) => operation === 'update-gateway-route' && isText(operation, pointer),
    label: /^(empty text|angle brackets|length \d)/,
  },
  {
    gap: 'GAP-GROUP-DESCRIPTION-PATTERN',
    at: (operation, pointer) => operation === 'create-group-from-pipeline' && pointer === '/description',
    label: /^angle brackets/,
  },
  { gap: 'GAP-LENGTH-UNIT', at: (_, pointer) => pointer === '/title', label: /^\d+ emoji/ },
  { gap: 'GAP-CONTROL-CHARACTERS', at: isText, label: /U\+0000|^a tab|newline|carriage return|escape|DEL/ },
  { gap: 'GAP-TEXT-MAXIMUM', at: (_, pointer) => pointer === '/description', label: /^length \d{4,}/ },
]

/** The gap under which the answer to an observed value is noted; undefined where no gap is about it. */
export function observedGap(
  operation: string,
  pointer: string,
  label: string,
  ledger: ReadonlyMap<string, Requirement>,
): string | undefined {
  return TOLD.find(
    ({ gap, at, label: labels }) => isAbout(gap, operation, ledger) && at(operation, pointer) && labels.test(label),
  )?.gap
}

/** Values that no gap asks about, and that a server may break on all the same. */
const ODD = /emoji|control|U\+0000|^a tab|newline|DEL|^missing$|^length \d{4,}/

/** Whether a value that no gap asks about is sent: what breaks a server is shown, whatever the text says about it. */
export function isWorthSending(operation: string, pointer: string, label: string): boolean {
  if (pointer === '/edge_id') return false
  if (isPreset(operation)) return !/^length \d{4,}/.test(label)
  return pointer === '/generation_id' || ODD.test(label)
}

function isAbout(gap: string, operation: string, ledger: ReadonlyMap<string, Requirement>): boolean {
  return ledger.get(gap)?.operations.includes(operation) === true
}
