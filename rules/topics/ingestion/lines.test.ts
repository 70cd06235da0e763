import { describe } from 'vitest'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { four, jsonl, NOW, one, page, send, three, timed, two } from '../../_testing/lines.ts'
import { eachOfSays } from '../../_testing/says.ts'
import { failing, type Given } from '../../testing.ts'

/** An export of long pages. */
function many(pages: number): Exchange[] {
  const senders = [{ host: 'h', app: 'a', level: 'info', tags: ['t'] }]
  return Array.from({ length: pages }, (_, index) => {
    const lines = Array.from({ length: 50_000 }, (__, line) => `0.${index * 50_000 + line} same ${NOW} 0`)
    const token = index === pages - 1 ? null : `T${index}`
    const received = { count: lines.length, unreadable: 0, marks: ['assay-0-x-1'], senders, lines }
    return { ...page([], token, index === 0 ? '' : `&pagination_id=T${index - 1}`), _digest: { received } }
  })
}

describe('lines that were sent', () => {
  eachOfSays({
    'LINES-COME-OUT': [
      ['all there', [send([one, two]), page([two, one], null)], 'held'],
      ['one missing', [send([one, two]), page([one], null)], 'broken'],
      ['one missing in v1', [send([one, two]), jsonl([one])], 'broken'],
      ['never taken', [send([one], { status: 400 }), page([], null)], ''],
      ['nothing known of them', [send([one], { outcome: 'timeout' }), page([], null)], ''],
      ['of another application', [send([one]), page([], null, '&apps=b')], ''],
      ['of a search', [send([one]), page([], null, '&query=x')], ''],
      ['cut by a size', [send([one, two]), page([one], null, '&size=1')], ''],
      [
        'one of them refused by a 207',
        [send([one, two], { status: 207, got: { status: [200, 500] } }), page([one], null)],
        'held',
      ],
    ],
    'LINES-VERBATIM': [
      ['the same text', [send([one]), page([one], null)], 'held'],
      ['another text', [send([one]), page([{ number: 1, text: 'other' }], null)], 'broken'],
    ],
    'LINES-ONCE': [
      ['each once', [send([one, two]), page([two, one], null)], 'held'],
      ['one twice', [send([one, two]), page([one, two, one], null)], 'broken'],
      ['one twice in v1', [send([one, two]), jsonl([one, one, two])], 'broken'],
      ['one that was sent twice', [send([one]), send([one]), page([one, one], null)], ''],
      [
        'one whose first request may have been carried out',
        [send([one], { status: 503 }), send([one]), page([one, one], null)],
        '',
      ],
    ],
    'LINES-FIELDS': [['another level', [send([one]), page([{ number: 1, level: 'INFO' }], null)], 'broken']],
    'EXPORT-V2-FILTERS': [
      ['kept to', [send([one]), page([one], null, '&apps=a')], 'held'],
      ['not kept to', [send([one]), page([{ number: 1, app: 'b' }], null)], 'held'],
      ['another application', [page([{ number: 1, app: 'b' }], null, '&apps=a')], 'broken'],
      ['levels in capitals', [page([{ number: 1, level: 'INFO' }], null, '&levels=info')], 'held'],
    ],
  })
})

