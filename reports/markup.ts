import { bounded, visible } from './text.ts'

const LONGEST = 2000

/** Text of any origin as Markdown that shows it and nothing else: one line, no markup, no HTML, no link. */
export function markdownText(text: string, most: number = LONGEST): string {
  return visible(bounded(text, most))
    .replaceAll(/[\\`*_{}[\]<>#!|~&:@$^]/g, '\\$&')
    .replace(/^[-+=]/, '\\$&')
    .replace(/^(\d+)([.)])(?=\s|$)/, '$1\\$2')
}

/**
 * Text of any origin as a Markdown code span, in which nothing is looked for, also not mentions and links. Fit for cells
 * of tables.
 */
export function markdownCode(text: string, most: number = LONGEST): string {
  const shown = visible(bounded(text, most))
  if (shown === '') return ''
  const runs = shown.match(/`+/g) ?? []
  const fence = '`'.repeat(Math.max(0, ...runs.map((run) => run.length)) + 1)
  const pad = /^[` ]|[` ]$/.test(shown) ? ' ' : ''
  return `${fence}${pad}${shown.replaceAll('|', '\\|')}${pad}${fence}`
}

/** One line in a block of code, whatever is in it. */
export function markdownBlock(text: string, language: string, most: number = LONGEST): string {
  const shown = visible(bounded(text, most))
  const runs = shown.match(/`{3,}/g) ?? []
  const fence = '`'.repeat(Math.max(2, ...runs.map((run) => run.length)) + 1)
  return `${fence}${language}\n${shown}\n${fence}`
}

/** Text of any origin for XML, HTML and SVG: content and quoted attributes. Characters that XML cannot hold are shown. */
export function markupText(text: string, most: number = LONGEST): string {
  return visible(bounded(text, most)).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

const LONGEST_CONTENT = 16_384

/** Text of any origin, in lines, for an `XmlElement`, which escapes by itself. Characters that XML cannot hold are shown. */
export function xmlContent(text: string, most: number = LONGEST_CONTENT): string {
  return bounded(text, most).split(/\r?\n/).map(visible).join('\n')
}

/** An element of XML with what it holds: other elements, or a text. All that is put into it is escaped. */
export class XmlElement {
  private readonly name: string
  private readonly begin: string
  private readonly children: XmlElement[] = []
  private text: string = ''

  constructor(name: string, attributes: Readonly<Record<string, string | number>> = {}) {
    const values = Object.entries(attributes).map(
      ([key, value]) => ` ${key}="${xmlEscaped(String(value)).replaceAll('"', '&quot;')}"`,
    )
    this.name = name
    this.begin = `<${name}${values.join('')}`
  }

  /** Adds an element, and returns it. */
  child(name: string, attributes?: Readonly<Record<string, string | number>>): XmlElement {
    const made = new XmlElement(name, attributes)
    this.children.push(made)
    return made
  }

  write(text: string): void {
    this.text += xmlEscaped(text)
  }

  /** The element in lines of its own. */
  lines(indent: string): string {
    const { begin, children, name, text } = this
    if (children.length === 0) return `${indent}${begin}${text === '' ? '/>' : `>${text}</${name}>`}\n`
    const inner = children.map((child) => child.lines(`${indent}  `)).join('')
    return `${indent}${begin}>\n${inner}${indent}</${name}>\n`
  }
}

export function xmlDocument(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root.lines('')}`
}

function xmlEscaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** The value of a GitHub workflow command: it cannot end the line that it stands in. */
export function commandData(text: string, most: number = LONGEST): string {
  return visible(bounded(text, most)).replaceAll('%', '%25')
}

/** A property of a GitHub workflow command. */
export function commandProperty(text: string, most: number = LONGEST): string {
  return commandData(text, most).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
