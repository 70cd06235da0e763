/** Takes an option that may be given several times. Unlike one that takes all words behind it, it leaves arguments alone. */
export function inList(word: string, before: readonly string[] = []): readonly string[] {
  return [...before, word]
}
