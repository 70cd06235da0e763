import fc from 'fast-check'

/** What a text is for, told by the name of its field, where any other text would be wrong or would reach outsiders. */
export interface TextHint {
  readonly sample: string
  readonly arbitrary: fc.Arbitrary<string>
}

const word: fc.Arbitrary<string> = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'),
  minLength: 1,
  maxLength: 12,
})

const ADDRESS: TextHint = {
  sample: 'assay@example.com',
  arbitrary: word.map((name) => `${name}@example.com`),
}

const URL_HINT: TextHint = {
  sample: 'https://example.com/assay',
  arbitrary: word.map((path) => `https://example.com/${path}`),
}

const ZONE: TextHint = {
  sample: 'UTC',
  arbitrary: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'),
}

const HINTS: ReadonlyMap<string, TextHint> = new Map([
  ['email', ADDRESS],
  ['emails', ADDRESS],
  ['url', URL_HINT],
  ['timezone', ZONE],
])

/** The hint for a field of that name. Addresses and URLs use reserved names only, so that nothing reaches outsiders. */
export function textHint(name: string): TextHint | undefined {
  return HINTS.get(name)
}
