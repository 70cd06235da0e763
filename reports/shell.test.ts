// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what would act in the code that is made
import { execFileSync } from 'node:child_process'
import { describe, expect, test, vi } from 'vitest'
import { exchange as anExchange } from '../rules/testing.ts'
import type { Exchange, HarHeader } from '../schemas/types/exchange.ts'
import { curlLine, fetchCall, foldShell, quoted, quotedParts } from './shell.ts'
import { widthOf } from './text.ts'

/** The words that bash reads in a line, without the last NUL. */
function read(line: string, env: Record<string, string> = {}): string[] {
  return execFileSync('bash', ['--norc', '-c', `printf '%s\\0' ${line}`], {
    env: { LC_ALL: 'C', SHLVL: '1', ...env },
    encoding: 'utf8',
  })
    .split('\0')
    .slice(0, -1)
}

const NASTY = [
  '',
  'plain',
  'two words',
  "it's",
  `"double" \`ticks\` $HOME $(id) \\ back`,
  '!history !!',
  '{"title":"<b>\'x\'</b>"}',
  'line\nbreak\ttab\rreturn',
  '\u001b[2J\u0007\u007f\u0085',
  "\u001b'\\n",
  '\u202e漢字 😀 é',
  '*?[a]{b,c}~;&|<>#()',
]

describe('quoted', () => {
  test.each(NASTY)('a shell reads %j as it is', (text) => {
    expect(read(quoted(text))).toEqual([text])
  })

  test('the line holds no character that acts on a terminal', () => {
    for (const text of NASTY) expect(quoted(text)).not.toMatch(/[\p{Cc}\u202e]/u)
  })

  test('a harmless word stays bare', () => {
    expect(quoted('http://127.0.0.1:80/v1/config')).toBe('http://127.0.0.1:80/v1/config')
  })
})

describe('quotedParts', () => {
  test('a variable stands in double quotes with the simple text around it', () => {
    const word = quotedParts(['Authorization: Token ', { variable: 'ASSAY_ACCESS_TOKEN' }])
    expect(word).toBe('"Authorization: Token $ASSAY_ACCESS_TOKEN"')
    expect(read(word, { ASSAY_ACCESS_TOKEN: 'a b*' })).toEqual(['Authorization: Token a b*'])
  })

  test('letters that follow a variable do not lengthen its name', () => {
    expect(read(quotedParts([{ variable: 'A' }, 'bc']), { A: 'x' })).toEqual(['xbc'])
  })

  test.each(NASTY)('%j around a variable stays literal', (text) => {
    expect(read(quotedParts([text, { variable: 'A' }, text]), { A: 'x y' })).toEqual([`${text}x y${text}`])
  })
})

describe('foldShell', () => {
  const line = ['curl', '-X PUT', ...NASTY.map(quoted), quoted(`${'abc '.repeat(60)}'\u001b\u009f`.repeat(3))].join(' ')
  const long = `${line} ${quotedParts([`{"a":"${'é漢'.repeat(100)}`, { variable: 'TOKEN' }, '"}'])} "Authorization: Token $TOKEN"`

  test.each([24, 40, 80, 200])('in %i columns a shell reads the same words', (columns) => {
    const lines = foldShell(long, columns)
    expect(lines.length).toBeGreaterThan(3)
    expect(read(lines.join('\n'), { TOKEN: 'secret' })).toEqual(read(long, { TOKEN: 'secret' }))
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(columns)
  })

  test('a short line is left alone', () => {
    expect(foldShell('curl -sS http://a', 80)).toEqual(['curl -sS http://a'])
  })

  test('it breaks between words where it can', () => {
    expect(foldShell("curl -X PUT 'http://example.com/a b'", 28)).toEqual([
      'curl -X PUT \\',
      "  'http://example.com/a b'",
    ])
  })
})

interface Given {
  method?: string
  url?: string
  headers?: HarHeader[]
  body?: string
}

