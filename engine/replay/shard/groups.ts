import { type Analysis, isName } from '../../../fixtures/replay/plan/analysis.ts'
import { type Dependencies, LINES } from '../../../fixtures/replay/plan/dependencies.ts'
import { madeUpIn } from '../../../fixtures/replay/values/tokens.ts'
import { jsonIn } from '../../../schemas/json.ts'
import { at } from '../../../schemas/pointer.ts'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { percentDecoded } from '../../../schemas/url.ts'

/** Cases that are remembered because they saw an id that no creation told. */
const MOST_SHOWN = 64
const ALONE = 'alone'
const SUSPENDS = /suspen|resume/

/**
 * Groups exchanges that have to be sent together: those of one case, of one address, or of one host's log lines.
 * Exchanges that use an id join the one that gave it. Where a client changes which lines the account takes, all that
 * has to do with lines is one group; a case does so for itself. Memory grows with the number of ids.
 */
export class Groups {
  readonly #places = new Map<string, number>()
  readonly #parents: number[] = []
  /** id -> what made it, or else what was shown it, the first first */
  readonly #givers = new Map<string, { readonly places: number[]; readonly made: boolean }>()
  /** id -> who used it before anybody was seen to be given it, as happens where segments overlap */
  readonly #waiting = new Map<string, number>()
  /** type and name -> what made it without being told its id */
  readonly #makers = new Map<string, number>()
  /** id that only lists tell -> the name that it was made under, and what was shown it */
  readonly #byList = new Map<string, { readonly label: string; readonly places: number[] }>()
  /** exchanges whose answer is shown in part and kept as a whole: it may tell more than is seen here */
  readonly #cut = new Set<number>()
  /** all that has to do with lines; undefined as soon as they are one group */
  #lines: Set<number> | undefined = new Set()

  /** Takes exchanges in the order written, and tells a number by which their group can be asked for later. */
  see(analysis: Analysis): number {
    const { exchange, dependencies, makes } = analysis
    const { method } = exchange.request
    const used = usedBy(exchange, dependencies)
    const [own = '', ...others] = namesOf(analysis, used)
    const place = this.#placeOf(own)
    for (const name of others) this.#unite(place, this.#placeOf(name))
    for (const id of used) this.#seeUsed(place, id)
    this.#seeLines(place, dependencies, exchange._case !== undefined)
    const { _cut, _body } = exchange.response.content
    if (_cut === true && _body !== undefined) this.#cut.add(place)
    if (makes !== undefined) this.#makers.set(makes, place)
    const made = method === 'POST' || method === 'PUT'
    for (const id of givenBy(analysis)) if (!used.has(id)) this.#seeGiven(place, id, made)
    this.#seeList(place, analysis)
    return place
  }

  /** The number that all of a group have in common; to be asked when every exchange has been seen. */
  groupOf(number: number): number {
    return this.#root(number)
  }

  /** The same, of an exchange that was seen. */
  of(analysis: Analysis): number {
    const [own = ''] = namesOf(analysis, usedBy(analysis.exchange, analysis.dependencies))
    return this.#root(this.#placeOf(own))
  }

  /** The group that stops the lines of the whole account for a while. */
  alone(): number {
    return this.#root(this.#placeOf(ALONE))
  }

  #seeUsed(place: number, id: string): void {
    const giver = this.#givers.get(id)
    if (this.#byList.has(id) && giver?.made !== true) {
      this.#seeListed(place, id)
      return
    }
    const { places = [] } = giver ?? {}
    const [first] = places
    if (first === undefined) this.#waiting.set(id, place)
    else if (!places.includes(place) && !(giver?.made === false && this.#cut.has(place))) this.#unite(place, first)
  }

  #seeGiven(place: number, id: string, made: boolean): void {
    const giver = this.#givers.get(id)
    const user = made ? this.#waiting.get(id) : undefined
    if (user !== undefined) this.#unite(user, place)
    if (giver === undefined || (made && !giver.made)) this.#givers.set(id, { places: [place], made })
    else if (!giver.made) addPlace(giver.places, place)
  }

