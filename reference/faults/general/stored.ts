import { askedBody, type Json, refused } from '../core/changes.ts'
import { type Changes, type Fault, fault } from '../core/fault.ts'
import type { Coded } from '../core/rows.ts'

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

/** Faults in what good texts become where they are stored. */
export const storedFaults: readonly Fault[] = TEXTS.flatMap(([operation, field, requirement, ways]) =>
  ways.split(' ').map((way) => {
    const [about, spoil] = SPOILS[way] ?? [way, String]
    const changes = spoilt(operation, field, spoil)
    return fault(`${operation}-${field}-${way}`, requirement, `${field} of ${operation} ${about}`, changes)
  }),
)

/** Text is counted in bytes where the text of the specification counts characters. */
function inBytes(operations: string, field: string, most: number): Changes {
  return refused(operations, ({ body }) => Buffer.byteLength(String((body as Json)[field])) > most)
}

/** Good texts are refused for their length. */
export const lengthFaults: Coded = {
  'node-title-bytes': inBytes('update-transform update-source', 'title', 512),
  'group-title-bytes': inBytes('create-group-from-pipeline', 'title', 512),
}
