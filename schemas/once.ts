/**
 * Works something out once for each object, for as long as that is in use. The one of the last question is at hand: most
 * often it is asked about again.
 */
export function oncePer<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>()
  let last: { readonly key: Key; readonly value: Value } | undefined
  return (key) => {
    if (last?.key === key) return last.value
    const { value } = known.get(key) ?? { value: make(key) }
    if (!known.has(key)) known.set(key, { value })
    last = { key, value }
    return value
  }
}

/** Works something out when it is first asked for. */
export function once<Value>(make: () => Value): () => Value {
  let known: { readonly value: Value } | undefined
  return () => {
    known ??= { value: make() }
    return known.value
  }
}
