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
  const fence = fenceFor(shown, 1)
  const pad = /^[` ]|[` ]$/.test(shown) ? ' ' : ''
  return `${fence}${pad}${shown.replaceAll('|', '\\|')}${pad}${fence}`
}

/** One line in a block of code, whatever is in it. */
export function markdownBlock(text: string, language: string, most: number = LONGEST): string {
  const shown = visible(bounded(text, most))
  const fence = fenceFor(shown, 3)
  return `${fence}${language}\n${shown}\n${fence}`
}

/** More backticks than stand together anywhere in the text, `least` at least. */
function fenceFor(text: string, least: number): string {
  const runs = text.match(/`+/g) ?? []
  return '`'.repeat(Math.max(least, ...runs.map((run) => run.length + 1)))
}

/** Text of any origin for XML and HTML: content and quoted attributes. Characters that XML cannot hold are shown. */
export function markupText(text: string, most: number = LONGEST): string {
  return visible(bounded(text, most)).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

const LONGEST_CONTENT = 16_384

/** Text of any origin, in lines, for a writer of XML that escapes by itself. Characters that XML cannot hold are shown. */
export function xmlContent(text: string, most: number = LONGEST_CONTENT): string {
  return bounded(text, most).split(/\r?\n/).map(visible).join('\n')
}

/** The value of a GitHub workflow command: it cannot end the line that it stands in. */
export function commandData(text: string, most: number = LONGEST): string {
  return visible(bounded(text, most)).replaceAll('%', '%25')
}

/** A property of a GitHub workflow command. */
export function commandProperty(text: string, most: number = LONGEST): string {
  return commandData(text, most).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
