import { invalid } from '../core/refusal.ts'
import type { Kind } from '../core/things.ts'
import type { NewLine } from '../model/lines.ts'
import { type State, things } from '../model/state.ts'

/** A test of a line, stored or about to be. */
export type LineTest = (line: NewLine) => boolean

/** What an exclusion rule selects by. */
interface Selectors {
  readonly apps: readonly string[]
  readonly hosts: readonly string[]
  readonly query: string
  readonly active: boolean
}

/** A rule that selects by nothing would drop every line. */
export const exclusionKind: Kind = {
  fields: { title: '', apps: [], hosts: [], query: '', active: false, indexonly: true },
  settled(body) {
    const { apps, hosts, query } = body as unknown as Selectors
    if (apps.length === 0 && hosts.length === 0 && query === '')
      throw invalid('', 'must name at least one of apps, hosts and query')
    return body
  },
}

/** Tells which new lines the rules drop: those that all the selectors of one active rule match (rule 12). */
export function excludes(state: State): LineTest {
  const rules = [...things(state, 'exclusion').values()].map(({ body }) => body as unknown as Selectors)
  const tests = rules
    .filter(({ active }) => active)
    .map(({ apps, hosts, query }): LineTest => {
      const matches = searched(query)
      return (line) =>
        (apps.length === 0 || apps.includes(line.app)) &&
        (hosts.length === 0 || hosts.includes(line.host)) &&
        matches(line)
    })
  return (line) => tests.some((drops) => drops(line))
}

/**
 * A search: words and "phrases" that the text of a line contains, in whatever case; `host:`, `app:` and `level:` with
 * the whole value. All of them have to match.
 */
export function searched(query: string): LineTest {
  const terms = [...query.matchAll(/(?:(host|app|level):)?(?:"([^"]*)"|(\S+))/g)].map(
    ([, field, phrase, word = '']) => ({
      field: field as 'host' | 'app' | 'level' | undefined,
      text: (phrase ?? word).toLowerCase(),
    }),
  )
  return (line) =>
    terms.every(({ field, text }) =>
      field === undefined ? line.line.toLowerCase().includes(text) : line[field].toLowerCase() === text,
    )
}
