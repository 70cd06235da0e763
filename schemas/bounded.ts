/**
 * Forgets the oldest entries of a map or a set that holds more than `most`. To be called after each entry that is added.
 * A map keeps deleted entries until it is made anew, and each search for the oldest entry walks over them. So deleting
 * one at a time costs twenty times as much as deleting some. `few`: so many are left then.
 */
export function forgetOldest(
  entries: Pick<Map<unknown, unknown> | Set<unknown>, 'size'> & {
    keys(): Iterable<unknown>
    delete(key: never): boolean
  },
  most: number,
  few: number = most - (most >> 5),
): void {
  if (entries.size <= most) return
  for (const key of entries.keys()) {
    entries.delete(key as never)
    if (entries.size <= few) return
  }
}

/** Adds to a set that holds at most so many. */
export function addBounded<T>(set: Set<T>, value: T, most: number): void {
  set.add(value)
  forgetOldest(set, most)
}

/** Sets in a map that holds at most so many; `few`: so many are left where there are more. */
export function setBounded<K, V>(map: Map<K, V>, key: K, value: V, most: number, few?: number): void {
  map.set(key, value)
  forgetOldest(map, most, few)
}
