// The worst text of each kind for what finds secrets.

export const MB: number = 1 << 20

/** A part of a text that is repeated, or what makes a text of a length. */
export type Text = string | ((length: number) => string)

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

export const TEXTS: Readonly<Record<string, Text>> = {
  'log lines': numbered(
    (n) =>
      `2026-11-24T08:49:43.${100 + (n % 900)}Z INFO [http-${n % 32}] connection refused by db${n % 90}.corp.internal: ` +
      `user=u${(n * 7) % 2_000}x trace=${(n * 2_654_435_761 + 2 ** 44).toString(16)} took ${n % 3_000} ms\n`,
  ),
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
  'options of commands': ' --token',
  'options with values': ' --password a1b2',
  commands: 'curl -u ',
  'beginnings of tokens of vendors': 'ghp_',
  'letters with slashes': 'abcd/',
  'what may be base64': 'eyJhIjoxfXt9 ',
  'base64 in base64': (length) => Buffer.from('{"a":1}'.repeat(length / 10)).toString('base64'),
  'columns of secrets': 'a,token\n',
  'columns with quotes': 'token,"\n',
  'names in lists of JSON': '["token","',
  'fields of YAML': 'token: a\n',
  'fields of YAML beside their names': '- name: token\n  value: a1\n',
  'YAML that goes deeper': (length) => {
    const levels = Math.floor(Math.sqrt(2 * length))
    return Array.from({ length: levels }, (_, level) => `${' '.repeat(level)}token:\n`).join('')
  },
  'values of YAML that are told at each level': (length) => {
    const levels = 60
    const told = Array.from(
      { length: levels },
      (_, level) => `${' '.repeat(level)}name: token\n${' '.repeat(level)}value:\n`,
    )
    return `${told.join('')}${' '.repeat(levels)}${'x1'.repeat(length / 2)}`
  },
  'blocks of YAML': 'token: |\n',
  'a block of YAML of many lines': (length) => `token: |\n${' a\n'.repeat(length / 3)}`,
  'a value of YAML of many lines': (length) => `a: 1\ntoken: a\n${' a\n'.repeat(length / 3)}`,
  'quotes in YAML': '- "\n',
  'apostrophes in YAML': "token: '\n",
  'escaped quotes in YAML': 'token: "\\\n',
  'keys of YAML that are long': (length) => `${'a '.repeat(60)}token\n`.repeat(length / 127),
  'empty lines of YAML': 'token:\n\n\n\n\n',
  'settings in lines': 'password = a b\n',
  'signs of settings': ' = *',
  'lists of YAML in one line': '- ',
  'types of YAML': 'a: ! ! ! ! token: ',
  'a password of a file with many signs': (length) => `h:5432:d:u:${'\\a'.repeat(length / 2)}`,
  'lines of dashes': (length) => `token\n-- ${'-- '.repeat(length / 3)}x`,
  'settings with arrows': 'token -> a1b2c3d4\n',
  'comments behind settings': 'password = a # ',
  'passwords before words': 'password ',
  'passwords before digits': 'password 7 ',
  'passwords before quotes': "password 'a ",
  'passwords with two quotes': "password ''",
  'passwords with slashes': "password '\\",
  'a quote with many slashes': (length) => `password '${'\\'.repeat(length)}'`,
  'passwords of SQL': "identified with a by '",
  'passwords that SQL sets': 'set password for a ',
  'logins of files': 'machine a login b ',
  'logins with blanks': (length) => `machine a${' '.repeat(39)}login `.repeat(length / 54),
  'words of Redis': 'requirepass ',
  'names of users': 'AUTH a ',
  'labels of Markdown': '**token:** ',
  'signs of Markdown': '*',
  'names in lists of scripts': '"token", ',
  'hashes of passwords': '$2b$a ',
  'a hash that is long': (length) => `$6$${'a'.repeat(length)}`,
  'logins with ports': 'h:5432:d:u:p\n',
  'parts with ports': 'h:5432:',
  'names with two blanks': 'a  token\n',
  'rows of a fixed width': (length) => `a  token\n${'b  c1d2\n'.repeat(length / 8)}`,
  'a row of many columns': (length) => `${'a  '.repeat(1_000)}token\n${'b  '.repeat(length / 3)}`,
  'columns under lines': 'token\n-----\na1\n\n',
  'labels of HTML': '<b>token</b>: a1 ',
  'colons behind labels of HTML': '<b>token</b>:',
  'fields behind labels of HTML': '<label>token</label><input value=a1>',
  'columns that are objects': '{"columns":[{"name":"token"}],"rows":[["a1"]]},',
  'rows before their columns': (length) =>
    `${'{"a":[[1]],"rows":[['.repeat(60)}"${'x1'.repeat(length / 2)}"${']],"columns":["token"]}'.repeat(60)}`,
  'many rows before their columns': '{"a":[[1]],"b":[["a"]],"c":[["a"]],"columns":["token"]},',
  Secrets: '{"kind":"Secret","data":{"a":"YTFiMmMzZDQ="}},',
  'Secrets in Secrets': (length) =>
    `${'{"kind":"Secret","data":{"a":'.repeat(60)}"${'x1'.repeat(length / 2)}"${'}}'.repeat(60)}`,
  'marks of secrets': '{"sensitive":true,"value":"a"},',
  'brackets that close': '}]',
}

export function typeOf(name: string): string {
  return name === 'parts of a form' ? 'multipart/form-data; boundary=x' : 'text/plain'
}

/** A text of such a length. */
export function textOf(text: Text, length: number): string {
  return typeof text === 'string' ? text.repeat(Math.ceil(length / text.length)) : text(length)
}
