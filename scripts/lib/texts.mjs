// Collects what people read and no document holds: help, messages, requirements, what reports say.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { trackedFiles } from './files.mjs'

const ROOMS = ['schemas', 'rules', 'fixtures', 'suites', 'proxy', 'reports', 'engine', 'cli', 'library', 'prove']
const NOT_FOR_PEOPLE = /\.test\.tsx?$|(^|\/)_?testing(\/|\.ts)|^schemas\/types\/|\.d\.ts$/
/** Three words at least: shorter texts are names or labels. */
const WORDS = /[a-z]{2,}\S* \S+ \S/i
/** Styles, markup, programs and headers are not for reading. */
const CODE = /^\s*[<#.@{]|[{;]\s*$|=>|:root|^\w+\/[\w.]+;|^[-\w]+(-src|-uri) /

/** Examples of commands follow the sentences of a help. */
const EXAMPLES = /(^|\n)Examples:\n[\s\S]*$/

/** Each text with its place; expressions in it appear in backticks. */
export function collectedTexts(root) {
  const sources = trackedFiles(
    root,
    ROOMS.flatMap((room) => [`${room}/**/*.ts`, `${room}/**/*.tsx`]),
  )
  return [
    ...ledgerTexts(root),
    ...sources.filter((path) => !NOT_FOR_PEOPLE.test(path)).flatMap((path) => textsOf(root, path)),
  ]
}

function ledgerTexts(root) {
  const path = 'schemas/requirements.json'
  const { requirements } = JSON.parse(readFileSync(join(root, path), 'utf8'))
  return requirements.flatMap(({ id, text, why }) =>
    [text, why].flatMap((one) => (one === undefined ? [] : [{ at: `${path} ${id}`, text: one }])),
  )
}

function textsOf(root, path) {
  const source = readFileSync(join(root, path), 'utf8')
  const { program } = parseSync(path, source)
  const found = []
  const add = (start, whole) => {
    // the configuration that `init` writes: its comments are for reading
    const text = whole.startsWith('//') ? commentsOf(whole) : whole.replace(EXAMPLES, '')
    if (WORDS.test(text) && !CODE.test(text)) found.push({ start, text: text.replaceAll(/\s+/g, ' ').trim() })
  }
  new Visitor({
    Literal(node) {
      if (typeof node.value === 'string') add(node.start, node.value)
    },
    TemplateLiteral(node) {
      const parts = node.quasis.map(({ value }, index) => {
        const filled = node.expressions[index]
        return filled ? `${value.cooked}\`${nameOf(source.slice(filled.start, filled.end))}\`` : value.cooked
      })
      add(node.start, parts.join(''))
    },
    JSXText: (node) => add(node.start, node.value),
  }).visit(program)
  return found
    .sort((left, right) => left.start - right.start)
    .map(({ start, text }) => ({ at: `${path}:${source.slice(0, start).split('\n').length}`, text }))
}

function commentsOf(program) {
  return [...program.matchAll(/\/\/ (.*[a-z.;])$/gm)].map(([, line]) => line).join('\n')
}

/** What stands in a text for an expression: its last name. */
function nameOf(expression) {
  return /([A-Za-z]\w*)[^A-Za-z]*$/.exec(expression)?.[1] ?? 'x'
}