function exchange({
  method = 'PUT',
  url = 'http://127.0.0.1:8080/v3/pipeline/a',
  headers = [],
  body,
}: Given): Exchange {
  const made = anExchange(`${method} /`, { id: 'case/1', sent: body })
  return { ...made, request: { ...made.request, url, headers } }
}

const JSON_TYPE = { name: 'content-type', value: 'application/json' }

/** The arguments that curl would get, and what it would read from its standard input. */
function run(line: string): { args: string[]; input: string } {
  const script = `curl() { printf '%s\\0' "$@"; printf '\\1'; if [ "$PIPED" ]; then cat; fi; }; ${line}`
  const env = {
    ASSAY_ACCESS_TOKEN: 't o*k',
    LC_ALL: 'C',
    SHLVL: '1',
    ...(line.startsWith('printf') ? { PIPED: '1' } : {}),
  }
  const output = execFileSync('bash', ['--norc', '-c', script], { env, encoding: 'utf8', input: '' })
  const split = output.lastIndexOf('\u0001')
  return { args: output.slice(0, split).split('\0').slice(0, -1), input: output.slice(split + 1) }
}

describe('curlLine', () => {
  test('a secret stands in the variable that the configuration takes it from', () => {
    const value = 'Token <access-token:configured>'
    const line = curlLine(exchange({ headers: [{ name: 'authorization', value }] }), { 'access-token': 'MY_TOKEN' })
    expect(line).toContain('"authorization: Token $MY_TOKEN"')
  })

  test('a request as a person would type it', () => {
    const line = curlLine(
      exchange({
        headers: [{ name: 'authorization', value: 'Token <access-token:configured>' }, JSON_TYPE],
        body: '{"title":"a"}',
      }),
    )
    expect(line).toBe(
      `curl -sS -i -g -X PUT -H "authorization: Token $ASSAY_ACCESS_TOKEN" -H 'content-type: application/json' --data-raw '{"title":"a"}' http://127.0.0.1:8080/v3/pipeline/a`,
    )
  })

  test.each([
    ['servicekey', '<service-key:configured>', '$ASSAY_SERVICE_KEY'],
    ['enterprise-servicekey', '<enterprise-key:configured>', '$ASSAY_ENTERPRISE_SERVICE_KEY'],
    ['apikey', '<ingestion-key:configured>', '$ASSAY_INGESTION_KEY'],
    ['authorization', 'Bearer <iam:configured>', 'Bearer $ASSAY_IAM_TOKEN'],
  ])('%s: %s becomes %s', (name, value, expected) => {
    expect(curlLine(exchange({ headers: [{ name, value }] }))).toContain(`"${name}: ${expected}"`)
  })

  test('a credential that was not the configured one stays a placeholder', () => {
    const line = curlLine(exchange({ headers: [{ name: 'authorization', value: 'Token <access-token:other>' }] }))
    expect(line).toContain("-H 'authorization: Token <access-token:other>'")
  })

  test('secrets in the URL and in the body become variables', () => {
    const line = curlLine(
      exchange({ url: 'http://a/x?k=%3Caccess-token%3Aconfigured%3E&y', body: '{"k":"<access-token:configured>"}' }),
    )
    expect(run(line).args).toEqual(expect.arrayContaining(['http://a/x?k=t o*k&y', '{"k":"t o*k"}']))
  })

  test.each(['DELETE', 'PUT'])('bytes of a %s that are no text reach the target as they were', (method) => {
    const bytes = Buffer.from([0, 1, 37, 39, 92, 255, 128, 10])
    const one = exchange({ headers: [], body: bytes.toString('base64') })
    const { postData } = one.request
    const request = {
      ...one.request,
      method,
      ...(postData && { postData: { ...postData, encoding: 'base64' as const } }),
    }
    const [printf = '', curl = ''] = curlLine({ ...one, request }).split(' | ')
    expect(execFileSync('bash', ['--norc', '-c', printf], { encoding: 'buffer' })).toEqual(bytes)
    expect(curl).toMatch(/^curl .*--data-binary @- /)
  })

  test('whatever stands in a body reaches the target as it was', () => {
    const body = `{"t":"it's \`id\` $(id) $HOME !x \u001b[0m \\u0000 é 漢 \u202e\n"}`
    const { args } = run(curlLine(exchange({ headers: [JSON_TYPE], body })))
    expect(args[args.indexOf('--data-raw') + 1]).toBe(body)
  })

  test('a body with a NUL goes in through a pipe', () => {
    const body = "a\0b\u001b\\ 100% it's"
    const line = curlLine(exchange({ headers: [JSON_TYPE], body }))
    expect(line).toMatch(/^printf .* \| curl /)
    expect(run(line).input).toBe(body)
    expect(line).not.toMatch(/\p{Cc}/u)
  })

  test('a body too long for an argument is named, not written out', () => {
    const line = curlLine(exchange({ headers: [JSON_TYPE], body: 'x'.repeat(200_000) }))
    expect(line).toContain('--data-binary @case-1.body')
    expect(line.length).toBeLessThan(300)
  })

  test('a body without a content type is not turned into a form', () => {
    expect(curlLine(exchange({ body: '{}' }))).toContain("-H 'Content-Type:'")
  })

  test('an empty header field is sent, the ones that belong to the connection are not', () => {
    const headers = ['Host', 'Connection', 'Content-Length'].map((name) => ({ name, value: 'x' }))
    const line = curlLine(exchange({ method: 'GET', headers: [...headers, { name: 'x-empty', value: '' }] }))
    expect(line).toBe("curl -sS -i -g -H 'x-empty;' http://127.0.0.1:8080/v3/pipeline/a")
  })

  test('dots in a path are sent as they stand', () => {
    expect(curlLine(exchange({ url: 'http://a/v1/../x' }))).toContain('--path-as-is')
    expect(curlLine(exchange({ url: 'http://a/v1/x' }))).not.toContain('--path-as-is')
  })
})

