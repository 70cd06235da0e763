// What finds secrets, on the worst text of each kind: its time grows with the length of the text and no faster.
//   node dist/bench/redact/main.js [--sizes 1,2,4,8] [--only <part of a name>]
// Prints milliseconds of CPU of each size in MB, and how many times those of the smallest one the largest takes. Ends with
// 1 where that is more than twice what the sizes are apart.
import { parseArgs } from 'node:util'
import { createTextRedactor } from '../../fixtures/redact/engine.ts'
import { createKnownSecrets } from '../../fixtures/redact/known.ts'
import { plainTable } from '../figures.ts'

const { values } = parseArgs({
  options: { sizes: { type: 'string', default: '1,2,4,8' }, only: { type: 'string', default: '' } },
})
const sizes = values.sizes.split(',').map(Number)
const MB = 1 << 20
/** Below, the time of a text is that of anything else. */
const LEAST_MS = 5
/** How much more than in proportion a busy machine makes of it. */
const TOLERANCE = 2

/** A part of a text that is repeated, or what makes a text of a length. */
type Text = string | ((length: number) => string)

const numbered = (part: (n: number) => string): Text => {
  return (length) => {
    const parts: string[] = []
    for (let done = 0; done < length; ) {
      const one = part(parts.length)
      parts.push(one)
      done += one.length
    }
    return parts.join('')
  }
}

const TEXTS: Readonly<Record<string, Text>> = {
  'a setting with many brackets': (length) => `password=${')'.repeat(length)}`,
  'settings without values': 'password=',
  'settings of many names': numbered((n) => `n${n}key=v${n}abc12 `),
  'settings with quotes': 'token="',
  'settings with escaped quotes': 'token=\\"',
  'settings that may be a connection': ';key=',
  'settings with blanks': 'key = ',
  'names with colons': 'token:',
  'names with colons and blanks': 'key: ',
  'names of fields in sentences': numbered((n) => `n${n}key: `),
  'equals signs': '=',
  colons: ':',
  'addresses with a password that has no end': '://a:',
  'addresses with a port': '://a:1/@',
  'addresses with a blank': '://a: @',
  'users of addresses': '://aaaaaaaa',
  'signs of e-mail': 'a@',
  'domains that go on': 'a@b.',
  'e-mail addresses': numbered((n) => `u${n}@corp.test,`),
  'e-mail behind colons': 'x:a@b.c ',
  'e-mail that is percent-encoded': 'a%40b.c ',
  'percent-encoded signs': '%40',
  'one long word before a sign': (length) => `${'a'.repeat(length)}@=:`,
  'words of schemes': 'Bearer ',
  'a scheme with many blanks': (length) => `Bearer${' '.repeat(length)}`,
  'keys without end': '-----BEGIN PRIVATE KEY-----',
  'keys without a kind': '-----BEGIN ',
  'beginnings of tokens': 'eyJ',
  'tokens of two parts': 'eyJabcdefgh.abcdefgh ',
  'a token of many parts': (length) => `eyJ${'a.aaaa'.repeat(length / 6)}`,
  'addresses that are percent-encoded': '%3A%2F%2F ',
  'percent-encoded in one': '%3A',
  escapes: '\\u0041',
  backslashes: '\\',
  quotes: '"',
  'apostrophes with backslashes': (length) => `{'${"\\'".repeat(length / 2)}`,
  'fields of JSON': (length) => `[${(numbered((n) => `{"key":"k${n}"},`) as (length: number) => string)(length)}1]`,
  'fields that stand beside their names': (length) =>
    `${'{"name":"password","value":{"a":'.repeat(60)}"${'x1'.repeat(length / 2)}"${'}}'.repeat(60)}`,
  'JSON that is never closed': '[{"a":',
  'JSON with blanks': (length) => `{"a"${' '.repeat(length)}"b"`,
  'elements that are never closed': '<a>',
  'tags without end': '<a b=',
  'attributes without end': "<a b='",
  'data without end': '<![CDATA[',
  'comments without end': '<!--',
  'elements beside their keys': '<key>token</key>',
  'parts of a form': '--x\r\ncontent-disposition: form-data; name="token"\r\n\r\nabc12345\r\n',
  'fields of a form': 'token[]=abc&',
  'names with brackets': 'a=[[[[',
}

/** 800 secrets that begin alike, each of another length, and a text that is like all of them: the worst for the search. */
function knownSecrets(): (text: string) => string {
  const known = createKnownSecrets({ encode: true })
  for (let length = 8; length < 808; length += 1) known.add(`${'a'.repeat(length)}b`, () => 'hidden')
  return (text) => known.clean(text)
}

const redactor = createTextRedactor({ hide: (secret) => 'x'.repeat(secret.length), clean: (text) => text })
const rows: { readonly name: string; readonly times: readonly number[] }[] = []
for (const [name, text] of Object.entries(TEXTS)) {
  if (name.includes(values.only)) rows.push(measured(name, text, (one) => redactor.body(one, typeOf(name), undefined)))
}
if ('known secrets'.includes(values.only)) rows.push(measured('known secrets', 'a', knownSecrets()))

const least = sizes[0] ?? 1
const most = sizes.at(-1) ?? 1
const grown = rows.map(({ name, times }) => {
  const ratio = Math.max(times.at(-1) ?? 0, LEAST_MS) / Math.max(times[0] ?? 0, LEAST_MS)
  return { name, times, ratio, isLinear: ratio <= (most / least) * TOLERANCE }
})
process.stdout.write(
  plainTable([
    ['text', ...sizes.map((size) => `${size} MB`), 'ratio', ''],
    ...grown.map(({ name, times, ratio, isLinear }) => [
      name,
      ...times.map((time) => `${time.toFixed(0)} ms`),
      ratio.toFixed(1),
      isLinear ? 'ok' : 'NOT LINEAR',
    ]),
  ]),
)
if (grown.some(({ isLinear }) => !isLinear)) process.exitCode = 1

function typeOf(name: string): string {
  return name === 'parts of a form' ? 'multipart/form-data; boundary=x' : 'text/plain'
}

/** The best of two: what else the machine does takes time as well. */
function measured(
  name: string,
  text: Text,
  run: (text: string) => unknown,
): { readonly name: string; readonly times: readonly number[] } {
  const times = sizes.map((size) => {
    const length = Math.floor(size * MB)
    const whole = typeof text === 'string' ? text.repeat(Math.ceil(length / text.length)) : text(length)
    return Math.min(...[1, 2].map(() => spent(() => run(whole))))
  })
  process.stderr.write(`${name}: ${times.map((time) => time.toFixed(0)).join(', ')} ms\n`)
  return { name, times }
}

function spent(action: () => unknown): number {
  const before = process.cpuUsage()
  action()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
