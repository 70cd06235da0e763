import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { create } from 'xmlbuilder2'
import { validateXML } from 'xmllint-wasm'
import { ledger } from '../../schemas/ledger.ts'
import { reportOf } from '../testing/made.ts'
import { aFinding, aReport, aResult, aServerError } from '../testing.ts'
import { renderJunit } from './junit.ts'

interface Node {
  name: string
  attributes: Record<string, string>
  children: Node[]
  text: string
}

interface DomNode {
  nodeName: string
  nodeType: number
  textContent: string | null
  attributes: Iterable<{ name: string; value: string }>
  childNodes: Iterable<DomNode>
}

/** Reads XML back with a parser that refuses what is not well-formed. */
function parse(xml: string): Node {
  const read = (element: DomNode): Node => ({
    name: element.nodeName,
    attributes: Object.fromEntries([...element.attributes].map((attribute) => [attribute.name, attribute.value])),
    children: [...element.childNodes].filter((child) => child.nodeType === 1).map((child) => read(child)),
    text: element.textContent ?? '',
  })
  return read(create(xml).root().node as unknown as DomNode)
}

const XSD = readFileSync(new URL('../testing/junit.xsd', import.meta.url), 'utf8')

/** Holds XML to the schema, and its sums to what stands in it. */
async function check(xml: string): Promise<void> {
  const { errors } = await validateXML({ xml: { fileName: 'junit.xml', contents: xml }, schema: XSD })
  expect(errors.map(({ message }) => message)).toEqual([])
  sums(parse(xml))
}

function sums(node: Node): void {
  const suites = node.name === 'testsuites' ? node.children : [node]
  const cases = suites.flatMap((suite) => suite.children).filter(({ name }) => name === 'testcase')
  const having = (name: string): string =>
    String(cases.filter((one) => one.children.some((child) => child.name === name)).length)
  const { tests, failures, errors, skipped } = node.attributes
  expect([tests, failures, errors]).toEqual([String(cases.length), having('failure'), having('error')])
  if (node.name === 'testsuites') for (const suite of suites) sums(suite)
  else expect(skipped).toBe(having('skipped'))
}

function find(node: Node, id: string): Node | undefined {
  if (node.name === 'testcase' && node.attributes.name?.startsWith(`${id}:`)) return node
  return node.children.map((child) => find(child, id)).find((found) => found !== undefined)
}

const report = aReport({
  verdict: 'non-conformant',
  results: [
    aResult({ id: 'OK-OK', evidence: { judged: 4, accepted: 3, refused: 1, operations: { 'update-transform': 4 } } }),
    aResult({ id: 'FAIL-IT', verdict: 'fail', findings: [aFinding(), aFinding({ message: 'second' })] }),
    aResult({ id: 'WARN-IT', level: 'implied', verdict: 'warn', category: 'errors', findings: [aFinding()] }),
    aResult({ id: 'IDLE-IT', verdict: 'not-run', reason: 'gap-unanswered: GAP-TAP-ANSWER' }),
    aResult({ id: 'SEEN-IT', level: 'open', verdict: 'observed', evidence: { observations: { '400': 2 } } }),
    aResult({ id: 'ERROR-IT', verdict: 'error', reason: 'the rule threw' }),
  ],
})

