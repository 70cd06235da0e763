/** A 32-bit seed made of a seed and the names of what it is for (FNV-1a), so that each gets its own values. */
export function seedOf(seed: number, ...names: readonly string[]): number {
  let hash = 0x811c9dc5
  for (const character of `${seed}\n${names.join('\n')}`) {
    hash ^= character.codePointAt(0) ?? 0
    hash = Math.imul(hash, 0x01000193)
  }
  return hash | 0
}
