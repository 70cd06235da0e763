/** A table that is asked for names from outside: it has no names but its own, and so none such as `constructor`. */
export function table<T>(entries: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.assign(Object.create(null), entries)
}
