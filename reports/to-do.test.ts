import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aResult } from './testing.ts'
import { notJudged, unansweredInWords } from './to-do.ts'

const notRun = (id: string, reason: string, level: 'stated' | 'implied' | 'open' = 'stated') =>
  aResult({ id, verdict: 'not-run', level, reason })

/** Cause and fix of the only entry. */
function only(reason: string, level?: 'open'): string {
  const { toDo, rest } = notJudged([notRun('A', reason, level)])
  const [entry, ...others] = [...toDo, ...rest]
  expect(others).toEqual([])
  return `${entry?.cause} | ${entry?.fix}`
}

test.each([
  [
    'no-resource: credentials.ingestionKey is not configured',
    'credentials.ingestionKey is not configured | Set `credentials.ingestionKey` in the configuration.',
  ],
  [
    'no-resource: list-enterprise-keys is refused, and credentials.enterpriseServiceKey is not configured',
    'credentials.enterpriseServiceKey is not configured | Set `credentials.enterpriseServiceKey` in the configuration.',
  ],
  [
    'no-consent: suspension stops the ingestion of the whole account (consent.suspend)',
    'suspension stops the ingestion of the whole account | If that is all right, set `consent.suspend` to true in the configuration.',
  ],
  [
    'no-resource: export v1 mails nothing to a@b.example: set sink.email to a mailbox',
    'sink.email is not configured | Set `sink.email` in the configuration.',
  ],
  [
    'gap-unanswered: GAP-TAP-ANSWER',
    'the binding does not answer GAP-TAP-ANSWER | Answer it in the binding; `assay explain GAP-TAP-ANSWER` says how.',
  ],
  [
    'no-resource: no pipeline: the binding has no operation that makes one (GAP-PATHS-PIPELINES), and none is listed',
    'the binding does not answer GAP-PATHS-PIPELINES | `assay bind --probe` finds these operations; or add them to the binding.',
  ],
  [
    'gap-unanswered: the binding has no parameter prefer of export-v2',
    'the binding has no parameter prefer of export-v2 | Add it to the binding.',
  ],
  [
    'answer-does-not-fit: /data/id is not there (binding.json#/operations/get-board)',
    '/data/id is not there (binding.json#/operations/get-board) | Correct this answer in the binding.',
  ],
  ['disabled: create-board changes the target (--read-only)', 'the run was read-only | Run without --read-only.'],
  [
    'disabled: it sends 9 bytes of lines, more than --max-ingest-bytes leaves',
    '--max-ingest-bytes left too few lines | Allow more with --max-ingest-bytes.',
  ],
  [
    'disabled: shard 2 of 4 is missing',
    'shard 2 of 4 is missing | Merge the reports of all shards: `assay report merge`.',
  ],
  [
    'not-provoked: it was not seen in this traffic',
    'they do not occur in this traffic | Record more traffic, or run `assay certify`.',
  ],
  ['not-observable: The wording is free.', 'cannot be observed over HTTP | '],
  ['not-claimed: the feature boards is not claimed', 'belong to a feature that is not claimed (boards) | '],
  [
    'not-offered: create-board is not offered (binding.json#/operations/create-board)',
    'need what the target does not offer, as the binding says (create-board) | ',
  ],
  [
    'not-provoked: get-x shows no `a` (`b` here): set `operations.get-x.fields.a`',
    'get-x shows no `a` (`b` here) | Set `operations.get-x.fields.a` in the binding.',
  ],
  [
    'inconclusive: not judged: create-key was sent `?type=service`, and the response shows no type: set `operations.create-key.fields.type`',
    'not judged: create-key was sent `?type=service`, and the response shows no type | Set `operations.create-key.fields.type` in the binding.',
  ],
  [
    'not-provoked: it did not occur',
    'did not occur | Run `assay certify --only` with these ids, and look at their requests in the evidence: no response was about them.',
  ],
  ['not-provoked: More than 10,000 lines have to be stored.', 'did not occur | '],
])('%s', (reason, expected) => {
  expect(only(reason)).toBe(expected)
})

