/**
 * Forgets the oldest entries of a map or a set, until it holds at most so many. To be called after each entry that is
 * added. A map of V8 keeps what was taken out until it is made anew, so that a cache that is full all the time takes
 * several out at once: `few` says how many it holds then.
 */
export function forgetOldest(
  entries: Pick<Map<unknown, unknown> | Set<unknown>, 'size'> & {
    keys(): Iterable<unknown>
    delete(key: never): boolean
  },
  most: number,
  few: number = most,
): void {
  if (entries.size <= most) return
  for (const key of entries.keys()) {
    entries.delete(key as never)
    if (entries.size <= few) return
  }
}
