import { MB } from './texts.ts'

/** A body of about 1 MB that is full of secrets. */
export interface SecretBody {
  readonly name: string
  readonly mimeType: string
  /** no two turns have a secret in common */
  text(turn: number): string
}

/** What stands around one secret, and how much text stands beside each. */
type Shape = readonly [mimeType: string, one: (secret: string) => string, between: string, filling: string]

const SHAPES: Readonly<Record<string, Shape>> = {
  JSON: ['application/json', (secret) => `{"password":"${secret}"}`, ',', ' '],
  'lines of JSON': ['application/x-ndjson', (secret) => `{"token":"${secret}"}`, '\n', ' '],
  'fields of a form': ['application/x-www-form-urlencoded', (secret) => `token[]=${secret}`, '&', 'a=b&'],
  XML: ['application/xml', (secret) => `<password>${secret}</password>`, '', ' b'],
  text: ['text/plain', (secret) => `password=${secret}`, '\n', ' b'],
  'e-mail addresses': ['text/plain', (secret) => `${secret}@corp.test`, '\n', ' b'],
  'addresses with passwords': ['text/plain', (secret) => `https://u:${secret}@h.example/`, '\n', ' b'],
  tokens: ['text/plain', (secret) => `eyJ${secret}.eyJ${secret}.aaaa`, '\n', ' b'],
  'JSON with escapes': ['application/json', (secret) => `{"password":"\\u0041${secret}"}`, ',', ' '],
}

export function secretBodies(counts: readonly number[]): SecretBody[] {
  return Object.entries(SHAPES).flatMap(([shape, [mimeType, one, between, filling]]) =>
    counts.map((count) => ({
      name: `${shape}, ${count.toLocaleString('en-US')} secrets`,
      mimeType,
      text(turn) {
        const room = Math.floor(MB / count)
        const parts = Array.from({ length: count }, (_, index) => {
          const part = one(madeUp(index, turn))
          const free = Math.floor((room - part.length - between.length) / filling.length)
          return part + filling.repeat(Math.max(0, free))
        })
        const all = parts.join(between)
        return mimeType === 'application/json' ? `[${all}]` : all
      },
    })),
  )
}

/** What nobody would take for a word. */
function madeUp(index: number, turn: number): string {
  let state = Math.imul(index * 4_096 + turn + 1, 2_654_435_761) >>> 0
  let made = ''
  for (let part = 0; part < 4; part += 1) {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_519) >>> 0
    made += state.toString(36).padStart(7, 'a').slice(0, 6)
  }
  return made
}