describe('pages of an export', () => {
  const all = (): Exchange => send([one, two, three, four])
  const small = '&size=2'
  const next = (token: string): string => `${small}&pagination_id=${token}`
  const joined = (): Exchange[] => [all(), page([one, two], 'A', small), page([three, four], null, next('A'))]
  const numbered = (): Exchange[] => [all(), page([one, two], 7, small), page([three, four], null, next('7'))]
  eachOfSays({
    'EXPORT-V2-COMPLETE': [
      ['hold all', joined(), 'held'],
      ['leave one out', [all(), page([one, two], 'A', small), page([three], null, next('A'))], 'broken'],
      ['do not come to an end', [all(), page([one, two], 'A', small)], ''],
    ],
    'EXPORT-V2-ONCE': [
      ['hold each once', joined(), 'held'],
      ['hold one twice', [all(), page([one, two], 'A', small), page([two, three, four], null, next('A'))], 'broken'],
    ],
    'EXPORT-V2-NEXT-PAGE': [
      ['lead on', joined(), 'held'],
      ['lead on by numbers', numbered(), 'held'],
      ['lead back', [all(), page([one, two], 'A', small), page([one, two], null, next('A'))], 'broken'],
      ['are refused', [all(), page([one], 'A', small), page([], null, next('A'), { status: 400 })], 'broken'],
      ['are refused for the moment', [all(), page([one], 'A', small), page([], null, next('A'), { status: 429 })], ''],
      [
        'end in a server error that passes',
        [all(), page([one], 'A', small), page([], null, next('A'), { status: 500 }), page([two], null, next('A'))],
        'held',
      ],
      [
        'end in a server error that stays',
        [all(), page([one], 'A', small), ...failing((given) => page([], null, next('A'), given))],
        'broken',
      ],
    ],
    'EXPORT-PAGE-TOKEN-TYPE': [['named by numbers', numbered(), 'held held']],
    'EXPORT-V2-SMALL-ONE-PAGE': [
      ['of a small result', [all(), page([one, two, three, four], null)], 'held'],
      [
        'of a small result in two',
        [all(), page([one, two], 'A'), page([three, four], null, '&pagination_id=A')],
        'broken',
      ],
      ['of a size that was asked for', joined(), ''],
    ],
    'EXPORT-V2-TOKEN-REPEATS': [
      ['again', [...joined(), page([four, three], null, next('A'))], 'held'],
      ['again, one less', [...joined(), page([three], null, next('A'))], 'broken'],
      [
        'again at once, refused',
        [all(), page([one], 'A', small), page([two], 'B', next('A')), page([], null, next('A'), { status: 410 })],
        'broken',
      ],
      [
        'again after the next page, refused',
        [
          ...[all(), page([one], 'A', small), page([two], 'B', next('A')), page([three], 'C', next('B'))],
          page([], null, next('A'), { status: 410 }),
        ],
        '',
      ],
      ['again, refused', [...joined(), page([], null, next('A'), { status: 410 })], ''],
    ],
    'EXPORT-V2-LAST-PAGE': [
      ['end with null', joined(), 'held'],
      ['hold as many lines as are remembered', many(4), 'held'],
      ['hold more', many(6), ''],
      ['end with an empty token', [all(), page([one, two], '', small)], 'broken'],
      [
        'without an end',
        [
          all(),
          page([one], 'A', small),
          ...Array.from({ length: 8 }, (_, index) => page([], `A${index}`, next(index === 0 ? 'A' : `A${index - 1}`))),
        ],
        'broken',
      ],
    ],
    'EXPORT-V2-TOKEN-TIED': [
      [
        'of another export',
        [
          all(),
          page([one], 'A', '&apps=a&size=1'),
          page([{ number: 9, app: 'b' }], 'B', '&apps=b&size=1'),
          page([{ number: 10, app: 'b' }], null, '&apps=a&size=1&pagination_id=A'),
        ],
        'broken',
      ],
    ],
  })
})