  #seeList(place: number, { lists }: Analysis): void {
    for (const [id, label] of lists) {
      const listed = this.#byList.get(id) ?? { label, places: [] }
      this.#byList.set(id, listed)
      addPlace(listed.places, place)
    }
  }

  #placeOf(name: string): number {
    const known = this.#places.get(name)
    if (known !== undefined) return known
    const place = this.#parents.length
    this.#parents.push(place)
    this.#places.set(name, place)
    return place
  }

  #root(place: number): number {
    let top = place
    for (let above = this.#parents[top]; above !== undefined && above !== top; above = this.#parents[top]) top = above
    for (let next = place; next !== top; ) {
      const above = this.#parents[next] ?? top
      this.#parents[next] = top
      next = above
    }
    return top
  }

  /** The place that came first stays the root: the same recording always gives the same numbers. */
  #unite(a: number, b: number): void {
    const [first, second] = [this.#root(a), this.#root(b)]
    this.#parents[Math.max(first, second)] = Math.min(first, second)
  }

  #seeLines(place: number, { things, operation }: Dependencies, isCase: boolean): void {
    if (SUSPENDS.test(operation?.id ?? '')) this.#unite(place, this.#placeOf(ALONE))
    const mode = isCase ? undefined : things.get(LINES)
    if (mode === undefined) return
    const all = this.#placeOf(LINES)
    if (this.#lines === undefined) this.#unite(place, all)
    else if (mode !== 'own') this.#lines.add(place)
    else {
      for (const other of this.#lines) this.#unite(other, all)
      this.#unite(place, all)
      this.#lines = undefined
    }
  }

  /** Who uses what only a list tells goes with who made it, and with a list that shows it. */
  #seeListed(place: number, id: string): void {
    const { label = '', places = [] } = this.#byList.get(id) ?? {}
    const maker = this.#makers.get(label)
    if (maker !== undefined) this.#unite(place, maker)
    const [first] = places
    if (first !== undefined && !places.some((one) => this.#root(one) === this.#root(place))) this.#unite(place, first)
  }
}

function addPlace(places: number[], place: number): void {
  if (places.length < MOST_SHOWN && !places.includes(place)) places.push(place)
}

/** Ids that an answer tells, and things that a request makes under a known name. */
function givenBy({ exchange: { request, response }, dependencies }: Analysis): Set<string> {
  const given = madeUpIn(response.content.text ?? '')
  // who is made under an address is known by it from then on
  if (request.method === 'POST') for (const address of addressesIn(request.postData?.text ?? '')) given.add(address)
  for (const tell of dependencies.tells) if (isName(tell)) given.add(tell)
  return given
}

/** What an exchange belongs to. A case is alone: that two of them use an id that nobody gave them says nothing. */
function namesOf({ exchange, dependencies, single }: Analysis, used: ReadonlySet<string>): string[] {
  const { path, things } = dependencies
  if (exchange._case !== undefined) return [`case ${exchange._case}`]
  if (single !== undefined) return [`one ${single}`]
  const names = [...used].map((id) => `#${id}`)
  if (exchange.request.method === 'POST') names.push(...madeBy(exchange, dependencies, used))
  for (const name of things.keys()) if (name.startsWith(`${LINES} `)) names.push(name)
  return names.length > 0 ? names : [things.has(LINES) ? LINES : path]
}

/** Names of what a request makes: by the target's word, by what its answer shows anew, or by the address that was sent. */
function madeBy(exchange: Exchange, { operation, path }: Dependencies, used: ReadonlySet<string>): string[] {
  const answer = exchange.response.content.text ?? ''
  const id = operation?.answer.id === undefined ? undefined : at(jsonIn(answer), operation.answer.id)
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
function usedBy({ request }: Exchange, dependencies: Dependencies): Set<string> {
  const url = percentDecoded(request.url.slice(request.url.indexOf('//') + 2))
  const used = madeUpIn(`${url} ${request.postData?.text ?? ''}`)
  for (const address of addressesIn(url)) used.add(address)
  for (const use of dependencies.uses) if (isName(use)) used.add(use)
  return used
}
