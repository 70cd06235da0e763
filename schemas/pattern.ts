/** The source of a regular expression that matches a text literally, in a class as well, with any flags. */
export function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replaceAll('-', '\\x2d')
}
