import { request as ask, type RequestListener } from 'node:http'
import { expect } from 'vitest'
import { CODINGS, SHAPES, TOKENS } from '../../../fixtures/testing/planted.ts'
import { configOf, test } from '../../testing/world.ts'
import { leftAnywhere } from '../testing/left.ts'

const LIST = /^\s*\[\s*\{/
/** A header field carries one byte a character, and no control characters. */
const IN_HEADER = /^(?! )[\x20-\x7e]+(?<! )$/
const IN_SETTING = /^(?! )[^;"\r\n]+(?<! )$/

/** Gives each secret once, of every shape and in every coding by turns. */
function createSecrets() {
  const shapes = [...Object.values(SHAPES), ...Object.values(TOKENS)]
  const tokens = Object.values(TOKENS)
  const codings = Object.values(CODINGS)
  let count = 0
  const next = (allowed = /^/): string => {
    for (;;) {
      count += 1
      const secret = codings[Math.floor(count / shapes.length) % codings.length]?.(
        shapes[count % shapes.length]?.(count) ?? '',
      )
      if (secret !== undefined && allowed.test(secret)) return secret
    }
  }
  let given = 0
  return {
    next(allowed?: RegExp): string {
      given += 1
      return next(allowed)
    },
    /** one that only its shape tells */
    token(): string {
      given += 1
      count += 1
      return tokens[count % tokens.length]?.(count) ?? ''
    },
    given: () => given,
  }
}

/** What somebody else has in the account, with secrets wherever a name or what stands around them tells. */
function ofOthers({ next, token }: Pick<ReturnType<typeof createSecrets>, 'next' | 'token'>): object {
  return {
    id: '5d2c1f0e-0000-4000-8000-00000000f00d',
    title: 'of others',
    name: 'of others',
    user_config: {
      password: next(),
      api_keys: ['x', next()],
      script: JSON.stringify({ clientSecret: next() }),
      env: [{ name: 'DB_PASSWORD', value: next() }],
      login: `https://u:${encodeURIComponent(next())}@h.test/x`,
      connection: `Server=h;Password=${next(IN_SETTING)};User Id=u`,
      link: `https://h.test/x?a=1&token=${encodeURIComponent(next())}`,
      session: next(),
      password_hash: next(),
      credentials: { user: 'x', list: [next(), next()] },
      xml: `<a><secret>${next(/^[^<>&]*$/)}</secret></a>`,
      headers: [['authorization', `Bearer ${next()}`]],
      words: ['login', '--password', next(/^[^-]/)],
      table: `user,password\nbob,"${next().replaceAll('"', '""')}"\n`,
      coded: Buffer.from(JSON.stringify({ password: next() })).toString('base64'),
      command: `curl -u me:${next(/^[^\s;&"'<>,|()[\]{}`\\]{8,}[\w]$/)} https://h.test/`,
      note: `it was ${token()} then`,
      form: `a=1&user[password]=${encodeURIComponent(next())}`,
      yaml: `env:\n- name: DB_PASSWORD\n  value: ${JSON.stringify(next())}\nargs:\n- --password\n- ${JSON.stringify(next(/^[^-]/))}\n`,
      manifest: { kind: 'Secret', stringData: { login: next() }, data: { a: Buffer.from(next()).toString('base64') } },
      result: { rows: [['bob', next()]], columns: [{ name: 'user' }, { name: 'password' }] },
      output: { sensitive: true, value: next() },
      sql: `ALTER USER bob IDENTIFIED BY '${next(/^[^\\]+$/).replaceAll("'", "''")}';`,
      netrc: `machine h.test login u password ${next(/^\S+$/)}`,
    },
  }
}

test('of more than 20,000 secrets that the answers of a target hold, nothing is in what a run leaves', {
  timeout: 600_000,
}, async ({ world }) => {
  const served = await world.serve()
  const secrets = createSecrets()
  const { hostname, port } = new URL(served.url)
  const planting: RequestListener = (incoming, response) => {
    const { method, headers, url: path } = incoming
    const onward = ask({ hostname, port, path, method, headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const body = LIST.test(text)
          ? JSON.stringify([...JSON.parse(text), ofOthers(secrets), ofOthers(secrets)])
          : text
        const { 'content-length': _length, 'transfer-encoding': _coding, ...rest } = answer.headers
        response.writeHead(answer.statusCode ?? 502, {
          ...rest,
          'x-api-key': secrets.next(IN_HEADER),
          'x-vault-token': secrets.next(IN_HEADER),
          'set-cookie': `sid=${secrets.next(/^[^;\s"]+$/).replace(/[^\x21-\x7e]/g, 'x')}; Path=/`,
          link: `</x?page_token=${encodeURIComponent(secrets.next())}>; rel="next"`,
        })
        response.end(body)
      })
    })
    onward.on('error', () => response.destroy())
    incoming.pipe(onward)
  }
  const url = await world.http(planting)
  world.write('assay.config.json', configOf(served, { baseUrl: url }))
  const words = ['--record', 'rec', '--bundle', 'run.bundle', '--out', 'report', '--key-file', 'key']
  const reporters = ['--reporter', 'ctrf', 'markdown', 'text', 'table', 'badge-json']
  const said: Record<string, string> = {}
  const run = async (...args: string[]): Promise<void> => {
    const { stdout, stderr } = await world.assay(args, { longest: 400_000 })
    said[args.slice(0, 2).join(' ')] = `${stdout}\n${stderr}`
  }
  await run('certify', '--profile', 'quick', '--seed', '5', ...words, ...reporters)
  await run('verify', 'run.bundle')
  await run('check', 'rec', '--out', 'checked')
  for (const format of ['junit', 'html', 'markdown']) await run('report', `render`, 'report', '--format', format)
  await run('report', 'compare', 'report', 'checked')
  await run('fixtures', 'export', 'rec', '--out', 'out.har')

  expect(secrets.given()).toBeGreaterThan(20_000)
  expect(leftAnywhere(said, 'utf8', world.folder)).toEqual({ told: {}, files: {} })
})
