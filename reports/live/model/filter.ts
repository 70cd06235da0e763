import type { Row } from './rows.ts'

/** What a filter asks beside the row itself. */
export interface FilterWorld {
  /** whether a body of the exchange holds the text, as far as the server can tell */
  inBody(text: string, id: string): boolean
  isPinned(id: string): boolean
}

export interface Filter {
  matches(row: Row, world: FilterWorld): boolean
  /** texts that the server has to look for in bodies */
  readonly texts: readonly string[]
}

type Test = (row: Row, world: FilterWorld) => boolean

/** Every key of the language, and what it means; shown as help. */
export const KEYS: readonly (readonly [key: string, example: string, meaning: string])[] = [
  ['method', 'method:post,put', 'the method is one of these'],
  ['path', 'path:/v1/*/keys', 'path and query hold this; * is any text'],
  ['status', 'status:5xx', '404, 4xx, 400-499, >=400, or an outcome such as reset or timeout'],
  ['op', 'op:update-transform', 'the operation holds this'],
  ['req', 'req:NODE-TITLE', 'a broken requirement holds this'],
  ['body', 'body:"a title"', 'a body holds this text; case counts'],
  ['ms', 'ms:>500', 'milliseconds until the response was whole'],
  ['is', 'is:failure', 'finding, failure, warning, unjudged or pinned'],
  ['', 'text', 'method, path, status, operation or requirement hold it, or a body does'],
]

const TERM = /\s*(-?)(?:([A-Za-z]+):)?("(?:[^"\\]|\\.)*"|[^\s"]\S*)?/gy

const UNENDED = 'a text that begins with " has to end with "'

/** Everything of a filter has to hold. A problem is one line. */
export function parseFilter(text: string): Filter | { readonly problem: string } {
  const tests: Test[] = []
  const texts: string[] = []
  TERM.lastIndex = 0
  while (TERM.lastIndex < text.length) {
    const at = TERM.lastIndex
    const [whole = '', not, key = '', given] = TERM.exec(text) ?? []
    if (whole.trim() === '') {
      if (text.slice(at).trim() === '') break
      return { problem: UNENDED }
    }
    if (given === undefined) {
      const isOpen = text[TERM.lastIndex] === '"'
      return { problem: isOpen ? UNENDED : `${whole.trim()} is not finished: name a value` }
    }
    const values = given.startsWith('"') ? [unquoted(given)] : key === '' ? [given] : given.split(',').filter(Boolean)
    const made = testOf(key.toLowerCase(), values)
    if (typeof made === 'string') return { problem: made }
    if (key === '' || key.toLowerCase() === 'body') texts.push(...values)
    tests.push(not === '-' ? (row, world) => !made(row, world) : made)
  }
  return { texts, matches: (row, world) => tests.every((test) => test(row, world)) }
}

function unquoted(text: string): string {
  return text.slice(1, -1).replaceAll(/\\(["\\])/g, '$1')
}

function testOf(key: string, values: readonly string[]): Test | string {
  const each = values.map((value) => makers.get(key)?.(value) ?? `there is no ${key}: in a filter; ${KNOWN}`)
  const problem = each.find((one) => typeof one === 'string')
  if (typeof problem === 'string') return problem
  const tests = each as Test[]
  return tests.length === 1 ? (tests[0] as Test) : (row, world) => tests.some((test) => test(row, world))
}

/** Makes a test of the value of a key, or says what is wrong with the value. */
type Maker = (value: string) => Test | string

const KNOWN = `choose ${KEYS.flatMap(([key]) => key || []).join(', ')}, or put the text in quotes`

const makers: ReadonlyMap<string, Maker> = new Map(
  Object.entries<Maker>({
    method(value) {
      const small = value.toLowerCase()
      return (row) => row.method.toLowerCase() === small
    },
    path: holdingIn(({ path }) => [path]),
    status: statusTest,
    op: holdingIn(({ operation }) => [operation]),
    req: holdingIn(brokenBy),
    body(value) {
      return (row, world) => world.inBody(value, row.id)
    },
    ms(value) {
      const inside = range(value)
      return inside
        ? (row) => inside(row.milliseconds)
        : `ms:${value}: milliseconds are >500, <=10 or 100-200, for instance`
    },
    is: (value) =>
      STATES.get(value.toLowerCase()) ?? `is:${value}: choose finding, failure, warning, unjudged or pinned`,
    ''(value) {
      const holds = holdingIn((row) => [row.path, row.operation, row.method, ...brokenBy(row)])(value)
      return (row, world) =>
        holds(row, world) || [String(row.status), row.outcome, row.id].includes(value) || world.inBody(value, row.id)
    },
  }),
)

/** Makes a test whether one of some texts of a row holds the value. */
function holdingIn(texts: (row: Row) => readonly string[]): (value: string) => Test {
  return (value) => {
    const holds = holding(value)
    return (row) => texts(row).some(holds)
  }
}

/** The requirements that an exchange breaks. */
function brokenBy({ findings }: Row): string[] {
  return findings.map(([requirement]) => requirement)
}

/** Whether a text holds another one; small and large letters are the same, and `*` is any text. */
function holding(value: string): (text: string) => boolean {
  const parts = value.toLowerCase().split('*')
  return (text) => {
    const small = text.toLowerCase()
    // Where each part is found first leaves the most room for the next: no pattern takes longer than its text is long.
    let end = 0
    return parts.every((part) => {
      const found = small.indexOf(part, end)
      end = found + part.length
      return found >= 0
    })
  }
}

const OUTCOMES = /^(timeout|reset|refused|truncated|too-large|protocol-error|interrupted|complete)$/

function statusTest(value: string): Test | string {
  const small = value.toLowerCase()
  if (OUTCOMES.test(small)) return (row) => row.outcome === small
  const [, hundred] = /^([1-5])xx$/.exec(small) ?? []
  if (hundred !== undefined)
    return (row) => row.status >= 100 * Number(hundred) && row.status < 100 * Number(hundred) + 100
  const inside = range(small)
  if (inside) return (row) => row.status > 0 && inside(row.status)
  return `status:${value}: a status is 404, 4xx, 400-499 or >=400, or an outcome such as reset`
}

const STATES: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['finding', (row) => row.findings.length > 0],
  ['failure', (row) => row.findings.some(([, failure]) => failure === 1)],
  ['warning', (row) => row.findings.some(([, failure]) => failure === 0)],
  ['unjudged', (row) => row.unjudged !== ''],
  ['pinned', (row, world) => world.isPinned(row.id)],
])

/** `7`, `>=7`, `3-9` */
function range(value: string): ((number: number) => boolean) | undefined {
  const [, sign, digits, end] = /^(>=|<=|>|<)?(\d+)(?:-(\d+))?$/.exec(value) ?? []
  if (digits === undefined || (sign !== undefined && end !== undefined)) return undefined
  const [least, most] = [Number(digits), Number(end ?? digits)]
  if (sign === '<') return (number) => number < least
  if (sign === '>') return (number) => number > least
  return (number) => (sign === '<=' || number >= least) && (sign === '>=' || number <= most)
}
