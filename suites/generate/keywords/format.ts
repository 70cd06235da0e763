import fc from 'fast-check'
import { SAMPLE_UUID } from '../values/text.ts'
import type { Keyword } from './keyword.ts'

const [HEAD = '', ...GROUPS] = SAMPLE_UUID.split('-')

/** Texts that come near a UUID and are none: the one format that the schemas use. */
const NEARLY: readonly (readonly [label: string, value: string])[] = [
  ['a word', 'not-a-uuid'],
  ['a number in text', '12345'],
  ['UUID without its last digit', SAMPLE_UUID.slice(0, -1)],
  ['UUID with a digit too many', `${SAMPLE_UUID}0`],
  ['UUID with a letter that is no hex digit', `g${SAMPLE_UUID.slice(1)}`],
  ['UUID with a group missing', [HEAD, ...GROUPS.slice(0, -1)].join('-')],
  ['UUID with a hyphen moved', `${HEAD.slice(0, -1)}-${HEAD.slice(-1)}${GROUPS.join('-')}`],
  ['UUID with a blank before it', ` ${SAMPLE_UUID}`],
  ['UUID with a blank after it', `${SAMPLE_UUID} `],
  ['two UUIDs', `${SAMPLE_UUID},${SAMPLE_UUID}`],
  ['empty text', ''],
]

export const format: Keyword = {
  bad: () => ({
    edges: NEARLY.map(([label, value]) => ({ label, value })),
    arbitrary: fc.oneof(
      { withCrossShrink: true },
      fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), minLength: 1, maxLength: 12 }),
      // a UUID with one character changed, left out or doubled
      fc
        .tuple(fc.uuid(), fc.nat({ max: SAMPLE_UUID.length - 1 }), fc.constantFrom('', 'g', 'z', '_', ' ', '00'))
        .map(([value, at, put]) => value.slice(0, at) + put + value.slice(at + 1)),
    ),
  }),
}
