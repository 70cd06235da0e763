// Measures the cleaning of the worst text of each kind: its time grows with the length of the text and no
// faster. Ends with 1 where that is more than twice what the sizes are apart. Then the time that the recorder takes for
// one body of 1 MB full of secrets, without a limit. And the time for a series of such bodies.
import { parseArgs } from 'node:util'
import { Capture } from '../../fixtures/recording/capture.ts'
import type { RawBody, RawExchange } from '../../fixtures/recording/raw.ts'
import { Cleaner } from '../../fixtures/redact/cleaner.ts'
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

const binding = resolveBinding({ name: 'default', chain: ['default'], files: [shippedBinding('default')] })
const key = Buffer.from('k')
const cleaner = new Cleaner({ binding, key })
const rows: { readonly name: string; readonly times: readonly number[] }[] = []
for (const [name, text] of Object.entries(TEXTS)) {
  if (name.includes(values.only)) rows.push(measured(name, text, (one) => cleaner.body(one, typeOf(name), undefined)))
}

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
  plainTable([['a body of 1 MB', 'time'], ...bodies.map((body) => [body.name, `${captured(body).toFixed(0)} ms`])]),
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
function captured(body: SecretBody): number {
  const capture = new Capture({ binding, baseUrl: 'https://h.example', credentials: new Map(), key })
  const times = Array.from({ length: 7 }, (_, turn) => {
    const raw = { ...EXCHANGE, responseHeaders: ['content-type', body.mimeType], responseBody: bodyOf(body.text(turn)) }
    return spent(() => capture.capture(raw))
  })
  return times.sort((a, b) => a - b)[3] ?? 0
}

function bodyOf(text: string): RawBody {
  const kept = Buffer.from(text)
  return { bytes: kept.length, kept, cut: false }
}
