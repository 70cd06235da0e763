import { distance } from 'fastest-levenshtein'

interface Options {
  /** how many names at most; 3 unless told */
  readonly most?: number
  /** name something even where nothing is alike */
  readonly always?: boolean
}

/** The known names most like `name`, the nearest first; none where none is alike. Case does not count. */
export function nearest(name: string, known: Iterable<string>, { most = 3, always = false }: Options = {}): string[] {
  const wanted = name.toLowerCase()
  const limit = wanted.length < 4 ? 1 : Math.max(2, Math.floor(wanted.length * 0.4))
  const scored = [...new Set(known)].map((candidate) => {
    const other = candidate.toLowerCase()
    const within = wanted.length > 2 && (other.includes(wanted) || wanted.includes(other))
    const away = distance(wanted, other)
    return { candidate, away, alike: within || away <= limit }
  })
  return scored
    .filter(({ alike }) => alike || always)
    .sort((a, b) => Number(b.alike) - Number(a.alike) || a.away - b.away || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, most)
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