describe('JUnit', () => {
  const root = parse(renderJunit(report))
  const child = (id: string): Node | undefined => find(root, id)?.children[0]

  test('the structure is valid by the schema, and the sums are right', async () => {
    await check(renderJunit(report))
    expect(root.attributes).toMatchObject({ tests: '6', failures: '1', errors: '1', time: '9.810' })
    expect(root.children.map(({ attributes }) => attributes.skipped)).toEqual(['2', '0'])
  })
  test('the schema finds what is not valid', async () => {
    const wrong = renderJunit(report).replace('<testcase ', '<testcase id="1" ')
    const { errors } = await validateXML({ xml: wrong, schema: XSD })
    expect(errors.map(({ message }) => message).join()).toContain("The attribute 'id' is not allowed")
  })

  test('every category of the ledger belongs to one of the six topics', () => {
    const categories = [...new Set([...ledger().values()].map(({ category }) => category))]
    const all = aReport({ results: categories.map((category) => aResult({ id: category, category })) })
    expect(
      parse(renderJunit(all))
        .children.map(({ attributes }) => attributes.name)
        .sort(),
    ).toEqual(['configuration', 'exports', 'general', 'ingestion', 'pipelines', 'usage'])
  })

  test('a test has its share of the time of the cases that are about it, and a suite the sum', async () => {
    const cases = [
      { case: 'a', requirements: ['OK-OK', 'FAIL-IT'], state: 'done' as const, durationMs: 3000 },
      { case: 'b', requirements: ['OK-OK'], state: 'done' as const, durationMs: 500 },
    ]
    const { basis } = reportOf({ cases: [] })
    const timed = { ...report, ...(basis ? { basis: { ...basis, cases } } : {}) }
    await check(renderJunit(timed))
    const made = parse(renderJunit(timed))
    expect(
      [find(made, 'OK-OK'), find(made, 'FAIL-IT'), find(made, 'WARN-IT')].map((one) => one?.attributes.time),
    ).toEqual(['2.000', '1.500', '0.000'])
    expect(made.children.map(({ attributes }) => attributes.time)).toEqual(['3.500', '0.000'])
  })

  test('a suite a topic, a test a requirement', () => {
    const cases = (suite: Node): Node[] => suite.children.filter(({ name }) => name === 'testcase')
    expect(root.children.map((suite) => [suite.attributes.name, cases(suite).length])).toEqual([
      ['pipelines', 5],
      ['general', 1],
    ])
  })

  test('properties of a suite carry the ids of its requirements, and tell verdict, section, operations and evidence', () => {
    const properties = root.children[0]?.children[0]?.children.map(({ attributes }) => attributes)
    const [own] = properties?.filter(({ name }) => name === 'OK-OK') ?? []
    expect(own?.value).toMatch(/^verdict: pass; level: stated; feature: pipelines; section: Resources/)
    expect(own?.value).toContain('operations: update-transform; evidence: judged 4, accepted 3, refused 1')
    expect(properties).toContainEqual({ name: 'assay.verdict', value: 'non-conformant' })
    expect(properties).toContainEqual({ name: 'assay.seed', value: '42' })
    expect(find(root, 'OK-OK')?.children).toEqual([])
  })

  test('a failure carries expected, actual, curl and how to repeat it', () => {
    expect(child('FAIL-IT')?.name).toBe('failure')
    expect(child('FAIL-IT')?.attributes.message).toBe('a title of 513 characters was accepted')
    for (const part of [
      'expected: refused',
      'actual: 200',
      'by hand: curl -sS',
      'again: npx assay',
      'control: PUT',
      'second',
    ]) {
      expect(child('FAIL-IT')?.text).toContain(part)
    }
  })

  test('a warning passes and says so', () => {
    expect(child('WARN-IT')?.name).toBe('system-out')
    expect(child('WARN-IT')?.text).toMatch(/^warning \(implied\): a title of 513/)
  })

  test('what was not run or only observed is skipped with its reason', () => {
    expect(child('IDLE-IT')).toMatchObject({
      name: 'skipped',
      attributes: { message: 'gap-unanswered: GAP-TAP-ANSWER' },
    })
    expect(child('SEEN-IT')).toMatchObject({
      name: 'skipped',
      attributes: { message: 'observed, not judged: 400 (2)' },
    })
  })

  test('our own fault is an error', () => {
    expect(child('ERROR-IT')).toMatchObject({ name: 'error', attributes: { message: 'the rule threw' } })
  })
})

