import fc from 'fast-check'

/** The UUID that samples carry. */
export const SAMPLE_UUID = '3f1c9a52-7d64-4b8e-9c0f-5a2e6b7d8c10'

export const NIL_UUID = '00000000-0000-0000-0000-000000000000'

export function uuid(): fc.Arbitrary<string> {
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 8, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: fc.uuid().map((value) => value.toUpperCase()) },
    { weight: 1, arbitrary: fc.constant(SAMPLE_UUID) },
  )
}

/** Texts that come near a UUID and are none. The empty text is not among them. */
export function notUuidEdges(): { label: string; value: string }[] {
  return [
    { label: 'a word', value: 'not-a-uuid' },
    { label: 'a number in text', value: '12345' },
    { label: 'UUID without its last digit', value: SAMPLE_UUID.slice(0, -1) },
    { label: 'UUID with a digit too many', value: `${SAMPLE_UUID}0` },
    { label: 'UUID with a letter that is no hex digit', value: `g${SAMPLE_UUID.slice(1)}` },
    { label: 'UUID with a group missing', value: SAMPLE_UUID.split('-').slice(0, 4).join('-') },
    { label: 'UUID with a hyphen moved', value: `3f1c9a5-27d64${SAMPLE_UUID.slice(13)}` },
    { label: 'UUID with a blank before it', value: ` ${SAMPLE_UUID}` },
    { label: 'UUID with a blank after it', value: `${SAMPLE_UUID} ` },
    { label: 'two UUIDs', value: `${SAMPLE_UUID},${SAMPLE_UUID}` },
  ]
}

/** Random texts that are no UUID; they shrink to a short word. */
export function notUuid(): fc.Arbitrary<string> {
  const word = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), minLength: 1, maxLength: 12 })
  const place = fc.nat({ max: SAMPLE_UUID.length - 1 })
  const cut = fc.tuple(fc.uuid(), fc.integer({ min: 1, max: 35 })).map(([value, length]) => value.slice(0, length))
  const longer = fc.tuple(fc.uuid(), fc.constantFrom(...'0123456789abcdef')).map(([value, digit]) => `${value}${digit}`)
  const changed = fc
    .tuple(fc.uuid(), place, fc.constantFrom(...'ghijklmnopqrstuvwxyz'))
    .map(([value, index, letter]) => `${value.slice(0, index)}${letter}${value.slice(index + 1)}`)
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 3, arbitrary: word },
    { weight: 2, arbitrary: cut },
    { weight: 1, arbitrary: longer },
    { weight: 2, arbitrary: changed },
  )
}