test('one cause stands once, though each requirement shows a request of its own', () => {
  const made = (body: string): string => `no-resource: create-board is answered with 422 (POST /b ${body} returned {})`
  const { toDo } = notJudged([notRun('A', made('{"a":1}')), notRun('B', made('{"a":2}'))])
  expect(toDo.map(({ cause, results }) => [cause, results.length])).toEqual([
    ['create-board is answered with 422 (POST /b {"a":1} returned {})', 2],
  ])
})

test('of a gap the text is said, and where it was only not observed there is nothing to do', () => {
  const gap = aResult({ id: 'GAP-TAP-ANSWER', level: 'open', verdict: 'observed', text: 'Where the events stand.' })
  const [entry] = notJudged([notRun('TAP-EVENTS', 'gap-unanswered: GAP-TAP-ANSWER'), gap]).toDo
  expect(entry?.cause).toBe('the binding does not answer GAP-TAP-ANSWER (Where the events stand)')
  expect(only('not-provoked: nothing was observed', 'open')).toBe('are gaps about which nothing was observed | ')
})

test('of unanswered gaps it is said how many hold something back', () => {
  const binding = { name: 'b', chain: [], answered: [], unanswered: ['GAP-A', 'GAP-B', 'GAP-C'] }
  const held = [
    notRun('A', 'gap-unanswered: GAP-A'),
    notRun('B', 'no-resource: no pipeline: the binding has no operation that makes one (GAP-A), and none is listed'),
    notRun('GAP-B', 'not-provoked: nothing was observed', 'open'),
    notRun('D', 'gap-unanswered: GAP-ANSWERED'),
  ]
  expect(unansweredInWords({ binding, requirements: held })).toBe('3 gaps unanswered: 1 holds 2 requirements back')
  expect(unansweredInWords({ binding, requirements: [] })).toBe('3 gaps unanswered: none holds anything back')
  expect(unansweredInWords({ binding: { ...binding, unanswered: [] }, requirements: [] })).toBe('0 gaps unanswered')
})

test('causes stand in the order of how many requirements each holds back, with those of the text first', () => {
  const reason = 'no-resource: credentials.ingestionKey is not configured'
  const { toDo } = notJudged([
    notRun('A', 'no-consent: why (consent.suspend)'),
    notRun('OPEN', reason, 'open'),
    notRun('IMPLIED', reason, 'implied'),
    notRun('STATED', reason),
  ])
  expect(toDo.map(({ results }) => results.map(({ id }) => id))).toEqual([['STATED', 'IMPLIED', 'OPEN'], ['A']])
})

test('doubts about responses are one entry, whatever their words', () => {
  const { toDo } = notJudged([notRun('A', 'inconclusive: one'), notRun('B', 'inconclusive: another')])
  expect(toDo).toHaveLength(1)
  expect(toDo[0]?.cause).toBe('the responses prove nothing, for A because: one')
})

test('requirements of which a side was not seen are one entry, which says what to send', () => {
  const part = (id: string, where: string) => notRun(id, `inconclusive: not seen whole at ${where}`)
  const { toDo } = notJudged([
    part('A', 'update-transform'),
    part('B', 'update-view'),
    part('C', 'x (not judged: why)'),
  ])
  expect(toDo.map(({ cause, fix, results }) => [cause, fix, results.length])).toEqual([
    [
      'were seen only in part, such as A at update-transform',
      'Send good and bad requests there: record more traffic, or run the whole of `assay certify`.',
      2,
    ],
    ['the responses prove nothing, for C because: not seen whole at x (not judged: why)', expect.any(String), 1],
  ])
})

test('nothing that was not judged is left out, and nothing else is in, whatever the reasons are', () => {
  const result = fc.record({
    id: fc.string(),
    verdict: fc.constantFrom('pass', 'not-run', 'observed'),
    level: fc.constantFrom('stated', 'open'),
    reason: fc.oneof(
      fc.string(),
      fc.string().map((text) => `no-resource: ${text}`),
    ),
  })
  fc.assert(
    fc.property(fc.array(result), (given) => {
      const all = given.map((one) => aResult(one as Parameters<typeof aResult>[0]))
      const { toDo, rest } = notJudged(all)
      const found = new Set([...toDo, ...rest].flatMap(({ results }) => results))
      expect(found).toEqual(new Set(all.filter(({ verdict }) => verdict === 'not-run')))
    }),
  )
})
