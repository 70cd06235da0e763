import type { Requirement } from '../../schemas/ledger.ts'

/** label of an observed value -> the gap that it tells about; the first that fits */
const BY_LABEL: readonly (readonly [RegExp, string])[] = [
  [/^missing/, 'GAP-REQUIRED-FIELDS'],
  [/extra|unknown field/, 'GAP-UNKNOWN-FIELDS'],
  [/UTF-16|code point|emoji|beyond the BMP/i, 'GAP-LENGTH-UNIT'],
  [/control|U\+0000|tab|newline|DEL|null character/i, 'GAP-CONTROL-CHARACTERS'],
  [/000 characters|very long|length \d{4,}/, 'GAP-TEXT-MAXIMUM'],
]

/** The gap under which the answer to an observed value is noted; undefined where no gap is about it. */
export function observedGap(
  operation: string,
  pointer: string,
  label: string,
  ledger: ReadonlyMap<string, Requirement>,
): string | undefined {
  const gap = gapOf(operation, pointer, label)
  return gap !== undefined && ledger.has(gap) ? gap : undefined
}

/** Very long names are left out: every list of preset alerts would carry them. */
function presetGap(label: string): string | undefined {
  if (/length \d{4,}/.test(label)) return undefined
  return label.startsWith('missing') ? 'GAP-PRESET-REQUIRED' : 'GAP-PRESET-VALUES'
}

function gapOf(operation: string, pointer: string, label: string): string | undefined {
  if (operation.endsWith('preset-alert')) return presetGap(label)
  if (operation === 'update-gateway-route' && pointer !== '') return 'GAP-ROUTE-TEXT-BOUNDS'
  if (operation === 'update-state-variables' && pointer.startsWith('/state')) return 'GAP-STATEVAR-VALUES'
  if (operation === 'create-group-from-pipeline' && pointer === '/description') return 'GAP-GROUP-DESCRIPTION-PATTERN'
  // Each would wait for events that an unknown edge does not bring.
  if (pointer === '/edge_id') return undefined
  if (pointer === '/generation_id') return 'GAP-STALE-GENERATION'
  return BY_LABEL.find(([pattern]) => pattern.test(label))?.[1]
}
