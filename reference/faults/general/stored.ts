import { invalid } from '../../core/refusal.ts'
import { askedBody, demands, type Json } from '../core/changes.ts'
import { type Changes, each, type Fault, fault } from '../core/fault.ts'

type Spoil = (text: string) => string

/** What becomes of good texts on their way into somebody's table. */
const SPOILS: Readonly<Record<string, readonly [about: string, spoil: Spoil]>> = {
  'cut-64': ['is cut to 64 characters', (text) => text.slice(0, 64)],
  'cut-255': ['is cut to 255 characters', (text) => text.slice(0, 255)],
  'cut-511': ['is cut to 511 characters', (text) => text.slice(0, 511)],
  'cut-1000': ['is cut to 1,000 characters', (text) => text.slice(0, 1_000)],
  escaped: ['is stored with its marks escaped', (text) => text.replaceAll('&', '&amp;').replaceAll("'", '&#39;')],
  unescaped: ['is stored with its entities resolved', (text) => text.replaceAll('&amp;', '&')],
  decoded: ['is decoded once more', (text) => text.replaceAll('%41', 'A')],
  unquoted: ['loses its backslashes', (text) => text.replaceAll('\\', '')],
  'lower-case': ['is stored in lower case', (text) => text.toLowerCase()],
  trimmed: ['loses the blanks at its ends', (text) => text.trim()],
  'blanks-joined': ['keeps one blank of several', (text) => text.replace(/ +/g, ' ')],
  'ascii-only': ['loses letters outside ASCII', (text) => text.replace(/[^ -~]/gu, '?')],
}

/** The text of a field, or each text of its object, is stored otherwise. */
function spoilt(operation: string, field: string, spoil: Spoil): Changes {
  const texts = (value: unknown): unknown => (typeof value === 'string' ? spoil(value) : value)
  return askedBody(operation, (sent) => {
    const value = sent[field]
    const isMap = typeof value === 'object' && value !== null && !Array.isArray(value)
    const all = isMap
      ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, texts(one)]))
      : texts(value)
    return { ...sent, [field]: all }
  })
}

/** field of an operation -> the requirement that it is stored, and what becomes of its text */
const TEXTS: readonly (readonly [operation: string, field: string, requirement: string, ways: string])[] = [
  [
    'update-transform',
    'title',
    'TRANSFORM-UPDATE-REPLACES',
    'cut-255 cut-511 escaped unescaped decoded unquoted lower-case trimmed blanks-joined ascii-only',
  ],
  ['update-source', 'description', 'SOURCE-UPDATE-REPLACES', 'cut-255 cut-1000 escaped trimmed ascii-only'],
  ['update-gateway-route', 'title', 'ROUTE-PATCH-APPLIES', 'cut-255 escaped lower-case'],
  ['update-preset-alert', 'name', 'PRESET-UPDATE-APPLIES', 'escaped lower-case ascii-only'],
  ['create-group-from-pipeline', 'title', 'GROUP-READ', 'cut-255 escaped'],
  ['update-view', 'name', 'VIEW-READ', 'escaped lower-case ascii-only cut-64'],
  ['update-category', 'name', 'CATEGORY-READ', 'escaped lower-case'],
  ['update-alert', 'name', 'ALERT-READ', 'escaped lower-case'],
  ['update-board', 'title', 'BOARD-UPDATE', 'escaped lower-case'],
  ['update-screen', 'title', 'SCREEN-READ', 'escaped lower-case'],
  ['update-pipeline', 'title', 'PIPELINE-UPDATE', 'escaped lower-case'],
  ['update-state-variables', 'state', 'STATEVAR-APPLIES', 'escaped cut-255'],
]

/** A good text is refused for what it is made of. */
const choosy = each(({ of, field, refuses }: { of: string; field: string; refuses: (text: string) => boolean }) =>
  demands(of, (call) => {
    const text = (call.body as Json)[field]
    if (typeof text === 'string' && refuses(text)) throw invalid(`/${field}`, 'must be another text')
  }),
)

const isLong = (text: string): boolean => Buffer.byteLength(text) > 512

const isForeign = (text: string): boolean => /[^ -~]/u.test(text)

/** Faults in what good texts become where they are stored, and in which of them are taken. */
export const storedFaults: readonly Fault[] = [
  ...TEXTS.flatMap(([operation, field, requirement, ways]) =>
    ways.split(' ').map((way) => {
      const [about, spoil] = SPOILS[way] ?? [way, String]
      const changes = spoilt(operation, field, spoil)
      return fault(`${operation}-${field}-${way}`, requirement, `${field} of ${operation} ${about}`, changes)
    }),
  ),
  ...(
    [
      ['node', 'update-transform update-source'],
      ['group', 'create-group-from-pipeline'],
    ] as const
  ).flatMap(([word, of]) => {
    const [id, field] = [word.toUpperCase(), 'title']
    const about = `titles of ${word}s may hold`
    return [
      choosy(`${word}-title-bytes`, `${id}-TITLE-MAX`, `${about} at most 512 bytes`, { of, field, refuses: isLong }),
      choosy(`${word}-title-ascii`, `${id}-TITLE-PATTERN`, `${about} ASCII alone`, { of, field, refuses: isForeign }),
    ]
  }),
  choosy('group-title-40', 'GROUP-TITLE-MAX', 'titles of groups may hold at most 40 characters', {
    of: 'create-group-from-pipeline',
    field: 'title',
    refuses: (text) => text.length > 40,
  }),
  choosy('node-description-ascii', 'NODE-DESCRIPTION-PATTERN', 'descriptions of nodes may hold ASCII alone', {
    of: 'update-transform update-source',
    field: 'description',
    refuses: isForeign,
  }),
]

/** Fields that take several, and how many a lenient server takes. */
const FIELDS: readonly (readonly [
  name: string,
  operation: string,
  field: string,
  requirement: string,
  most: number,
])[] = [
  ['state', 'update-state-variables', 'state', 'STATEVAR-APPLIES', 1],
  ['state-five', 'update-state-variables', 'state', 'STATEVAR-APPLIES', 5],
  ['group', 'create-group-from-pipeline', 'pipeline_transform_ids', 'GROUP-CREATE-COPIES', 1],
  ['inputs', 'update-transform', 'inputs', 'TRANSFORM-UPDATE-REPLACES', 1],
  ['inputs-two', 'update-transform', 'inputs', 'TRANSFORM-UPDATE-REPLACES', 2],
  ['placement', 'add-group-to-pipeline', 'inputs', 'PLACEMENT-PLACES', 1],
  ['switch', 'switch-group-revision', 'inputs', 'REVISION-INPUTS-SET', 1],
]

function cut(value: unknown, most: number): unknown {
  if (Array.isArray(value)) return value.slice(0, most)
  return Object.fromEntries(Object.entries(value as object).slice(0, most))
}

/** Several are refused, or cut. */
export const severalFaults: readonly Fault[] = FIELDS.flatMap(([name, operation, field, requirement, most]) =>
  (['refused', 'cut'] as const).map((how) => {
    const changes = askedBody(operation, (sent) => {
      const value = sent[field]
      if (typeof value !== 'object' || value === null || Object.keys(value).length <= most) return sent
      if (how === 'refused') throw invalid(`/${field}`, 'are too many')
      return { ...sent, [field]: cut(value, most) }
    })
    return fault(
      `several-${name}-${how}`,
      requirement,
      `more than ${most} ${field} of ${operation} are ${how}`,
      changes,
    )
  }),
)
