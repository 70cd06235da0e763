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
