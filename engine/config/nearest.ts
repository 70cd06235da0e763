import { distance } from 'fastest-levenshtein'

const MOST_ALIKE = 3

/** The known names most like `name`, the nearest first. Case does not count. `always`: so many even where none is alike. */
export function nearest(name: string, known: Iterable<string>, always?: number): string[] {
  const wanted = name.toLowerCase()
  const limit = wanted.length < 4 ? 1 : Math.max(2, Math.floor(wanted.length * 0.4))
  const scored = [...new Set(known)].map((candidate) => {
    const other = candidate.toLowerCase()
    const within = wanted.length > 2 && (other.includes(wanted) || wanted.includes(other))
    const away = distance(wanted, other)
    return { candidate, away, alike: within || away <= limit }
  })
  return scored
    .filter(({ alike }) => alike || always !== undefined)
    .sort((a, b) => Number(b.alike) - Number(a.alike) || a.away - b.away || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, always ?? MOST_ALIKE)
    .map(({ candidate }) => candidate)
}

/** `did you mean a, b or c?`, or `otherwise` where nothing is alike. */
export function didYouMean(name: string, known: Iterable<string>, otherwise: string): string {
  const names = nearest(name, known)
  return names.length === 0 ? otherwise : `did you mean ${listed(names, 'or')}?`
}

/** `a, b or c` */
export function listed(names: readonly string[], word: 'and' | 'or'): string {
  if (names.length < 2) return names.join('')
  return `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`
}
