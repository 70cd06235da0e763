const LONGEST = 200

/** A value as a person reads it in a finding; long ones are cut and their length is said. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length} characters)` : text
}