const sentAs = (request: object) =>
  ({
    request: { method: 'POST', url: 'http://t.example.com/v1/x?y=1', headers: [], ...request },
  }) as unknown as Exchange

/** What the call gives to `fetch`. */
async function called(text: string): Promise<unknown> {
  const fetch = vi.fn()
  vi.stubEnv('ASSAY_ACCESS_TOKEN', 'the-secret')
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor
  await new AsyncFunction('fetch', text)(fetch)
  vi.unstubAllEnvs()
  return fetch.mock.calls[0]
}

describe('a call of fetch', () => {
  test('sends what was sent, whatever stands in it', async () => {
    const hostile = 'a`${1}\\ "q" \u202e\u001b</script>\n'
    const text = fetchCall(
      sentAs({
        headers: [
          { name: 'Host', value: 'proxy' },
          { name: 'X-A', value: hostile },
          { name: 'Authorization', value: 'Token <access-token:configured>' },
        ],
        postData: { mimeType: '', text: hostile },
      }),
    )
    for (const acting of ['\u202e', '\u001b']) expect(text).not.toContain(acting)
    expect(await called(text)).toEqual([
      'http://t.example.com/v1/x?y=1',
      {
        method: 'POST',
        headers: [
          ['X-A', hostile],
          ['Authorization', 'Token the-secret'],
        ],
        body: hostile,
      },
    ])
  })

  test('takes a secret from the environment also where the text around it would act', async () => {
    const around = '`${x} \\ " <access-token:configured> `'
    const text = fetchCall(sentAs({ postData: { mimeType: '', text: around } }))
    expect(await called(text)).toMatchObject([expect.anything(), { body: '`${x} \\ " the-secret `' }])
  })

  test('sends bytes as bytes, and says where some are missing', async () => {
    const text = fetchCall(sentAs({ postData: { mimeType: '', text: 'AP8=', encoding: 'base64', _cut: true } }))
    expect(text).toMatch(/^\/\/ Only the beginning/)
    expect(await called(text)).toMatchObject([expect.anything(), { body: new Uint8Array([0, 255]) }])
  })
})
