import { body } from '../core/changes.ts'
import type { Changes, Fault } from '../core/fault.ts'
import { lines, type Rows } from '../core/lines.ts'

/** Changes the text of every line. */
function texts(change: (text: string) => string): Changes {
  return lines('export-v2', (all) => all.map((line) => ({ ...line, _line: change(String(line._line)) })))
}

function mangled(name: string, about: string, change: (text: string) => string): Fault {
  return { name: `line-${name}`, about, kills: ['LINES-VERBATIM'], changes: texts(change) }
}

/** Faults in what becomes of the text and the fields of a line. */
export const textFaults: readonly Fault[] = [
  mangled('cut', 'the text of a line ends after 1,000 characters', (text) => text.slice(0, 1_000)),
  mangled('ends-trimmed', 'blanks at the ends of a line are lost', (text) => text.trim()),
  mangled('composed', 'letters and their accents become one character', (text) => text.normalize('NFC')),
  mangled('latin', 'characters beyond Latin 1 become question marks', (text) =>
    text.replaceAll(/[^\p{ASCII}\u0080-\u00ff]/gu, '?'),
  ),
  mangled('decoded-twice', 'text is decoded twice', (text) => Buffer.from(text, 'utf8').toString('latin1')),
  mangled('one-line', 'a line ends where a line feed stands in it', (text) => text.split('\n')[0] ?? ''),
  mangled('unescaped', 'escapes for markup are resolved', (text) => text.replaceAll('&amp;', '&')),
  mangled('half-emoji', 'characters beyond the first plane lose their second half', (text) =>
    text.replaceAll(/[\udc00-\udfff]/g, ''),
  ),
  {
    name: 'line-app-upper-case',
    about: 'names of applications are written in capitals',
    kills: ['LINES-FIELDS'],
    changes: lines('export-v2', (all) => all.map((line) => ({ ...line, _app: String(line._app).toUpperCase() }))),
  },
  {
    name: 'line-trimmed',
    about: 'runs of blanks in a line become one',
    kills: ['LINES-VERBATIM'],
    changes: body('export-v2', (json) => ({
      ...json,
      lines: (json.lines as Rows).map((line) => ({ ...line, _line: String(line._line).replaceAll(/ +/g, ' ') })),
    })),
  },
  {
    name: 'line-level',
    about: 'levels are written in capitals',
    kills: ['LINES-FIELDS'],
    changes: body('export-v2', (json) => ({
      ...json,
      lines: (json.lines as Rows).map((line) => ({ ...line, level: String(line.level).toUpperCase() })),
    })),
  },
]
