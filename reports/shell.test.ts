import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { foldShell, quoted, quotedParts } from './shell.ts'
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
