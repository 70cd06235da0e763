import { isName, type Sight } from '../../../fixtures/replay/named/sight.ts'
import { madeUpIn } from '../../../fixtures/replay/tokens.ts'
import { LINES, type Touches } from '../../../fixtures/replay/touches.ts'
import { percentDecoded } from '../../../schemas/percent.ts'
import { at } from '../../../schemas/pointer.ts'
import type { Exchange } from '../../../schemas/types/exchange.ts'

/**
 * Puts exchanges that have to be sent together into groups: those of one case, those that use an id together with the
 * one whose answer gave it, those of one address, and those of one host's log lines. Where a client changes which lines the
 * account takes, all that has to do with lines is one group; a case does so for itself. Memory grows with the number of ids.
 */
export interface Groups {
  /** Takes exchanges in the order written, and tells a number by which their group can be asked for later. */
  see(sight: Sight): number
  /** The number that all of a group have in common; to be asked when every exchange has been seen. */
  groupOf(number: number): number
  /** The same, of an exchange that was seen. */
  of(sight: Sight): number
  /** The group that stops the lines of the whole account for a while. */
  readonly alone: () => number
}

/** Cases that are remembered to have been shown an id that nobody was told when it was made. */
const MOST_SHOWN = 64
const ALONE = 'alone'
const SUSPENDS = /suspen|resume/

export function createGroups(): Groups {
  const places = new Map<string, number>()
  const parents: number[] = []
  /** id -> what made it, or else what was shown it, the first first */
  const givers = new Map<string, { readonly places: number[]; readonly made: boolean }>()
  /** id -> who used it before anybody was seen to be given it, as happens where segments overlap */
  const waiting = new Map<string, number>()
  /** type and name -> what made it without being told its id */
  const makers = new Map<string, number>()
  /** id that only lists tell -> the name that it was made under, and what was shown it */
  const byList = new Map<string, { readonly label: string; readonly places: number[] }>()
  /** what had an answer that is shown in part and kept as a whole: it may have been told of more than is seen here */
  const cut = new Set<number>()
  /** all that has to do with lines; undefined as soon as they are one group */
  let lines: Set<number> | undefined = new Set()

  function placeOf(name: string): number {
    const known = places.get(name)
    if (known !== undefined) return known
    const place = parents.length
    parents.push(place)
    places.set(name, place)
    return place
  }

  function root(place: number): number {
    let top = place
    for (let above = parents[top]; above !== undefined && above !== top; above = parents[top]) top = above
    for (let next = place; next !== top; ) {
      const above = parents[next] ?? top
      parents[next] = top
      next = above
    }
    return top
  }

  /** The place that came first stays the root: the same recording always gives the same numbers. */
  function unite(a: number, b: number): void {
    const [first, second] = [root(a), root(b)]
    parents[Math.max(first, second)] = Math.min(first, second)
  }

  function seeLines(place: number, { things, operation }: Touches, isCase: boolean): void {
    if (SUSPENDS.test(operation?.id ?? '')) unite(place, placeOf(ALONE))
    const mode = isCase ? undefined : things.get(LINES)
    if (mode === undefined) return
    const all = placeOf(LINES)
    if (lines === undefined) unite(place, all)
    else if (mode !== 'own') lines.add(place)
    else {
      for (const other of lines) unite(other, all)
      unite(place, all)
      lines = undefined
    }
  }

  /** Who uses what only a list tells goes with who made it, and with a list that shows it. */
  function seeListed(place: number, id: string): void {
    const { label = '', places = [] } = byList.get(id) ?? {}
    const maker = makers.get(label)
    if (maker !== undefined) unite(place, maker)
    const [first] = places
    if (first !== undefined && !places.some((one) => root(one) === root(place))) unite(place, first)
  }

  return {
    see(sight) {
      const { exchange, touches, makes, lists } = sight
      const { method } = exchange.request
      const used = usedBy(exchange, touches)
      const [own = '', ...others] = namesOf(sight, used)
      const place = placeOf(own)
      for (const name of others) unite(place, placeOf(name))
      for (const id of used) {
        if (byList.has(id) && givers.get(id)?.made !== true) {
          seeListed(place, id)
          continue
        }
        const giver = givers.get(id)
        const { places = [] } = giver ?? {}
        const [first] = places
        if (first === undefined) waiting.set(id, place)
        else if (!places.includes(place) && !(giver?.made === false && cut.has(place))) unite(place, first)
      }
      seeLines(place, touches, exchange._case !== undefined)
      const made = method === 'POST' || method === 'PUT'
      const { _cut, _body } = exchange.response.content
      if (_cut === true && _body !== undefined) cut.add(place)
      const given = madeUpIn(exchange.response.content.text ?? '')
      // who is made under an address is known by it from then on
      if (method === 'POST')
        for (const address of addressesIn(exchange.request.postData?.text ?? '')) given.add(address)
      for (const tell of touches.tells) if (isName(tell)) given.add(tell)
      if (makes !== undefined) makers.set(makes, place)
      for (const id of given) {
        if (used.has(id)) continue
        const giver = givers.get(id)
        const user = made ? waiting.get(id) : undefined
        if (user !== undefined) unite(user, place)
        if (giver === undefined || (made && !giver.made)) givers.set(id, { places: [place], made })
        else if (!giver.made && giver.places.length < MOST_SHOWN && !giver.places.includes(place))
          giver.places.push(place)
      }
      for (const [id, label] of lists) {
        const listed = byList.get(id) ?? { label, places: [] }
        byList.set(id, listed)
        if (listed.places.length < MOST_SHOWN && !listed.places.includes(place)) listed.places.push(place)
      }
      return place
    },
    groupOf: root,
    alone: () => root(placeOf(ALONE)),
    of: (sight) => root(placeOf(namesOf(sight, usedBy(sight.exchange, sight.touches))[0] ?? '')),
  }
}

