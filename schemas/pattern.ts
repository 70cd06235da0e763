/** The source of a regular expression that matches a text as it stands, in a class as well, whatever the flags. */
export function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replaceAll('-', '\\x2d')
}
