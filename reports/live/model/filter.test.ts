import { describe, expect, test } from 'vitest'
import { parseFilter } from './filter.ts'
import type { Row } from './rows.ts'

const row = (given: Partial<Row>): Row => ({
  ...{ number: 1, id: 's-1', start: 0, method: 'GET', path: '/v1/config/view/1?x=2', status: 200, outcome: 'complete' },
  ...{ milliseconds: 10, operation: 'get-view', sent: 0, received: 0, findings: [], unjudged: '' },
  ...given,
})
const ROWS: Readonly<Record<string, Row>> = {
  good: row({}),
  made: row({
    id: 's-2',
    method: 'POST',
    path: '/v1/config/view',
    status: 201,
    operation: 'create-view',
    unjudged: 'no rule',
  }),
  refused: row({ id: 's-3', status: 404, findings: [['VIEW-GONE', 1, 'm']] }),
  broken: row({ id: 's-4', status: 503, milliseconds: 900, findings: [['VIEW-NAME', 0, 'm']] }),
  lost: row({ id: 's-5', status: 0, outcome: 'timeout', path: '/v1/keys' }),
}
const WORLD = {
  inBody: (text: string, id: string) => id === 's-2' && 'a Title in a body'.includes(text),
  isPinned: (id: string) => id === 's-4',
}

function shown(text: string): string[] {
  const filter = parseFilter(text)
  if ('problem' in filter) throw new Error(filter.problem)
  return Object.keys(ROWS).filter((name) => filter.matches(ROWS[name] as Row, WORLD))
}

describe('a filter', () => {
  test.each([
    ['', ['good', 'made', 'refused', 'broken', 'lost']],
    ['method:post', ['made']],
    ['method:post,put', ['made']],
    ['-method:post', ['good', 'refused', 'broken', 'lost']],
    ['path:/V1/KEYS', ['lost']],
    ['path:/v1/*/view?', []],
    ['path:config*x=2', ['good', 'refused', 'broken']],
    ['status:404', ['refused']],
    ['status:4xx,5xx', ['refused', 'broken']],
    ['status:200-299', ['good', 'made']],
    ['status:>=400', ['refused', 'broken']],
    ['status:<300', ['good', 'made']],
    ['status:timeout', ['lost']],
    ['op:create', ['made']],
    ['req:view-n', ['broken']],
    ['ms:>500', ['broken']],
    ['ms:5-20', ['good', 'made', 'refused', 'lost']],
    ['is:finding', ['refused', 'broken']],
    ['is:failure', ['refused']],
    ['is:warning', ['broken']],
    ['is:pinned', ['broken']],
    ['is:unjudged', ['made']],
    ['body:Title', ['made']],
    ['body:title', []],
    ['body:"Title in a"', ['made']],
    ['-body:Title status:2xx', ['good']],
    ['Title', ['made']],
    ['keys', ['lost']],
    ['503', ['broken']],
    ['s-3', ['refused']],
    ['view status:2xx  -post', ['good']],
    ['"view" "config"', ['good', 'made', 'refused', 'broken']],
  ])('%s', (text, names) => expect(shown(text)).toEqual(names))

  test('with many stars takes no longer than its text is long', () => {
    const filter = parseFilter(`path:${'a*'.repeat(200)}b`)
    if ('problem' in filter) throw new Error(filter.problem)
    const path = `/${'a'.repeat(20_000)}`
    const begun = performance.now()
    expect(filter.matches(row({ path }), WORLD)).toBe(false)
    expect(filter.matches(row({ path: `${path}b` }), WORLD)).toBe(true)
    expect(performance.now() - begun).toBeLessThan(1_000)
  })

  test('names the texts that have to be looked for in bodies', () => {
    expect(parseFilter('title body:"a, b" path:/x -body:c')).toMatchObject({ texts: ['title', 'a, b', 'c'] })
    expect(parseFilter('"say \\"x\\""')).toMatchObject({ texts: ['say "x"'] })
  })
})

describe('a filter that cannot be read', () => {
  test.each([
    [
      'state:500',
      'there is no state: in a filter; choose method, path, status, op, req, body, ms, is, or put the text in quotes',
    ],
    ['status:9xx', 'status:9xx: a status is 404, 4xx, 400-499 or >=400, or an outcome such as reset'],
    ['ms:long', 'ms:long: milliseconds are >500, <=10 or 100-200, for instance'],
    ['is:red', 'is:red: choose finding, failure, warning, unjudged or pinned'],
    ['method:', 'method: is not finished: name a value'],
    ['-', '- is not finished: name a value'],
    ['"half', 'a text that begins with " has to end with "'],
    ['body:"half', 'a text that begins with " has to end with "'],
    ['constructor:x', expect.stringContaining('there is no constructor: in a filter')],
  ])('%s', (text, problem) => expect(parseFilter(text)).toEqual({ problem }))
})