/** What an exchange belongs to. A case is alone: that two of them use an id that nobody gave them says nothing. */
function namesOf({ exchange, touches, single }: Sight, used: ReadonlySet<string>): string[] {
  const { path, things } = touches
  if (exchange._case !== undefined) return [`case ${exchange._case}`]
  if (single !== undefined) return [`one ${single}`]
  const names = [...used].map((id) => `#${id}`)
  if (exchange.request.method === 'POST') names.push(...madeBy(exchange, touches, used))
  for (const name of things.keys()) if (name.startsWith(`${LINES} `)) names.push(name)
  return names.length > 0 ? names : [things.has(LINES) ? LINES : path]
}

/** Names of what a request makes: by the target's word, by what its answer shows anew, or by the address that was sent. */
function madeBy(exchange: Exchange, { operation, path }: Touches, used: ReadonlySet<string>): string[] {
  const answer = exchange.response.content.text ?? ''
  const id = operation?.answer.id === undefined ? undefined : at(parsed(answer), operation.answer.id)
  // short ids and numbers mean something in their list only
  if (typeof id === 'string' || typeof id === 'number') return [`${path}/${id}`]
  const fresh = [...madeUpIn(answer)].filter((one) => !used.has(one))
  const made = fresh.length > 0 || used.size > 0 ? fresh : addressesIn(exchange.request.postData?.text ?? '')
  return made.map((one) => `#${one}`)
}

/** Looked for from their signs: a pattern for all of one takes for ever in a long run of letters. */
function addressesIn(text: string): string[] {
  const found: string[] = []
  for (let sign = text.indexOf('@'); sign >= 0; sign = text.indexOf('@', sign + 1)) {
    const before = BEFORE.exec(text.slice(Math.max(0, sign - MOST_LOCAL), sign))?.[0]
    const after = AFTER.exec(text.slice(sign + 1, sign + 1 + MOST_DOMAIN))?.[0]
    if (before !== undefined && after !== undefined) found.push(`${before}@${after}`)
  }
  return found
}

const MOST_LOCAL = 64
const MOST_DOMAIN = 255
const BEFORE = /[^\s"'<>/?&=,;:\\@]+$/
const AFTER = /^[^\s"'<>/?&=,;:\\@]+/

/** Ids that a request names, and addresses in its path. */
function usedBy({ request }: Exchange, touches: Touches): Set<string> {
  const url = percentDecoded(request.url.slice(request.url.indexOf('//') + 2))
  const used = madeUpIn(`${url} ${request.postData?.text ?? ''}`)
  for (const address of addressesIn(url)) used.add(address)
  for (const use of touches.uses) if (isName(use)) used.add(use)
  return used
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}