test('a run that proved nothing is an error, even where no requirement failed', async () => {
  const xml = renderJunit(
    aReport({ verdict: 'invalid', reason: 'no successful answer', problems: ['a worker was lost'] }),
  )
  await check(xml)
  const root = parse(xml)
  expect(root.attributes.errors).toBe('1')
  expect(root.children.at(-1)?.children[0]?.children[0]).toMatchObject({
    name: 'error',
    attributes: { message: 'no successful answer', type: 'invalid' },
    text: 'no successful answer\na worker was lost',
  })
})

describe('server errors', () => {
  const kinds = [aServerError(), aServerError({ kind: 'good request', count: 0, retried: 2 })]
  const serverErrors = { count: 4, retried: 2, kinds }

  test('are tests of their own that pass and tell', async () => {
    const xml = renderJunit(aReport({ serverErrors }))
    await check(xml)
    const suite = parse(xml).children.find(({ attributes }) => attributes.name === 'server errors')
    expect(suite?.children.map(({ children: [first] }) => first?.name)).toEqual(['system-out', 'system-out'])
    expect(suite?.text).toContain('update-transform, /title: length 512: status 500, 4 times')
  })
  test('fail where they count, but for those that a repetition made up for', async () => {
    const xml = renderJunit(aReport({ serverErrors, failOn: ['server-error'] }))
    await check(xml)
    const root = parse(xml)
    const suite = root.children.find(({ attributes }) => attributes.name === 'server errors')
    expect(suite?.children.map(({ children: [first] }) => first?.name)).toEqual(['failure', 'system-out'])
    expect(root.attributes.failures).toBe('1')
  })
})

describe('a hostile target', () => {
  const nasty = `]]><!-- & "quoted" 'x' </failure>\u0000\u001b[2J\ud800\ufffe\uffff\r\n\u{1f600}`
  const huge = `${nasty}${'x'.repeat(10_000_000)}`

  test('cannot break the file, nor make it large', async () => {
    const findings = Array.from({ length: 30 }, () =>
      aFinding({
        message: nasty,
        expected: nasty,
        actual: huge,
        curl: nasty,
        edge: nasty,
        reproduce: nasty,
        case: nasty,
      }),
    )
    const xml = renderJunit(
      aReport({
        results: [
          aResult({ verdict: 'fail', findings, section: nasty }),
          aResult({ verdict: 'warn', findings }),
          aResult({ verdict: 'not-run', reason: huge }),
          aResult({ verdict: 'observed', evidence: { observations: { [huge]: 1 } } }),
          aResult({ verdict: 'error', reason: huge, category: nasty }),
        ],
        target: { name: nasty, version: '', baseUrl: '', embedded: false },
        reason: nasty,
        startedAt: nasty,
        problems: [huge],
      }),
    )
    expect(xml.length).toBeLessThan(400_000)
    expect(xml.replaceAll(/[\t\n\r]/g, '')).not.toMatch(/[\p{Cc}\p{Cs}\ufffe\uffff]/u)
    await check(xml)
    const root = parse(xml)
    expect(JSON.stringify(root)).toContain('</failure>')
  })

  test('is quoted as it spoke: a reference in a response stays one', () => {
    const said = 'a &lt;b&gt; &amp;amp; &#10; &quot; & <'
    const message = aFinding({ message: said, actual: said })
    const results = [
      aResult({ id: 'A', verdict: 'fail', findings: [message] }),
      aResult({ id: 'B', verdict: 'error', reason: said }),
    ]
    const written = 'a &amp;lt;b&amp;gt; &amp;amp;amp; &amp;#10; &amp;quot; &amp; &lt;'
    // The failure has an attribute and two lines of text, the error an attribute and its text.
    expect(renderJunit(aReport({ results })).split(written).length - 1).toBe(5)
  })

  test('many findings are counted', () => {
    const findings = Array.from({ length: 30 }, () => aFinding())
    expect(renderJunit(aReport({ results: [aResult({ verdict: 'fail', findings })] }))).toContain(
      'and 20 more, in report.json',
    )
  })
})
