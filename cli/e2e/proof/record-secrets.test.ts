import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { RawExchange } from '../../../fixtures/recording/raw.ts'
import { rawExchange } from '../../../fixtures/testing/recording.ts'
import { ALPHABETS, ECHOES, EMAILS, OF_IDS, PLACES, searched, UNTOLD } from '../../../fixtures/testing/secrets.ts'
import { test } from '../../testing/world.ts'
import { eventsOf, fetched, idsIn } from '../testing/page-told.ts'
import { rawTarget, requestOf, sendRaw } from '../testing/raw-target.ts'

/** More than 400 secrets in every place and coding, and the exchanges that hold them. */
function planted(): { secrets: string[]; exchanges: RawExchange[] } {
  const secrets: string[] = []
  const exchanges: RawExchange[] = []
  let number = 0
  const next = (alphabet: (n: number) => string): string => {
    number += 1
    const secret = alphabet(number)
    secrets.push(secret)
    return secret
  }
  // An id stays where nothing tells that it is a secret: docs/secrets.md says so.
  const alphabetsIn = (where: string): typeof ALPHABETS =>
    UNTOLD.includes(where) ? ALPHABETS.slice(0, OF_IDS) : ALPHABETS
  for (const [where, place] of Object.entries(PLACES)) {
    for (const alphabet of alphabetsIn(where)) exchanges.push(rawExchange(...place(next(alphabet))))
  }
  for (const echo of Object.values(ECHOES)) {
    for (const alphabet of ALPHABETS.slice(0, OF_IDS)) {
      const secret = next(alphabet)
      exchanges.push(rawExchange('GET /v3/pipeline', { requestHeaders: ['Authorization', `Token ${secret}`] }))
      exchanges.push(rawExchange(...echo(secret)))
    }
  }
  for (const place of Object.values(EMAILS)) {
    exchanges.push(rawExchange(...place(next((n) => `Alice.${n}+x@corp.test`))))
  }
  // What only a recorder sees, and no wire carries.
  const sendable = exchanges.filter(({ outcome, responseBody }) => outcome === 'complete' && !responseBody.cut)
  return { secrets, exchanges: sendable }
}

async function eventually<T>(look: () => T | undefined): Promise<T> {
  for (let turn = 0; turn < 200; turn += 1) {
    const found = look()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('what was waited for did not come about')
}

/** Every byte of every file, uncompressed, with their names. */
function filesIn(folder: string): string {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path).isFile())
    .map((path) => {
      const bytes = readFileSync(path)
      return `${path}\n${(path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1')}`
    })
    .join('\n')
}

test.concurrent.for([
  ['as it is by itself', []],
  ['with long bodies cut', ['--max-body', '20']],
  ['with long bodies whole', ['--max-body', '20', '--full-bodies']],
] as const)(
  'more than 400 secrets are in no file, log or page of a recording (%s)',
  async ([, args], { world, expect }) => {
    const { secrets, exchanges } = planted()
    expect(new Set(secrets).size).toBeGreaterThan(400)
    const words = ['--listen', '127.0.0.1:0', '--binding', 'reference', '--out', 'rec', '--ui', ...args]
    const running = world.start(['record', '--target', await rawTarget(world, exchanges), ...words])
    const [, port = ''] = await running.said(/Recording on \S+:(\d+),/)
    const [, page = ''] = await running.said(/shown on (\S+)\//)
    const events = eventsOf(page)
    const seen = (): string[] => idsIn(events())
    for (const [number, exchange] of exchanges.entries()) {
      await sendRaw(Number(port), [requestOf(exchange, number)])
      // The page leaves rows out where many come at once.
      const sent = number + 1
      if (sent % 100 === 0) await eventually(() => (seen().length >= sent ? true : undefined))
    }
    const ids = await eventually(() => (seen().length >= exchanges.length ? seen() : undefined))
    const shown = [await fetched(`${page}/`)]
    for (const id of ids) shown.push(await fetched(`${page}/exchange/${id}`))
    running.child.kill('SIGHUP')
    const ended = await running.ended
    shown.push(events())
    expect(shown.join('').length).toBeGreaterThan(200_000)
    expect(ended.stdout, ended.stderr).toMatch(new RegExp(`exchanges +${exchanges.length},`))
    const exported = await world.assay(['fixtures', 'export', 'rec', '--out', 'rec.har'])
    expect(exported.code, exported.stderr).toBe(0)
    const all = [ended.stdout, ended.stderr, ...shown, filesIn(world.folder)].join('\n')
    expect(all).toContain('/v1/config/presetalert')
    expect(secrets.filter((secret) => searched(secret).some((form) => all.includes(form)))).toEqual([])
  },
)