describe('mailed exports', () => {
  const group: Given = { intent: { kind: 'read', group: 'g', final: true } }
  const mail = '&email=assay%40example.com'
  const other = '&levels=info'
  const taken = (): Exchange[] => [jsonl([one], '', group), jsonl([], mail, group)]
  const refused = (): Exchange => jsonl([], `${mail}${other}`, { ...group, status: 400 })
  eachOfSays({
    'EXPORT-V1-MAIL-NO-LINES': [
      ['no lines', [jsonl([one], '', group), jsonl([], mail, group)], 'held'],
      ['lines', [jsonl([one], '', group), jsonl([one], mail, group)], 'broken'],
      [
        'lines within the confirmation',
        [jsonl([one], '', group), jsonl([], mail, { ...group, got: { message: 'm', rows: ['assay-0-x-1.1 said'] } })],
        'broken',
      ],
      [
        'what was asked for within the confirmation',
        [jsonl([one], '', group), jsonl([], mail, { ...group, got: { message: 'm', hosts: 'assay-0-x-1' } })],
        'held',
      ],
      ['no control', [jsonl([], '', group), jsonl([], mail, group)], ''],
    ],
    'EXPORT-V1-MAIL-CONFIRMS': [
      [
        'an address that is not taken',
        [jsonl([one], '', group), ...[400, 422, 500, 500].map((status) => jsonl([], mail, { ...group, status }))],
        '',
      ],
      [
        'an address that is taken before and after another export is refused again and again',
        [...taken(), jsonl([one], other, group), refused(), refused(), jsonl([], mail, group)],
        'held held broken',
      ],
      [
        'one export at a time',
        [...taken(), jsonl([one], other, group), refused(), jsonl([], mail, group), refused(), refused()],
        'held held',
      ],
      [
        'an export that is mailed once another one is over',
        [
          ...taken(),
          jsonl([one], other, group),
          refused(),
          refused(),
          jsonl([], `${mail}${other}`, group),
          jsonl([], mail, group),
        ],
        'held held held',
      ],
      [
        'another export that is refused without the address as well',
        [...taken(), jsonl([], `${mail}${other}`, { ...group, status: 400 })],
        'held',
      ],
      ['another address', [...taken(), jsonl([], '&email=b%40example.com', { ...group, status: 400 })], 'held'],
      [
        'a server error that passes',
        [...taken(), jsonl([], mail, { ...group, status: 500 }), jsonl([], mail, group)],
        'held held',
      ],
      [
        'a server error that stays',
        [...taken(), ...failing((given) => jsonl([], mail, { ...group, ...given }))],
        'held broken',
      ],
      ['what a gateway says', [...taken(), ...[1, 2].map(() => jsonl([], mail, { ...group, status: 522 }))], 'held'],
    ],
    'GAP-EXPORT-MAIL-ADDRESS': [
      [
        'an address that is not taken',
        [jsonl([one], '', group), jsonl([], mail, { ...group, status: 422 })],
        'observed',
      ],
    ],
  })
})

describe('exclusion rules', () => {
  const [x1, y1, x2, y2, x3] = [
    { number: 1, app: 'x' },
    { number: 2, app: 'y' },
    { number: 3, app: 'x' },
    { number: 4, app: 'y' },
    { number: 5, app: 'x' },
  ]
  const begin = (): Exchange[] => [
    send([x1, y1]),
    page([x1, y1], null),
    timed('POST /v1/config/ingestion/exclusions', { sent: { apps: ['x'] }, got: { id: 'e' } }),
    send([x2, y2]),
  ]
  const o3 = { number: 6, host: 'o' }
  const byHost = (): Exchange[] => [
    timed('POST /v1/config/ingestion/exclusions', { sent: { hosts: ['h'] }, got: { id: 'e' } }),
    send([x2]),
    send([o3]),
  ]
  const gone = (): Exchange => timed('DELETE /v1/config/ingestion/exclusions/e', { status: 204 })
  eachOfSays({
    'EXCLUSION-DROPS': [
      ['drop what matches', [...begin(), page([x1, y1, y2], null)], 'held'],
      ['drop nothing', [...begin(), page([x1, y1, x2, y2], null)], 'broken'],
      ['while nothing else came', [...begin(), page([x1, y1], null)], ''],
      [
        'drop nothing, and nobody knows whether they were deleted',
        [
          ...begin(),
          timed('DELETE /v1/config/ingestion/exclusions/e', { outcome: 'timeout' }),
          page([x1, y1, x2, y2], null),
        ],
        '',
      ],
      ['drop what comes from a host', [...byHost(), page([o3], null, ',o')], 'held'],
      ['drop nothing of a host', [...byHost(), page([x2, o3], null, ',o')], 'broken'],
      [
        'drop nothing of a host that is shown as another',
        [...byHost(), page([{ ...x2, host: 'z' }, o3], null, ',o')],
        'inconclusive',
      ],
      ['while no other host came', [...byHost(), page([], null, ',o')], ''],
    ],
    'EXCLUSION-OTHERS-STAY': [['drop others too', [...begin(), page([x1, y1], null)], 'broken']],
    'EXCLUSION-STORED-STAY': [['drop what was stored', [...begin(), page([y1, y2], null)], 'broken']],
    'EXCLUSION-DELETE-STORES': [
      ['deleted', [...begin(), gone(), send([x3]), page([x1, y1, y2, x3], null)], 'held'],
      ['deleted, and still dropping', [...begin(), gone(), send([x3]), page([x1, y1, y2], null)], 'broken'],
    ],
  })
})
