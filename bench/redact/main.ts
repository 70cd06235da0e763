// Measures the search for secrets on the worst text of each kind: its time grows with the length of the text and no
// faster. Ends with 1 where that is more than twice what the sizes are apart. Then the time that the recorder takes for
// one body of 1 MB full of secrets, without a limit. And the time for a series of such bodies.
import { parseArgs } from 'node:util'
import { createCapture } from '../../fixtures/recording/capture.ts'
import type { RawBody, RawExchange } from '../../fixtures/recording/raw.ts'
import { createTextRedactor } from '../../fixtures/redact/engine.ts'
import { createKnownSecrets } from '../../fixtures/redact/known.ts'
import { resolveBinding, shippedBinding } from '../../schemas/binding.ts'
import { plainTable } from '../figures.ts'
import { type SecretBody, secretBodies } from './secrets.ts'
import { MB, TEXTS, type Text, textOf, typeOf } from './texts.ts'

const { values } = parseArgs({
  options: { sizes: { type: 'string', default: '1,2,4,8' }, only: { type: 'string', default: '' } },
})
const sizes = values.sizes.split(',').map(Number)
/** Below, the time of a text is that of anything else. */
const LEAST_MS = 5
/** How much more than in proportion a busy machine makes of it. */
const TOLERANCE = 2

/** 800 secrets that begin alike, each of another length, and a text that is like all of them: the worst for the search. */
function knownSecrets(): (text: string) => string {
  const known = createKnownSecrets({ encode: true })
  for (let length = 8; length < 808; length += 1) known.add(`${'a'.repeat(length)}b`, () => 'hidden')
  return (text) => known.clean(text)
}

const EXCHANGE: RawExchange = {
  ...{
    id: 'x',
    startedAt: 0,
    endedAt: 1,
    method: 'GET',
    url: '/v1/config/view',
    httpVersion: '1.1',
    requestHeaders: [],
  },
  ...{
    requestBody: { bytes: 0, kept: Buffer.alloc(0), cut: false },
    status: 200,
    statusText: 'OK',
    responseHeaders: [],
  },
  ...{ responseTrailers: [], responseBody: { bytes: 0, kept: Buffer.alloc(0), cut: false }, outcome: 'complete' },
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
const bodies = secretBodies([5_000, 15_000, 30_000]).filter(({ name }) => name.includes(values.only))
process.stdout.write(
  plainTable([
    ['a body of 1 MB', 'alone', 'one after the other', 'searched'],
    ...bodies.map((body) => {
      const alone = captured(body, { each: 1e9 })
      const busy = captured(body, { each: 50 })
      return [body.name, `${alone.ms.toFixed(0)} ms`, `${busy.ms.toFixed(0)} ms`, busy.leftOut === 0 ? 'yes' : 'no']
    }),
  ]),
)
if (grown.some(({ isLinear }) => !isLinear)) process.exitCode = 1

/** The best of two: what else the machine does takes time as well. */
function measured(
  name: string,
  text: Text,
  run: (text: string) => unknown,
): { readonly name: string; readonly times: readonly number[] } {
  const times = sizes.map((size) => {
    const whole = textOf(text, Math.floor(size * MB))
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

/** The median of what the recorder takes for one of some such bodies. */
function captured(
  body: SecretBody,
  budget: { readonly each: number },
): { readonly ms: number; readonly leftOut: number } {
  const binding = resolveBinding({ name: 'default', chain: ['default'], files: [shippedBinding('default')] })
  const given = { binding, baseUrl: 'https://h.example', credentials: new Map(), key: Buffer.from('k') }
  const capture = createCapture(budget ? { ...given, budget } : given)
  const times = Array.from({ length: 7 }, (_, turn) => {
    const raw = { ...EXCHANGE, responseHeaders: ['content-type', body.mimeType], responseBody: bodyOf(body.text(turn)) }
    return spent(() => capture.capture(raw))
  })
  return { ms: times.sort((a, b) => a - b)[3] ?? 0, leftOut: capture.leftOut() }
}

function bodyOf(text: string): RawBody {
  const kept = Buffer.from(text)
  return { bytes: kept.length, kept, cut: false }
}
