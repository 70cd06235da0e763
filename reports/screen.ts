import picocolors from 'picocolors'
import { number } from './counted.ts'
import { foldShell } from './shell.ts'
import { clean, LONGEST_CLEAN, padded, visible, wrap } from './text.ts'

export interface ScreenOptions {
  /** characters a line may have */
  readonly columns: number
  readonly color: boolean
}

export type Style = (text: string) => string

const LONGEST_SHELL = 2500
const LABEL = 10
const LONGEST_LABEL = 40
const LEAST_COLUMNS = 30

const plain: Style = (text) => text

interface TextOptions {
  readonly indent?: number
  /** characters of it */
  readonly most?: number
  readonly style?: Style
}

/** Lines for a terminal, each within the columns, in which nothing acts but our own colours. */
export class Screen {
  readonly columns: number
  readonly paint: ReturnType<typeof picocolors.createColors>
  readonly #lines: string[] = []

  constructor({ columns, color }: ScreenOptions) {
    this.columns = Math.max(LEAST_COLUMNS, columns)
    this.paint = picocolors.createColors(color)
  }

  /** One line that is known to fit and to be clean. */
  line(text = ''): void {
    this.#lines.push(text)
  }

  /** Text of any origin, wrapped with an indent. */
  text(text: string, { indent = 0, most = LONGEST_CLEAN, style = plain }: TextOptions = {}): void {
    for (const line of wrap(clean(text, most), this.columns - indent)) this.line(' '.repeat(indent) + style(line))
  }

  /** A label in the margin and text beside it, wrapped under itself. */
  field(label: string, text: string, { indent = 0, most = LONGEST_CLEAN, style = plain }: TextOptions = {}): void {
    const margin = ' '.repeat(indent)
    const head = `${padded(clean(label, LONGEST_LABEL), LABEL - 1)} `
    const [first = '', ...rest] = wrap(clean(text, most), this.columns - indent - head.length)
    this.line(`${margin}${this.paint.dim(head)}${style(first)}`)
    for (const line of rest) this.line(margin + ' '.repeat(LABEL) + style(line))
  }

  /** The first of several texts, a paragraph each, and how many more there are. `rest` ends that line. */
  list(
    items: readonly string[],
    most: number,
    { style = plain, rest = '' }: { style?: Style; rest?: string } = {},
  ): void {
    for (const item of items.slice(0, most)) this.text(item, { indent: 2, style })
    if (items.length > most) this.text(`and ${number(items.length - most)} more${rest}`, { indent: 2 })
  }

  /** A shell line, folded so that it can still be pasted; only named where it is too long. */
  shell(line: string): void {
    const safe = visible(line)
    if (safe.length <= LONGEST_SHELL) this.#lines.push(...foldShell(safe, this.columns))
    else this.text(`(${number(safe.length)} characters long: it stands in report.json)`)
  }

  toString(): string {
    return `${this.#lines.map((line) => line.trimEnd()).join('\n')}\n`
  }
}

/** Text in the colour of a verdict. */
export function painted({ paint }: Screen, verdict: string, text: string): string {
  const styles: Readonly<Record<string, Style>> = {
    pass: paint.green,
    fail: paint.red,
    warn: paint.yellow,
    error: paint.magenta,
  }
  return styles[verdict]?.(text) ?? text
}
