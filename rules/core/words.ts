/** A type of resource as a reader calls it: 'enterprise key'. */
export function inWords(type: string): string {
  return type.replaceAll('-', ' ')
}

/** The same with its article: 'an enterprise key'. */
export function oneOf(type: string): string {
  return `${/^[aeio]/.test(type) ? 'an' : 'a'} ${inWords(type)}`
}
